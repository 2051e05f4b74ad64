import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type Sql } from '../../src/database/connection.ts';
import { type EmbeddedHandle, openEmbedded } from '../../src/database/embedded/supervisor.ts';
import { migrate } from '../../src/database/migrate.ts';
import { createSimulator } from '../../src/simulator/simulator.ts';
import type { Proof, ProofOptions } from '../proof.ts';
import { type ServiceProcess, startServiceProcess, waitUntil } from './service-process.ts';

export interface DatabaseAwayOptions extends Pick<ProofOptions, 'seed' | 'log'> {
  /** How long the server is away the second time, in seconds; the first time it restarts at once. @default 300 */
  awaySeconds?: number | undefined;
}

const everySeconds = 2;

/**
 * A service whose PostgreSQL is restarted in the middle of a crawl and then down for minutes. The service must stay the
 * same process, answer all the time, report in `/readyz` that the database is down, and continue by itself within half a
 * minute of its return, with no crawl left open and no tick run twice.
 */
export async function proveDatabaseAway(options: DatabaseAwayOptions): Promise<Proof> {
  const { awaySeconds = 300, log } = options;
  const dataDir = await mkdtemp(join(tmpdir(), 'offerbook-away-'));
  // As root the server runs as another user, who must be able to reach its cluster.
  await chmod(dataDir, 0o755);
  const server = await openEmbedded({ dataDir, log, stateDir: join(dataDir, 'state') });
  // Responses that take a second or two: the server goes away in the middle of a crawl, not between two.
  const simulator = createSimulator({ seed: options.seed, offersPerType: 60, faults: ['slow-drip=100000'] });
  const { socketDir, port, user, database } = server;
  const target = { socketDir, port, user, database };
  const sql = connect(target, { max: 2 });
  const services: ServiceProcess[] = [];
  try {
    await migrate(sql);
    const { url } = await simulator.listen();
    const service = await startServiceProcess(target, {
      ...{ MARKET_URL: url, MARKET_API_KEY: simulator.apiKey, MARKET_NAME: 'away', LOG_LEVEL: 'info' },
      ...{ CRAWL_OFFERS: `*/${everySeconds} * * * * *`, SEARCHES_PER_MINUTE: '100000' },
    });
    services.push(service);
    const address = await addressOf(service);
    const failures: string[] = [];
    const counts: Record<string, number> = {};
    await waitForRun(sql, new Date(0));
    await inTheMiddleOfACrawl(sql);
    const back = await beAway(server, address, 0, failures);
    counts['seconds until it went on after a restart'] = await goesOn(sql, back);
    const later = await beAway(server, address, awaySeconds, failures);
    counts['seconds that the database was away'] = awaySeconds;
    counts['seconds until it went on after that'] = await goesOn(sql, later);
    if (service.child.exitCode !== null) failures.push('the service ended');
    counts['seconds to end after SIGTERM'] = Math.ceil(await service.end());
    failures.push(...(await judge(sql, counts)));
    const noise = service.log.filter((line) => !line.includes('"level":30')).length;
    counts['lines of warnings and errors logged'] = noise;
    if (noise > 40) failures.push(`${noise} lines of warnings and errors were logged`);
    return { ok: failures.length === 0, failures, counts };
  } finally {
    for (const { child, gone } of services) {
      child.kill('SIGKILL');
      await gone;
    }
    await simulator.close();
    await sql.end({ timeout: 1 });
    await server.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** The address that the service prints. */
async function addressOf({ child, said }: ServiceProcess): Promise<string> {
  let address = '';
  await waitUntil('the service listens', 300, async () => {
    if (child.exitCode !== null) throw new Error('the service did not start');
    address = /listens on (\S+)/.exec(said.join('\n'))?.[1] ?? '';
    return address !== '';
  });
  return address;
}

async function inTheMiddleOfACrawl(sql: Sql): Promise<void> {
  await waitUntil('a crawl is under way', 300, async () => {
    const rows = await sql`select from crawl where outcome is null and kind = 'offers'`;
    return rows.length > 0;
  });
}

/** Stops the server as an administrator would, which ends every session, and starts it again. */
async function beAway(
  server: EmbeddedHandle,
  address: string,
  seconds: number,
  failures: string[],
): Promise<Date> {
  const pid = Number((await readFile(join(server.clusterDir, 'postmaster.pid'), 'utf8')).split('\n')[0]);
  process.kill(pid, 'SIGINT');
  await waitUntil('the server has stopped', 300, async () => !isAlive(pid));
  const returnsAt = performance.now() + seconds * 1_000;
  while (performance.now() < returnsAt) {
    const [health, readiness] = await Promise.all(
      ['healthz', 'readyz'].map((path) => statusOf(address, path)),
    );
    if (health !== 200) failures.push(`/healthz answered ${health} while the database was away`);
    if (readiness !== 503) failures.push(`/readyz answered ${readiness} while the database was away`);
    await sleep(Math.min(1_000, Math.max(0, returnsAt - performance.now())));
  }
  await server.ensureRunning();
  return new Date();
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function statusOf(address: string, path: string): Promise<number | string> {
  try {
    const answer = await fetch(`${address}/${path}`, { signal: AbortSignal.timeout(5_000) });
    await answer.body?.cancel();
    return answer.status;
  } catch (error) {
    return (error as Error).name;
  }
}

/** Seconds until a crawl after that moment has produced a book of each type. */
async function goesOn(sql: Sql, after: Date): Promise<number> {
  await waitForRun(sql, after);
  return Math.ceil((Date.now() - after.getTime()) / 1_000);
}

async function waitForRun(sql: Sql, after: Date): Promise<void> {
  await waitUntil('each type has a complete book', 300, async () => {
    const rows = await sql`
      select distinct type from crawl
      where outcome = 'complete' and kind = 'offers' and started_at > ${after}`.catch(() => []);
    return rows.length === 2;
  });
}

async function judge(sql: Sql, counts: Record<string, number>): Promise<string[]> {
  const [row] = await sql<{ complete: number; interrupted: number; open: number; twice: number }[]>`
    select count(*) filter (where outcome = 'complete') as complete,
      count(*) filter (where outcome = 'failed') as interrupted, count(*) filter (where outcome is null) as open,
      count(*) filter (where outcome = 'complete') - count(distinct (type, tick_at)) filter (where outcome = 'complete')
        as twice
    from crawl where kind = 'offers'`;
  const { complete = 0, interrupted = 0, open = 0, twice = 0 } = row ?? {};
  counts['complete runs'] = complete;
  counts['interrupted or failed runs'] = interrupted;
  return [
    ...(open > 0 ? [`${open} runs never ended`] : []),
    ...(twice > 0 ? [`${twice} ticks have two runs`] : []),
    ...(interrupted === 0 ? ['no crawl was interrupted: nothing was proved'] : []),
  ];
}
