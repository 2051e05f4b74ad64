import type { Instance } from '../../core/api.ts';
import type { App } from '../../core/app.ts';

/** Notes that an instance was asked to end: destroyed, its machine can be on offer again, under the same id too. */
export function noteEnding(app: App, kind: 'stop' | 'start' | 'destroy', { offerId }: Instance): void {
  if (kind === 'destroy' && offerId !== null) app.gone.delete(offerId);
}
