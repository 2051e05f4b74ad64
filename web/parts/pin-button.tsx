import type { App } from '../core/app.ts';
import { Icon } from './icon.tsx';

/** Pins a model of a market, so that views open on it, or unpins it. */
export function PinButton({ app, market, gpuName }: { app: App; market: string; gpuName: string }) {
  const isPinned = app.pinned.of(market).includes(gpuName);
  return (
    <button
      type="button"
      class="pin"
      aria-pressed={isPinned}
      aria-label={`Pin ${gpuName}`}
      title={isPinned ? 'Pinned: Trends opens on it' : 'Pin: Trends opens on pinned models'}
      onClick={() => app.pinned.toggle(market, gpuName)}
    >
      <Icon name="pin" />
    </button>
  );
}
