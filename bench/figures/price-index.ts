import { defaultProfile } from '../../src/core/metric.ts';
import { utcDayNumber } from '../../src/core/utc-day.ts';
import type { ReservedSql, Sql } from '../../src/database/connection.ts';
import {
  type ModelDays,
  refreshWindows,
  type SpansOfBooks,
  storeDays,
} from '../../src/prices/index/refresh-index.ts';
import { readBookMoments } from '../../src/prices/spans/book-moments.sql.ts';
import { readSpans } from '../../src/prices/spans/read-spans.sql.ts';
import type { Bench, Measurement } from '../figure.ts';
import { type MadeHistory, makeHistory, retentionOf } from '../history/make-history.ts';
import { landNextBook } from '../history/next-book.ts';
import { quantile } from '../open-api.ts';

const fullListings = 25_000;
/** Days of a complete window of the index, and the day of the landing book. */
const days = 29;
const rounds = 5;
const bookMs = 600_000;
const dayMs = 86_400_000;

/**
 * What the index adds to landing a book of 25,000 offers, compared with the whole landing: packing the day, and
 * recomputing the windows of every model as if each had changed. Medians of the rounds.
 */
export async function measurePriceIndex(bench: Bench): Promise<Measurement[]> {
  const listings = bench.sized(fullListings);
  return await bench.withDatabase(async (sql) => {
    const history = await makeHistory(sql, { listings, days, retention: retentionOf(bench) }, bench.note);
    const landings: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      landings.push(await landNextBook(sql, history, new Date(history.to.getTime() + round * bookMs)));
    }
    const read = await readToday(sql, history);
    const indexes: number[] = [];
    let models = 0;
    for (let round = 0; round < rounds; round += 1) {
      const made = await makeToday(sql, history, read);
      indexes.push(made.ms);
      models = made.models;
    }
    const [kept] = await sql<{ entries: number; bytes: number }[]>`
      select count(*) filter (where gpu_model_id = 0) as entries, sum(length(observations)) as bytes
      from index_observation`;
    return [
      {
        ...{
          name: 'index-landing',
          value: quantile(indexes, 0.5),
          yardstick: quantile(landings, 0.5),
          unit: 'ms',
        },
        sizes: [
          { what: 'listings', count: history.counts.listings, atLeast: listings },
          { what: 'models made anew', count: models, atLeast: 50 },
          { what: 'days observed', count: kept?.entries ?? 0, atLeast: days },
        ],
        details: [`observations: ${((kept?.bytes ?? 0) / 1e6).toFixed(1)} MB`],
      },
    ];
  });
}

const seriesOf = ({ marketId, scopeId }: MadeHistory) => ({ marketId, scopeId, type: 'on-demand' as const });

/** What a landing has already read when it computes the index. */
async function readToday(sql: Sql, history: MadeHistory): Promise<SpansOfBooks> {
  const series = seriesOf(history);
  const from = new Date(utcDayNumber(history.to) * dayMs);
  const books = await readBookMoments(sql, { ...series, from, to: new Date(from.getTime() + dayMs) });
  const request = { ...series, gpuModelIds: null, metric: 'usdPerGpuHour', withListings: true } as const;
  return { books, spans: await readSpans(sql, { ...request, profile: defaultProfile }, books) };
}

/** Computes the index of the newest day from scratch and rolls back. */
async function makeToday(
  sql: Sql,
  history: MadeHistory,
  read: SpansOfBooks,
): Promise<{ ms: number; models: number }> {
  const db: ReservedSql = await sql.reserve();
  const day = utcDayNumber(history.to);
  const changed: ModelDays = new Map();
  try {
    await db`begin`;
    await db`delete from index_observation where day = '1970-01-01'::date + ${day}::int`;
    const startedAt = performance.now();
    await storeDays(db, seriesOf(history), read, [day], changed);
    await refreshWindows(db, seriesOf(history), changed);
    return { ms: performance.now() - startedAt, models: changed.size };
  } finally {
    await db`rollback`;
    db.release();
  }
}
