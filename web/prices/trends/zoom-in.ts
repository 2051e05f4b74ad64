import type { App } from '../../core/app.ts';

/** Shows another range, in ms, through the address; null: the chosen one. */
export const zoomIn =
  ({ address }: App) =>
  (range: { from: number; to: number } | null): void =>
    address.change({
      from: range === null ? null : new Date(range.from).toISOString(),
      to: range === null ? null : new Date(range.to).toISOString(),
    });
