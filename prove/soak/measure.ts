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
}

/** Reads a sample, except what only the process knows. */
export async function readSample(sql: Sql, day: number, residentBytes: number): Promise<Sample> {
  const [row] = await sql<Omit<Sample, 'day' | 'residentBytes'>[]>`
    select (select count(*)::int from pg_stat_activity where datname = current_database()
        and application_name like 'offerbook%' and application_name <> 'offerbook-prove' and pid <> pg_backend_pid()) as connections,
      pg_database_size(current_database())::float8 as "databaseBytes",
      (select sum(size)::float8 from pg_ls_waldir()) as "walBytes",
      (select coalesce(sum(offers), 0)::float8 from book) as observations`;
  if (row === undefined) throw new Error('the database answered nothing');
  return { day, residentBytes, ...row };
}

export interface Limits {
  connections: number;
  walBytes: number;
}

/** Growth of memory between the second and the last quarter that is still flat. */
const maxMemoryGrowth = 1.2;
/** Bytes an observation that the history takes at most, once the first book is stored; bench measures 0.94. */
const maxBytesPerObservation = 2;

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
  if (middle === undefined || last === undefined || last.observations === middle.observations)
    return failures;
  const perObservation =
    (last.databaseBytes - middle.databaseBytes) / (last.observations - middle.observations);
  if (perObservation > maxBytesPerObservation)
    failures.push(
      `the database grew by ${perObservation.toFixed(2)} bytes an observation in the second half`,
    );
  return failures;
}

export const megabytes = (bytes: number): number => Math.round(bytes / 1e6);

export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
