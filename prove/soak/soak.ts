import type { Proof, ProofOptions } from '../proof.ts';
import { openProofDatabases } from '../proof-databases.ts';
import { createRandom } from '../seeded-random.ts';
import { judgeSamples, median, megabytes, type Sample } from './measure.ts';
import { runSoak, type SoakRun } from './soak-run.ts';

const promisedDays = 30;
const fullOffers = 25_000;
/** One hour in this many has a kill. */
const hoursPerKill = 6;
const maxKillMs = 15_000;
const limits = { connections: 15, walBytes: 700e6 };

/**
 * The same virtual days twice, without and with kills: figures must be equal, and memory, connections, disk and WAL flat
 * or as predicted in both. `days` is for tries; the size of the market is always the full one.
 */
export async function proveSoak({ seed, log, server, days = promisedDays }: ProofOptions): Promise<Proof> {
  const hours = Math.max(1, Math.round(days * 24));
  const startAt = new Date(Math.floor(Date.now() / 86_400_000 - promisedDays - 2) * 86_400_000);
  const databases = await openProofDatabases(server, log);
  const counts: Record<string, number> = { 'virtual hours': hours };
  const failures: string[] = [];
  const run = async (name: string, killAfterMs: (hour: number) => number | null): Promise<SoakRun> => {
    const begunAt = performance.now();
    const database = await databases.create();
    const done = await runSoak(database, {
      ...{ seed, offersPerType: fullOffers, hours, startAt, killAfterMs },
      onHour: (hour, sample) => log.info({ hour, minutes: minutesSince(begunAt), ...inUnits(sample) }, name),
    });
    await database.drop();
    report(name, done, counts, failures);
    counts[`${name}: minutes`] = minutesSince(begunAt);
    return done;
  };
  try {
    const quiet = await run('without kills', () => null);
    const random = createRandom(seed);
    const killed = await run('with kills', (hour) =>
      hour % hoursPerKill === 0 ? Math.floor(random() * maxKillMs) : null,
    );
    failures.push(...differences(quiet, killed));
    counts['hours that 30 days of both take at this pace'] = Math.ceil(
      ((counts['without kills: minutes'] ?? 0) + (counts['with kills: minutes'] ?? 0)) *
        ((promisedDays * 24) / hours / 60),
    );
    return { ok: failures.length === 0, counts, failures };
  } finally {
    await databases.close();
  }
}

const inUnits = ({
  residentBytes,
  connections,
  databaseBytes,
  walBytes,
  ...rows
}: Sample): Record<string, number> => ({
  ...{ memoryMb: megabytes(residentBytes), connections },
  ...{ databaseMb: megabytes(databaseBytes), walMb: megabytes(walBytes), ...rows },
});

const minutesSince = (from: number): number => Math.round((performance.now() - from) / 6_000) / 10;

function report(name: string, run: SoakRun, counts: Record<string, number>, failures: string[]): void {
  const { samples } = run;
  for (const [what, count] of Object.entries(run.counts)) counts[`${name}: ${what}`] = count;
  const most = (values: readonly number[]): number => Math.max(...values);
  counts[`${name}: memory, median MB`] = megabytes(median(samples.map(({ residentBytes }) => residentBytes)));
  counts[`${name}: memory at most, MB`] = megabytes(most(samples.map(({ residentBytes }) => residentBytes)));
  counts[`${name}: connections at most`] = most(samples.map(({ connections }) => connections));
  counts[`${name}: WAL at most, MB`] = megabytes(most(samples.map(({ walBytes }) => walBytes)));
  counts[`${name}: database at the end, MB`] = megabytes(samples.at(-1)?.databaseBytes ?? 0);
  counts[`${name}: observations`] = samples.at(-1)?.observations ?? 0;
  failures.push(
    ...[...run.failures, ...judgeSamples(samples, limits)].map((failure) => `${name}: ${failure}`),
  );
}

function differences(quiet: SoakRun, killed: SoakRun): string[] {
  const tables = quiet.digests.flatMap(({ table, rows, digest }) => {
    const other = killed.digests.find((each) => each.table === table);
    return other?.digest === digest
      ? []
      : [`${table} differs: ${rows} rows without kills, ${other?.rows} with`];
  });
  return quiet.spend === killed.spend ? tables : [...tables, 'the spend differs'];
}
