import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { connect, type Sql } from '../../src/database/connection.ts';
import { createSimulator, type Simulator } from '../../src/simulator/simulator.ts';
import type { Proof, ProofOptions } from '../proof.ts';
import { createRandom } from '../seeded-random.ts';
import { type Balancer, createBalancer } from './balancer.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { createMember, type Member } from './installation.ts';
import { judgeDeliveries, judgeRentals, judgeTicks, type Outage } from './judge.ts';
import { eventually, type Killable } from './killable.ts';
import { type Load, startLoad } from './load.ts';
import { findPrograms } from './programs.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { type ReplicaWatch, watchReplica } from './replica-watch.ts';

export interface ScaledOptions extends Pick<ProofOptions, 'seed' | 'log'> {
  /** How often one of each is killed. @default 1 */
  rounds?: number | undefined;
}

const steadySeconds = 60;
const downSeconds = 8;
const settleSeconds = 40;
const readers = 8;
const everySeconds = 10;
const shares = [0.5, 0.95, 0.99];

/**
 * Two API processes and three workers behind PgBouncer, with a streaming replica, under load: one of each is killed and
 * started again, then the primary. Before that, one process on the primary alone has the same reads, for comparison.
 */
export async function proveScaled({ seed, log, rounds = 1 }: ScaledOptions): Promise<Proof> {
  const folder = await mkdtemp(join(tmpdir(), 'offerbook-scaled-'));
  await chmod(folder, 0o755);
  const closing: (() => unknown)[] = [];
  try {
    const programs = await findPrograms(folder);
    const cluster = await startCluster(folder, programs);
    closing.push(async () => {
      for (const part of [cluster.pgbouncer, cluster.replica, cluster.primary]) await part.kill();
    });
    const simulator = createSimulator({ seed, openingCreditUsd: 1_000_000 });
    const { url } = await simulator.listen();
    closing.push(() => simulator.close());
    const receiver = await startReceiver();
    closing.push(receiver.close);
    return await proveOn({ seed, log, rounds, cluster, simulator, receiver, marketUrl: url, closing });
  } finally {
    for (const close of closing.reverse()) await close();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Ground extends ScaledOptions {
  rounds: number;
  cluster: Cluster;
  simulator: Simulator;
  receiver: Receiver;
  marketUrl: string;
  closing: (() => unknown)[];
}

async function proveOn(ground: Ground): Promise<Proof> {
  const { cluster, simulator, receiver, log, closing } = ground;
  const failures: string[] = [];
  const counts: Record<string, number> = {};
  const member = (name: string, role: 'all' | 'api' | 'worker'): Member => {
    const isAlone = role === 'all';
    const made = createMember(name, isAlone ? cluster.urls.primary : cluster.urls.pgbouncer, {
      ...settingsOf(ground, role),
      ...(isAlone ? {} : { DATABASE_REPLICA_URL: cluster.urls.replica }),
    });
    closing.push(made.end);
    return made;
  };
  const one = member('one process', 'all');
  await one.start();
  const askOne = createBalancer([one.backend]);
  await firstBooks(askOne);
  await measure('one process', ground, askOne, counts, failures);
  await one.end();

  const members = [
    ...[1, 2].map((number) => member(`API ${number}`, 'api')),
    ...[1, 2, 3].map((number) => member(`worker ${number}`, 'worker')),
  ];
  for (const each of members) await each.start();
  const backends = members.slice(0, 2).map(({ backend }) => backend);
  const ask = createBalancer(backends);
  await measure('scaled', ground, ask, counts, failures);
  const watch = watchReplica(backends);
  closing.push(watch.stop);
  const sql = connect({ url: cluster.urls.primary }, { max: 2 });
  closing.push(() => sql.end({ timeout: 1 }));
  const replica = connect({ url: cluster.urls.replica }, { max: 1 });
  closing.push(() => replica.end({ timeout: 1 }));
  const outages: Outage[] = [];
  const away: { from: number; to: number }[] = [];
  const load = await startLoad({
    ask,
    readers,
    random: createRandom(ground.seed),
    watchId: await makeWatch(ask, receiver.url),
    isAway: (at) => away.some(({ from, to }) => at >= from && at <= to),
    prefix: 'scaled',
  });
  const from = new Date();
  const before = await committed(replica);
  await delay(settleSeconds * 1_000);
  const onReplica = (await committed(replica)) - before;
  counts['transactions of the replica before the kills'] = onReplica;
  if (onReplica < 100) failures.push(`the replica had ${onReplica} transactions: reads do not go there`);
  const [api, worker] = [members[0], members[2]] as [Member, Member];
  const parts: Killable[] = [api, worker, cluster.pgbouncer, cluster.replica, cluster.primary];
  for (let round = 0; round < ground.rounds; round += 1) {
    for (const part of parts) {
      await killAndWatch(part, { cluster, load, watch, outages, away, counts, failures, log });
      const ended = members.filter((each) => each.hasEnded()).map(({ name }) => name);
      if (ended.length > 0)
        throw new Error(`${ended.join(', ')} ended by itself when ${part.name} was killed`);
    }
  }
  await delay(settleSeconds * 1_000);
  await load.stop();
  const to = new Date(Date.now() - 30_000);
  await eventually('every rental and delivery has ended', 180, async () => await isSettled(sql));
  reportLoad(load, counts, failures);
  const { scrapes, maxSeconds } = watch.lags();
  counts['scrapes with the lag of the replica'] = scrapes;
  counts['largest lag, s'] = maxSeconds;
  if (scrapes === 0) failures.push('no scrape had the lag of the replica');
  const truth = simulator.instances().filter(({ label }) => label?.startsWith('scaled-') === true);
  for (const judged of [
    await judgeTicks(sql, { from, to, everySeconds, outages }),
    await judgeRentals(sql, load, truth),
    await judgeDeliveries(sql, { confirmed: load.reports(), received: receiver.received }),
  ]) {
    failures.push(...judged.failures);
    Object.assign(counts, judged.counts);
  }
  return { ok: failures.length === 0, counts, failures };
}

const settingsOf = ({ marketUrl, simulator }: Ground, role: string): Record<string, string> => ({
  ...{ ROLE: role, MARKET_URL: marketUrl, MARKET_API_KEY: simulator.apiKey, MARKET_NAME: 'scaled' },
  ...{ SECRETS_KEY: 'a-key-of-the-proofs', WEBHOOK_ALLOW_PRIVATE: 'on', SEARCHES_PER_MINUTE: '100000' },
  ...{ CRAWL_OFFERS: `*/${everySeconds} * * * * *`, CRAWL_INSTANCES: '*/10 * * * * *' },
  ...{ ACTIONS: 'on', MAX_USD_PER_HOUR: '10000', MAX_TOTAL_USD_PER_HOUR: '1000000', MAX_INSTANCES: '10000' },
});

async function firstBooks(ask: Balancer): Promise<void> {
  await eventually('the first books', 120, async () => {
    const { ending } = await ask('/api/status');
    if (ending.kind !== 'answered' || ending.status !== 200) return false;
    return (JSON.parse(ending.text) as { newestBooks: unknown[] }).newestBooks.length >= 2;
  });
}

/** Reads for a minute and notes throughput and latency. */
async function measure(
  name: string,
  { seed, log }: Ground,
  ask: Balancer,
  counts: Record<string, number>,
  failures: string[],
): Promise<void> {
  const options = { ask, readers, random: createRandom(seed), watchId: null, isAway: () => false };
  const load = await startLoad({ ...options, prefix: name });
  const from = performance.now();
  await delay(steadySeconds * 1_000);
  const perSecond = load.reads.perSecond(from, performance.now());
  await load.stop();
  const [p50 = 0, p95 = 0, p99 = 0] = load.reads.percentiles(shares);
  log.info({ perSecond, p50, p95, p99 }, name);
  counts[`${name}: reads per second`] = perSecond;
  counts[`${name}: p50, ms`] = p50;
  counts[`${name}: p95, ms`] = p95;
  counts[`${name}: p99, ms`] = p99;
  const { count, first } = load.reads.errors();
  if (count > 0) failures.push(`${name}: ${count} requests failed: ${first.join('; ')}`);
}

async function makeWatch(ask: Balancer, hook: string): Promise<string> {
  const make = async (path: string, body: object): Promise<string> => {
    const { ending } = await ask(path, { method: 'POST', body: JSON.stringify(body) });
    if (ending.kind !== 'answered' || ending.status !== 201)
      throw new Error(`${path}: ${JSON.stringify(ending)}`);
    return (JSON.parse(ending.text) as { id: string }).id;
  };
  const channel = await make('/api/channels', { kind: 'webhook', name: 'proof', config: { url: hook } });
  return await make('/api/watches', { name: 'proof', channelIds: [channel] });
}

interface Scene {
  cluster: Cluster;
  load: Load;
  watch: ReplicaWatch;
  outages: Outage[];
  away: { from: number; to: number }[];
  counts: Record<string, number>;
  failures: string[];
  log: ProofOptions['log'];
}

/** Kills one part, starts it again after some seconds, and waits until all is as before. */
async function killAndWatch(part: Killable, scene: Scene): Promise<void> {
  const { cluster, load, watch, outages, away, counts, failures, log } = scene;
  const isDatabase = part === cluster.pgbouncer || part === cluster.primary;
  const gone = { from: performance.now(), to: Number.POSITIVE_INFINITY };
  const from = new Date();
  if (isDatabase) away.push(gone);
  const before = { fallbacks: watch.newest().fallbackReads, lost: load.reads.lost() + load.changes.lost() };
  log.info({}, `${part.name} is killed`);
  await part.kill();
  await delay(downSeconds * 1_000);
  const whileDown = watch.newest();
  await part.start();
  const backAt = performance.now();
  await eventually(`answers after ${part.name} is back`, 60, async () => {
    const answered = load.reads.answered();
    await delay(500);
    return load.reads.answered() > answered;
  });
  counts[`${part.name}: ms until reads were answered after its return`] = Math.round(
    performance.now() - backAt,
  );
  if (isDatabase) {
    await delay(15_000);
    gone.to = performance.now();
    outages.push({ from, to: new Date() });
  }
  await delay(settleSeconds * 1_000);
  counts[`${part.name}: requests in flight to it`] = load.reads.lost() + load.changes.lost() - before.lost;
  if (part !== cluster.replica) return;
  counts['reads that fell back to the primary'] = whileDown.fallbackReads - before.fallbacks;
  if (whileDown.isUp !== false || whileDown.fallbackReads <= before.fallbacks)
    failures.push('the metrics did not show that reads had fallen back to the primary');
  if (watch.newest().isUp !== true) failures.push('reads did not go back to the replica');
}

function reportLoad(load: Load, counts: Record<string, number>, failures: string[]): void {
  for (const [name, tally] of Object.entries({ reads: load.reads, changes: load.changes })) {
    const { count, first } = tally.errors();
    counts[`${name} answered`] = tally.answered();
    counts[`${name} in flight to a killed process`] = tally.lost();
    counts[`${name} refused with 503 and Retry-After while the database was away`] = tally.unavailable();
    counts[`${name} that failed otherwise`] = count;
    if (count > 0) failures.push(`${count} ${name} failed: ${first.join('; ')}`);
  }
}

async function committed(sql: Sql): Promise<number> {
  const [row] = await sql<{ commits: number }[]>`
    select xact_commit::int as commits from pg_stat_database where datname = current_database()`;
  return row?.commits ?? 0;
}

async function isSettled(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ open: number }[]>`
    select (select count(*) from delivery where state = 'queued')
      + (select count(*) from crawl where outcome is null and started_at < now() - interval '1 minute') as open`;
  return row?.open === 0;
}
