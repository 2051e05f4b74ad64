import { findScope } from '../books/newest-books.sql.ts';
import type { PricingType } from '../core/offer.ts';
import { utcDayNumber } from '../core/utc-day.ts';
import type { Db } from '../database/connection.ts';
import { clearChangePercent } from '../prices/index/index-change.ts';
import { readIndexDays } from '../prices/index/index-days.sql.ts';
import { windowDays } from '../prices/index/index-window.ts';
import type { IndexChangeOf } from '../watches/rules/watch-readings.ts';

/**
 * Returns the clear changes of models' like-for-like indexes by moment: of the last UTC day before it that had ended,
 * so that they are the same when the moment is past.
 */
export async function readIndexFalls(
  db: Db,
  { marketId, type, upTo }: { marketId: number; type: PricingType; upTo: Date },
  gpuNames: readonly string[],
): Promise<(at: Date) => IndexChangeOf> {
  const scopeId = gpuNames.length === 0 ? null : await findScope(db, marketId);
  if (scopeId === null) return () => () => null;
  const byModel = new Map<string, Awaited<ReturnType<typeof readIndexDays>>>();
  for (const name of gpuNames) {
    byModel.set(name, await readIndexDays(db, { scopeId, type }, name, utcDayNumber(upTo)));
  }
  return (at) => {
    const last = utcDayNumber(at) - 1;
    return (_type, gpuName, days) => {
      const known = byModel.get(gpuName) ?? [];
      const newest = known.findLast(({ day }) => day <= last && day >= last - windowDays) ?? null;
      return clearChangePercent(newest, days);
    };
  };
}
