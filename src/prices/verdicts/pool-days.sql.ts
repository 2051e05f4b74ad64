import { defaultProfile } from '../../core/metric.ts';
import type { PricingType } from '../../core/offer.ts';
import type { Db } from '../../database/connection.ts';
import { readBookMoments } from '../spans/book-moments.sql.ts';
import { readSpans } from '../spans/read-spans.sql.ts';
import { createPoolDay, type PoolDay, type PoolPrices, pooledPrice, unknownTier } from './pool-day.ts';

export interface PoolSeries {
  marketId: number;
  scopeId: number;
  type: PricingType;
}

/** The books of one UTC day of a series. */
export interface BookDay {
  /** YYYY-MM-DD */
  day: string;
  /** The highest book id up to this day; while it stays the same, so do the day's prices. */
  newestBookId: number;
  /** Moment of the day's last complete book; null: it has none. */
  lastCompleteAt: Date | null;
}

/** Returns days with books from the day `from` up to the moment `before`, in order. */
export async function readBookDays(
  db: Db,
  { scopeId, type }: PoolSeries,
  range: { from: string; before: Date },
): Promise<BookDay[]> {
  return await db<BookDay[]>`
    select to_char(day, 'YYYY-MM-DD') as day, greatest(max(newest) over (order by day), (
        select max(id) from book where scope_id = ${scopeId} and type = ${type}
          and observed_at < ${range.from}::date::timestamp at time zone 'UTC'))::int as "newestBookId",
      last_complete as "lastCompleteAt"
    from (
      select (observed_at at time zone 'UTC')::date as day, max(id) as newest,
        max(observed_at) filter (where verdict = 'complete') as last_complete
      from book where scope_id = ${scopeId} and type = ${type} and observed_at < ${range.before}
        and observed_at >= ${range.from}::date::timestamp at time zone 'UTC'
      group by 1) days
    order by day`;
}

/** A day on which partial books were complete for a model. */
export interface SliceDay {
  gpuModelId: number;
  day: string;
  lastAt: Date;
}

/** Returns complete slices of partial books in the same range. */
export async function readSliceDays(
  db: Db,
  { scopeId, type }: PoolSeries,
  range: { from: string; before: Date },
): Promise<SliceDay[]> {
  return await db<SliceDay[]>`
    select s.gpu_model_id as "gpuModelId", to_char(b.observed_at at time zone 'UTC', 'YYYY-MM-DD') as day,
      max(b.observed_at) as "lastAt"
    from book b join book_slice s on s.book_id = b.id and s.verdict = 'complete' and s.gpu_model_id is not null
    where b.scope_id = ${scopeId} and b.type = ${type} and b.verdict = 'partial'
      and b.observed_at < ${range.before}
      and b.observed_at >= ${range.from}::date::timestamp at time zone 'UTC'
    group by 1, 2`;
}

const dayMs = 86_400_000;

/** Prices by UTC day since 1970 and by model. */
export type PricesByDay = Map<number, Map<number, PoolPrices>>;

/**
 * Computes prices by machine of the covering books in [from, before), from presence, price intervals and attributes
 * alone. Days and models without any price are missing.
 */
export async function computePoolDays(
  db: Db,
  series: PoolSeries,
  range: { from: Date; before: Date },
): Promise<PricesByDay> {
  const books = await readBookMoments(db, { ...series, from: range.from, to: range.before });
  const spans = await readSpans(
    db,
    { ...series, gpuModelIds: null, metric: 'usdPerGpuHour', profile: defaultProfile },
    books,
  );
  const times = Float64Array.from(books.times, (at) => at.getTime());
  const days = Int32Array.from(times, (at) => Math.floor(at / dayMs));
  const lastOfDay = lastOfEachDay(days);
  const gathered = new Map<number, Map<number, PoolDay>>();
  const { first: firsts, last: lasts, gpuModelId, machineId, verificationTierId } = spans;
  const prices = spans.value.subarray(0, spans.length).map(pooledPrice);
  for (const index of byMachineAndPrice(machineId, prices)) {
    const price = prices[index] as number;
    const model = gpuModelId[index] as number;
    const covered = books.coverOf(model);
    const covers = (at: number): boolean => covered[at + 1] !== covered[at];
    const tier = verificationTierId[index] as number;
    const last = lasts[index] as number;
    for (let begin = firsts[index] as number; begin <= last; ) {
      const end = Math.min(last, lastOfDay[begin] as number);
      let [first, until] = [begin, end];
      begin = end + 1;
      while (first <= until && !covers(first)) first += 1;
      while (first <= until && !covers(until)) until -= 1;
      if (first > until) continue;
      const day = days[first] as number;
      const start = day * dayMs;
      dayOf(gathered, day, model).add(
        machineId[index] as number,
        price,
        (times[first] as number) - start,
        (times[until] as number) - start,
        tier < 0 ? unknownTier : tier,
      );
    }
  }
  const made = ([day, models]: [number, Map<number, PoolDay>]) =>
    [day, new Map([...models].map(([model, each]) => [model, each.prices()]))] as const;
  return new Map([...gathered].map(made));
}

