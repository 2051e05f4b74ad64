import type { PricingType } from '../../core/offer.ts';
import type { Sql } from '../../database/connection.ts';
import { momentWords } from '../../prices/explain/explained-figures.ts';
import type { ChargedHour } from './charged-hours.sql.ts';
import { findBooksOf } from './first-books.sql.ts';

const booksOf: Record<PricingType, string> = {
  'on-demand': 'books of on-demand offers',
  reserved: 'books of reserved offers',
  bid: 'books of bids',
};
const hourMs = 3_600_000;

/** Returns why an instance cannot be compared at all; null: its hours have to be looked at. */
export function whyNot({ gpuName, numGpus, type }: ChargedHour, scopeId: number | null): string | null {
  if (scopeId === null) return 'the market has no books';
  const missing = [
    gpuName === null ? 'GPU model' : null,
    numGpus === null ? 'number of GPUs' : null,
    type === null ? 'pricing type' : null,
  ].filter((each) => each !== null);
  if (missing.length === 0) return null;
  if (missing.length === 3) {
    return 'never seen in the account, so GPU model, number of GPUs and pricing type are unknown';
  }
  return `the account's list did not state the ${missing.join(' and ')}`;
}

/** Returns why no charged hour of an instance has a market price. Days are UTC. */
export async function whyNoHour(
  sql: Sql,
  scopeId: number,
  type: PricingType,
  hours: readonly Date[],
): Promise<string> {
  const { firstAt, inHours } = await findBooksOf(sql, { scopeId, type, hours });
  const what = booksOf[type];
  if (firstAt === null) return `there are no complete ${what}`;
  if (inHours) return `none of the complete ${what} of those hours has the GPU model`;
  const last = hours.reduce((latest, t) => Math.max(latest, t.getTime()), 0);
  return last + hourMs <= firstAt.getTime()
    ? `${what} begin on ${momentWords(firstAt)}, after those hours`
    : `no complete ${what} were taken in those hours`;
}
