import type { MarketRow, PriceChange } from '../core/api.ts';
import { changeDays } from '../core/change-words.ts';

/** A model whose prices have clearly fallen like for like. */
export interface Drop {
  row: MarketRow;
  change: PriceChange;
}

/** The models with the biggest clear drops of a period. */
export interface BestDrops {
  /** The shortest period with a clear drop; null: none has one. */
  days: number | null;
  /** The biggest first. */
  drops: Drop[];
  /** Models with enough history to compare; without a clear drop, those of any period. */
  compared: number;
}

/** Returns the clear like-for-like drops of the shortest period that has any. */
export function bestDrops(rows: readonly MarketRow[]): BestDrops {
  for (const days of changeDays) {
    const known = knownOver(rows, days);
    const drops = known.filter(({ change }) => change.status === 'clear' && (change.percent ?? 0) < 0);
    if (drops.length > 0) {
      drops.sort((a, b) => (a.change.percent ?? 0) - (b.change.percent ?? 0));
      return { days, drops, compared: known.length };
    }
  }
  const compared = Math.max(...changeDays.map((days) => knownOver(rows, days).length));
  return { days: null, drops: [], compared };
}

const knownOver = (rows: readonly MarketRow[], days: number): Drop[] =>
  rows.flatMap((row) => {
    const change = row.changes.find((each) => each.days === days);
    return change === undefined || change.status === 'insufficient' ? [] : [{ row, change }];
  });
