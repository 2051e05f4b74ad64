import type { Sql } from '../../src/database/connection.ts';

/** What the service and its database hold at one moment. */
export interface Sample {
  day: number;
  residentBytes: number;
  connections: number;
  databaseBytes: number;
  walBytes: number;
  /** Offers of all stored books. */
  observations: number;
  listings: number;
  presenceIntervals: number;
  priceIntervals: number;
  /** Points of books, hours, days and weeks. */
  points: number;
}

/** Reads a sample, except what only the process knows. */
export async function readSample(sql: Sql, day: number, residentBytes: number): Promise<Sample> {
  const [row] = await sql<Omit<Sample, 'day' | 'residentBytes'>[]>`
    select (select count(*)::int from pg_stat_activity where datname = current_database()
        and application_name like 'offerbook%' and application_name <> 'offerbook-prove' and pid <> pg_backend_pid()) as connections,
      pg_database_size(current_database())::float8 as "databaseBytes",
      (select sum(size)::float8 from pg_ls_waldir()) as "walBytes",
      (select coalesce(sum(offers), 0)::float8 from book) as observations,
      (select count(*)::int from latest_offer) as listings,
      (select count(*)::int from presence) as "presenceIntervals",
      (select count(*)::int from price_interval) as "priceIntervals",
      (select count(*)::int from book_point) + (select count(*)::int from hour_point)
        + (select count(*)::int from day_point) + (select count(*)::int from week_point) as points`;
  if (row === undefined) throw new Error('the database answered nothing');
  return { day, residentBytes, ...row };
}

export interface Limits {
  connections: number;
  walBytes: number;
}

/** Growth of memory between the second and the last quarter that is still flat. */
const maxMemoryGrowth = 1.2;
/**
 * Bytes that a row takes with its indexes. A listing has its newest offer (702), that offer's record (1,305), its
 * attributes (248) and its name (149). Books an hour apart change so much that their number alone predicts nothing.
 */
const bytesPerRow = { listings: 2_404, presenceIntervals: 112, priceIntervals: 159, points: 170 };
/** What dead rows and half-full pages may add, and what a young database gains before space is reused. */
const [maxDiskGrowth, freeBytes] = [1.5, 50e6];

const predictedBytes = (sample: Sample): number =>
  Object.entries(bytesPerRow).reduce(
    (sum, [rows, bytes]) => sum + sample[rows as keyof typeof bytesPerRow] * bytes,
    0,
  );

/** Returns what did not stay flat or as predicted, one line each. */
export function judgeSamples(samples: readonly Sample[], limits: Limits): string[] {
  const quarter = (number: number): readonly Sample[] =>
    samples.slice(Math.floor(((number - 1) * samples.length) / 4), Math.floor((number * samples.length) / 4));
  const memoryOf = (part: readonly Sample[]): number =>
    median(part.map(({ residentBytes }) => residentBytes));
  const [earlier, later] = [memoryOf(quarter(2)), memoryOf(quarter(4))];
  const most = (of: (sample: Sample) => number): number => Math.max(...samples.map(of));
  const failures: string[] = [];
  if (earlier > 0 && later > earlier * maxMemoryGrowth)
    failures.push(`memory grew from ${megabytes(earlier)} to ${megabytes(later)} MB`);
  const connections = most((sample) => sample.connections);
  if (connections > limits.connections)
    failures.push(`${connections} connections were open, at most ${limits.connections} are allowed`);
  const wal = most(({ walBytes }) => walBytes);
  if (wal > limits.walBytes) failures.push(`WAL took ${megabytes(wal)} MB`);
  const [middle, last] = [samples[Math.floor(samples.length / 2)], samples.at(-1)];
  if (middle === undefined || last === undefined) return failures;
  const grown = last.databaseBytes - middle.databaseBytes;
  const predicted = predictedBytes(last) - predictedBytes(middle);
  if (grown > predicted * maxDiskGrowth + freeBytes)
    failures.push(
      `the database grew by ${megabytes(grown)} MB in the second half, ${megabytes(predicted)} MB are predicted`,
    );
  return failures;
}

export const megabytes = (bytes: number): number => Math.round(bytes / 1e6);

export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
