import type { Instance } from '../../core/api.ts';
import type { App } from '../../core/app.ts';

/**
 * Notes that the market was asked to end an instance: once it accepted to destroy it, its machine can be on offer again, under
 * the same id too.
 */
export function noteEnding(
  app: App,
  { offerId }: Instance,
  { kind, outcome }: { kind: 'stop' | 'start' | 'destroy'; outcome: string },
): void {
  if (kind === 'destroy' && outcome === 'accepted' && offerId !== null) app.gone.delete(offerId);
}