/** Returns the ordinal of the last book on each book's day. */
function lastOfEachDay(days: Int32Array): Int32Array {
  const last = new Int32Array(days.length);
  for (let at = days.length - 1; at >= 0; at -= 1) {
    last[at] = days[at + 1] === days[at] ? (last[at + 1] as number) : at;
  }
  return last;
}

/** Returns the indexes of known prices in the order in which days are gathered. */
function byMachineAndPrice(machineId: Float64Array, prices: Float64Array): Int32Array {
  return Int32Array.from(prices.keys())
    .filter((place) => !Number.isNaN(prices[place]))
    .sort(
      (a, b) =>
        (machineId[a] as number) - (machineId[b] as number) || (prices[a] as number) - (prices[b] as number),
    );
}

function dayOf(gathered: Map<number, Map<number, PoolDay>>, day: number, model: number): PoolDay {
  let models = gathered.get(day);
  if (models === undefined) {
    models = new Map();
    gathered.set(day, models);
  }
  let own = models.get(model);
  if (own === undefined) {
    own = createPoolDay();
    models.set(model, own);
  }
  return own;
}

/** Returns each machine's host on the days `from` to `to`, the highest id if it changed; unknown ones are missing. */
export async function readHosts(
  db: Db,
  { marketId, type }: PoolSeries,
  { from, to }: { from: string; to: string },
): Promise<Map<number, number>> {
  const rows = await db<{ machineId: number; hostId: number }[]>`
    select l.machine_id as "machineId", max(a.host_id) as "hostId"
    from listing l join listing_attribute a on a.listing_id = l.id
    where l.market_id = ${marketId} and l.type = ${type} and a.host_id is not null
      and a.valid_until > ${from}::date and a.day <= ${to}::date
    group by 1`;
  return new Map(rows.map(({ machineId, hostId }) => [machineId, hostId]));
}

/** Returns the days with stored prices, and the book up to which they are valid. */
export async function readStoredDays(
  db: Db,
  { scopeId, type }: PoolSeries,
  from: string,
): Promise<{ day: string; newestBookId: number }[]> {
  return await db<{ day: string; newestBookId: number }[]>`
    select to_char(day, 'YYYY-MM-DD') as day, newest_book_id as "newestBookId" from pool_day
    where scope_id = ${scopeId} and type = ${type} and day >= ${from}::date order by day`;
}

/** Returns the stored prices of some days, packed. */
export async function readStoredPrices(
  db: Db,
  { scopeId, type }: PoolSeries,
  days: readonly string[],
): Promise<{ day: string; gpuModelId: number; prices: Uint8Array }[]> {
  return await db<{ day: string; gpuModelId: number; prices: Uint8Array }[]>`
    select to_char(day, 'YYYY-MM-DD') as day, gpu_model_id as "gpuModelId", prices from pool_day_model
    where scope_id = ${scopeId} and type = ${type} and day = any(${[...days]}::date[])`;
}

/** Stores a day's prices by model, replacing those from fewer books. */
export async function storePoolDay(
  db: Db,
  { scopeId, type }: PoolSeries,
  day: { day: string; newestBookId: number; models: ReadonlyMap<number, Uint8Array> },
): Promise<void> {
  const models = [...day.models];
  await db`
    with head as (
      insert into pool_day (scope_id, type, day, newest_book_id)
      values (${scopeId}, ${type}, ${day.day}::date, ${day.newestBookId})
      on conflict (scope_id, type, day) do update set newest_book_id = excluded.newest_book_id
      returning day
    ), outdated as (
      delete from pool_day_model where scope_id = ${scopeId} and type = ${type} and day = ${day.day}::date
        and gpu_model_id <> all(${models.map(([id]) => id)}::smallint[])
    )
    insert into pool_day_model (scope_id, type, day, gpu_model_id, prices)
    select ${scopeId}, ${type}, head.day, m.id, decode(m.prices, 'base64')
    from head cross join unnest(${models.map(([id]) => id)}::smallint[],
      ${models.map(([, bytes]) => Buffer.from(bytes).toString('base64'))}::text[]) as m(id, prices)
    on conflict (scope_id, type, day, gpu_model_id) do update set prices = excluded.prices`;
}

/** Drops all stored days, which are recomputed when needed. Returns their number. */
export async function dropPoolDays(db: Db): Promise<number> {
  const dropped = await db`delete from pool_day`;
  return dropped.count;
}

/** Counts the deletions of a scope's books. */
export async function countDeletions(db: Db, scopeId: number): Promise<number> {
  const [row] = await db<{ deletions: number }[]>`select deletions from scope where id = ${scopeId}`;
  return row?.deletions ?? 0;
}
