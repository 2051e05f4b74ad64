import { UserError } from '../../core/errors.ts';
import type { Db } from '../../database/connection.ts';

/**
 * How far ahead of the database's clock a book may be, by kind of market; recorded ones may have an unclear time zone.
 */
export const maxAheadMs = { live: 10 * 60_000, simulated: 10 * 60_000, recorded: 86_400_000 } as const;
/** No current marketplace was recorded earlier. */
const earliest = new Date('2015-01-01T00:00:00Z');

/**
 * Throws a UserError for a book with an implausible moment: every later book would count as late, and retention would
 * count from it. Source: docs/meaning.md#late-books-and-repeats.
 */
export async function requirePlausibleMoment(tx: Db, marketId: number, observedAt: Date): Promise<void> {
  const moment = observedAt.toISOString();
  if (observedAt < earliest) {
    throw new UserError(
      `The book is dated ${moment}: books from before 2015 are not accepted. Check its date.`,
    );
  }
  const [row] = await tx<{ kind: keyof typeof maxAheadMs; now: Date }[]>`
    select kind, clock_timestamp() as now from market where id = ${marketId}`;
  if (row === undefined || observedAt.getTime() <= row.now.getTime() + maxAheadMs[row.kind]) return;
  const clock = `the database's clock says ${row.now.toISOString()}`;
  throw new UserError(
    row.kind === 'recorded'
      ? `The book is dated ${moment}, and ${clock}: a recorded market takes books up to a day ahead. Check its date.`
      : `The book is dated ${moment}, and ${clock}: a book more than 10 minutes ahead is refused. Set the clocks right, ` +
          'or import it into a recorded market with --market.',
  );
}
