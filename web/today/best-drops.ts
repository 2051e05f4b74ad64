import type { MarketRow, PriceChange } from '../core/api.ts';

/** A model whose prices have clearly fallen like for like. */
export interface Drop {
  row: MarketRow;
  change: PriceChange;
}

/** The models with the biggest clear drops of a period. */
export interface BestDrops {
  /** 7 where the change of some model over 7 days is known, else 1. */
  days: 1 | 7;
  /** The biggest first; empty: no price has clearly fallen. */
  drops: Drop[];
  /** Models with enough history to compare. */
  compared: number;
}

/**
 * Returns the clear like-for-like drops of a period that follows from the history alone: were it one in which prices
 * have fallen, the next book could change it.
 */
export function bestDrops(rows: readonly MarketRow[]): BestDrops {
  const days = knownOver(rows, 7).length > 0 ? 7 : 1;
  const known = knownOver(rows, days);
  const drops = known
    .filter(({ change }) => change.status === 'clear' && (change.percent ?? 0) < 0)
    .toSorted((a, b) => (a.change.percent ?? 0) - (b.change.percent ?? 0));
  return { days, drops, compared: known.length };
}

const knownOver = (rows: readonly MarketRow[], days: number): Drop[] =>
  rows.flatMap((row) => {
    const change = row.changes.find((each) => each.days === days);
    return change === undefined || change.status === 'insufficient' ? [] : [{ row, change }];
  });
