import { findScope, newestMoment } from '../books/newest-books.sql.ts';
import { badField } from '../core/http/problem.ts';
import { readMomentParam } from '../core/http/time-range.ts';
import type { Sql } from '../database/connection.ts';
import { type BidChance, readBidChances } from './bid-chances.ts';
import { type DryRun, dryRunOrder } from './dry-run.ts';
import { type OrderFields, type OrderRequest, type PlacedChoice, typeOfChoice } from './order.ts';
import type { DryRunAnswer } from './order-answers.ts';

const dayMs = 86_400_000;
const maxRangeDays = 366;

interface Tried {
  marketId: number;
  fields: Pick<OrderFields, 'count' | 'budgetUsd' | 'endsAt'>;
  choices: readonly PlacedChoice[];
  request: Pick<OrderRequest, 'diskGb' | 'maxHours'>;
  range: { from?: string | undefined; to?: string | undefined };
}

/** Returns what an order would have done. Throws a 400 for a range that cannot be. */
export async function tryOrder(
  { sql, now }: { sql: Sql; now: () => Date },
  { marketId, fields, choices, request, range }: Tried,
): Promise<DryRunAnswer> {
  const given = {
    from: readMomentParam('from', range.from, 'UTC'),
    to: readMomentParam('to', range.to, 'UTC'),
  };
  const to = given.to ?? (await afterNewest(sql, marketId, choices)) ?? now();
  // As long as it has left, so that it had as much time as it will have.
  const leftMs = Math.min(Math.max(fields.endsAt.getTime() - now().getTime(), dayMs), 30 * dayMs);
  const from = given.from ?? new Date(to.getTime() - leftMs);
  if (from >= to) throw badField('from', 'must be before `to`');
  if (to.getTime() - from.getTime() > maxRangeDays * dayMs)
    throw badField('from', 'may be at most a year before `to`');
  const { count, budgetUsd } = fields;
  const { diskGb, maxHours = null } = request;
  const order = { count, budgetUsd, choices, diskGb, maxHours };
  const dryRun = await dryRunOrder(sql, { marketId, order, from, to });
  return present(dryRun, { from, to, bidChances: await readBidChances(sql, { marketId, choices, diskGb }) });
}

/** Just after the newest book of any choice; null: there is none. */
async function afterNewest(
  sql: Sql,
  marketId: number,
  choices: readonly PlacedChoice[],
): Promise<Date | null> {
  const whole = await findScope(sql, marketId);
  const own = choices.flatMap(({ watch }) => watch.places.filter((place) => place.marketId === marketId));
  const scopeIds = new Set([...own.map(({ scopeId }) => scopeId), ...(whole === null ? [] : [whole])]);
  const types = [...new Set(choices.map(typeOfChoice))];
  const moments = await Promise.all([...scopeIds].map((id) => newestMoment(sql, id, types)));
  const known = moments.flatMap((at) => at?.getTime() ?? []);
  return known.length === 0 ? null : new Date(Math.max(...known) + 1);
}

function present(
  { books, rents, state, committedUsd }: DryRun,
  { from, to, bidChances }: { from: Date; to: Date; bidChances: BidChance[] },
): DryRunAnswer {
  const hours = rents.map((rent) => rent.hours).sort((a, b) => a - b);
  const [low, high] = [hours[(hours.length - 1) >> 1], hours[hours.length >> 1]];
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    books,
    wouldRent: rents.length,
    medianHoursToRent: low === undefined || high === undefined ? null : (low + high) / 2,
    committedUsd,
    state,
    rents: rents.map(({ at, hours: after, choice, bookId, offer }) => ({
      at: at.toISOString(),
      hours: after,
      choice,
      bookId: String(bookId),
      listingId: String(offer.listingId),
      machineId: offer.machineId,
      gpuName: offer.gpuName,
      numGpus: offer.numGpus,
      usdPerHour: offer.usdPerHour,
      usdPerGpuHour: offer.usdPerHour / offer.numGpus,
      bidUsdPerHour: offer.bidUsdPerHour,
    })),
    bidChances,
  };
}
