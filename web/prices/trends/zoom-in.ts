import type { App } from '../../core/app.ts';

/** Shows another range, in ms, by the page's address; null: the one that was chosen. */
export const zoomIn =
  ({ address }: App) =>
  (range: { from: number; to: number } | null): void =>
    address.change({
      from: range === null ? null : new Date(range.from).toISOString(),
      to: range === null ? null : new Date(range.to).toISOString(),
    });
