import type { App } from '../../core/app.ts';

/** Changes the range, in ms, in the address; null: the selected one. */
export const zoomIn =
  ({ address }: App) =>
  (range: { from: number; to: number } | null): void =>
    address.change({
      from: range === null ? null : new Date(range.from).toISOString(),
      to: range === null ? null : new Date(range.to).toISOString(),
    });
