import type { Sql } from '../../src/database/connection.ts';
import type { TrueInstance } from '../../src/simulator/truth.ts';
import { findHalfBooks } from '../whole-books.ts';
import type { Load } from './load.ts';

export interface Judged {
  failures: string[];
  counts: Record<string, number>;
}

/** A time without the database, in which no tick can become a job. */
export interface Outage {
  from: Date;
  to: Date;
}

/** Ticks are caught up within this time after an outage; after a longer gap only the newest is. */
const catchUpMs = 20_000;

/** Each tick of the range has one book of each type; a tick may only be missing where the database was away. */
export async function judgeTicks(
  sql: Sql,
  range: { from: Date; to: Date; everySeconds: number; outages: readonly Outage[] },
): Promise<Judged> {
  const rows = await sql<{ type: string; tickAt: Date; books: number; attempts: string | null }[]>`
    select t.type, tick as "tickAt", count(c.book_id)::int as books,
      string_agg(concat(to_char(c.started_at at time zone 'UTC', 'HH24:MI:SS'), '-', to_char(c.ended_at at time zone 'UTC', 'HH24:MI:SS'),
        ' ', coalesce(c.outcome, 'open'), ' ', c.reason), ', ' order by c.started_at) filter (where c.id is not null) as attempts
    from generate_series(to_timestamp(ceil(extract(epoch from ${range.from}::timestamptz) / ${range.everySeconds})
        * ${range.everySeconds}), ${range.to}::timestamptz, make_interval(secs => ${range.everySeconds})) tick
    cross join (values ('on-demand'), ('bid')) t (type)
    left join crawl c on c.kind = 'offers' and c.type::text = t.type and c.tick_at = tick
    group by 1, 2`;
  const isOut = (at: Date): boolean =>
    range.outages.some(({ from, to }) => at >= from && at.getTime() <= to.getTime() + catchUpMs);
  const missing = rows.filter(({ books }) => books === 0);
  const lost = missing.filter(({ tickAt }) => !isOut(tickAt));
  const doubled = rows.filter(({ books }) => books > 1);
  const halves = await findHalfBooks(sql);
  return {
    failures: [
      ...lost.map(
        ({ type, tickAt, attempts }) =>
          `the tick ${tickAt.toISOString()} has no ${type} book; attempts: ${attempts ?? 'none'}`,
      ),
      ...doubled.map(({ type, tickAt, books }) => `${tickAt.toISOString()} has ${books} ${type} books`),
      ...halves,
    ],
    counts: {
      'ticks of each type': rows.length / 2,
      'ticks without a book while the database was away': missing.length - lost.length,
      'ticks with two books': doubled.length,
    },
  };
}

/** Each key has at most one instance, exactly the one that was answered, and the ledger has all of them. */
export async function judgeRentals(sql: Sql, load: Load, truth: readonly TrueInstance[]): Promise<Judged> {
  const failures: string[] = [];
  // Behind the label is the id of the rental.
  const ofKey = Map.groupBy(truth, ({ label }) => /^scaled-\d+/.exec(label ?? '')?.[0] ?? '');
  for (const [key, instanceId] of load.rented) {
    const ids = (ofKey.get(key) ?? []).map(({ id }) => id);
    if (ids.length > 1) failures.push(`the key ${key} has ${ids.length} instances`);
    if (instanceId === null && ids.length > 0) failures.push(`the refused key ${key} has an instance`);
    if (instanceId !== null && ids[0] !== instanceId)
      failures.push(`the key ${key} was answered with ${instanceId} and has ${ids[0] ?? 'none'}`);
  }
  const doubledUnknown = load.unknown.filter((key) => (ofKey.get(key) ?? []).length > 1);
  failures.push(...doubledUnknown.map((key) => `the key ${key} has two instances`));
  const ledger = await sql<{ instanceId: number }[]>`
    select instance_id as "instanceId" from rental where instance_id is not null`;
  const known = new Set(ledger.map(({ instanceId }) => instanceId));
  const strangers = truth.filter(({ id }) => !known.has(id)).length;
  if (strangers > 0) failures.push(`${strangers} instances are not in the ledger`);
  if (known.size !== ledger.length) failures.push('an instance is in the ledger twice');
  return {
    failures,
    counts: {
      'keys of rentals': load.rented.size + load.unknown.length,
      'instances of them': truth.length,
      'keys refused': [...load.rented.values()].filter((id) => id === null).length,
      'keys without an answer': load.unknown.length,
    },
  };
}

/** Every delivery that was stored has been sent, and each confirmed report was stored. */
export async function judgeDeliveries(
  sql: Sql,
  { confirmed, received }: { confirmed: number; received: ReadonlyMap<string, number> },
): Promise<Judged> {
  const rows = await sql<{ id: string; state: string }[]>`select id, state from delivery`;
  const unsent = rows.filter(({ state }) => state !== 'sent').length;
  const missing = rows.filter(({ id }) => !received.has(id)).length;
  const ids = new Set(rows.map(({ id }) => id));
  const foreign = [...received.keys()].filter((id) => !ids.has(id)).length;
  return {
    failures: [
      ...(unsent > 0 ? [`${unsent} deliveries were not sent`] : []),
      ...(missing > 0 ? [`${missing} deliveries never arrived`] : []),
      ...(foreign > 0 ? [`${foreign} messages arrived that are not stored`] : []),
      ...(rows.length < confirmed ? [`${confirmed - rows.length} confirmed reports were lost`] : []),
    ],
    counts: {
      'reports confirmed': confirmed,
      deliveries: rows.length,
      'messages that came again with the same id': [...received.values()].filter((times) => times > 1).length,
    },
  };
}
