import { uuidv7 } from 'uuidv7';
import { ensureMarket } from '../../src/books/markets.sql.ts';
import { MarketError, UserError } from '../../src/core/errors.ts';
import { connect, type DatabaseTarget, type Sql } from '../../src/database/connection.ts';
import { createAccount } from '../../src/market/vast/account.ts';
import { createMarketClient, type MarketClient } from '../../src/market/vast/client.ts';
import { defaultDialect, withoutIntervals } from '../../src/market/vast/dialect.ts';
import { createPriceCache } from '../../src/prices/newest/newest-offers-cache.ts';
import { createOutlierTests } from '../../src/prices/verdicts/segment-medians.ts';
import type { Actor } from '../../src/rentals/actor.ts';
import { verifyAudit } from '../../src/rentals/audit.sql.ts';
import { pollInstances } from '../../src/rentals/instances/poll-instances.ts';
import { reconcileAccount } from '../../src/rentals/instances/reconcile-account.ts';
import { limitsOf } from '../../src/rentals/limits.ts';
import { rent } from '../../src/rentals/rent/rent.ts';
import type { RentRequest } from '../../src/rentals/rent/rent-request.ts';
import { findRentalByKey, listRentals } from '../../src/rentals/rent/rentals.sql.ts';
import { createSimulator, type Simulator } from '../../src/simulator/simulator.ts';
import { findBlockingBudget } from '../../src/spend/budgets/budget-states.ts';
import { findWatchChoice } from '../../src/watches/watch-books.ts';
import type { Proof } from '../proof.ts';
import { createRandom } from '../seeded-random.ts';
import { rentSteps, runRentChild } from './rent-task.ts';

/** Options of the proof of rents. */
export interface RentsProof {
  seed: number;
  server: DatabaseTarget;
  rents: number;
  /** How many of the rents are made by processes that are killed. */
  kills: number;
  /** Repeats every create with an unclear response, to show that the proof detects duplicates. */
  isControl?: boolean | undefined;
  onRent?: (done: number) => void;
}

/** A requester of one instance: after a clear refusal it tries again, with another key if the first was used. */
interface Asker {
  name: string;
  key: string;
  request: RentRequest;
  tries: number;
}

const begin = new Date('2026-03-02T00:00:00Z');
const settleMinutes = 1;
const faults = [
  'reset-before@PUT /api/v0/asks:0.08',
  'lost-create:0.1',
  'reset-after@PUT /api/v0/asks:0.05',
  '500@PUT /api/v0/asks:0.04',
  '500-after@PUT /api/v0/asks:0.04',
  '429-json@PUT /api/v0/asks:0.03',
  '502-html@GET /api/v0/instances:0.1',
  'success-false@PUT /api/v0/asks:0.02',
];
/** Faults of a round of rents, besides those of every round. */
const weathers = [
  ['labels-ignored'],
  ['502-html@GET /api/v0/instances:0.6'],
  ['labels-ignored', 'lagging-instances=30'],
  [],
  ['lagging-instances=30'],
  ['labels-ignored', '500@GET /api/v0/instances:0.4'],
];
/** Distributes a few rents over the rounds. */
const sizeOfRounds = (rents: number): number => Math.max(2, Math.min(25, Math.ceil(rents / weathers.length)));
const runningShare = 0.95;

/**
 * Rents with faults in every step, each requested twice at once over two connections, some by processes that are killed,
 * while others rent on the same machines. The result is compared with the simulator's own list.
 */
export async function proveRents(options: RentsProof): Promise<Proof> {
  const { seed, rents } = options;
  const random = createRandom(seed);
  const sqls = [connect(options.server, { max: 6 }), connect(options.server, { max: 6 })] as const;
  const counts: Record<string, number> = {
    ...{ rents: 0, 'instances made for them': 0, 'unclear answers': 0, 'processes killed': 0 },
    ...{ 'of them before anything was kept': 0, 'of them with a create that had made nothing': 0 },
    ...{ 'of them with an instance that nobody knew of': 0 },
    ...{ 'asked again after a no': 0, 'requests that run': 0, weathers: 0 },
    ...{ 'rents of others': 0, 'keys with two instances': 0, 'unsettled with two candidates': 0 },
  };
  const add = (name: string, count = 1): void => {
    counts[name] = (counts[name] ?? 0) + count;
  };
  const failures: string[] = [];
  const pace = { asked: 0, rentMs: 700 };
  try {
    for (let round = 0; (counts.rents ?? 0) < rents; round += 1) {
      const market = await openRound(sqls, `rents-${process.pid}-${seed}-${round}`, seed + round);
      try {
        const weather = weathers[round % weathers.length] ?? [];
        const size = Math.min(sizeOfRounds(rents), rents - (counts.rents ?? 0));
        const kills = Math.ceil((options.kills * size) / rents);
        const play = { weather, size, kills, random, add, options, pace };
        await playRound(market, play);
        await calmDown(market, play);
        await judgeRound(market, { round, size, add, failures });
        if (round < weathers.length) add('weathers');
        add('rents', size);
      } finally {
        await market.close();
      }
      options.onRent?.(counts.rents ?? 0);
    }
    const audit = await verifyAudit(sqls[0]);
    if (audit.problem !== null) failures.push(`the audit log: ${audit.problem.what}`);
    if (audit.entries === 0) failures.push('the audit log is empty');
  } finally {
    await Promise.all(sqls.map((sql) => sql.end({ timeout: 5 })));
  }
  return { ok: failures.length === 0, counts, failures };
}

interface Round {
  actors: readonly [Actor, Actor];
  simulator: Simulator;
  client: MarketClient;
  url: string;
  clock: { now: Date };
  /** Requested keys, including those of killed processes. */
  keys: Set<string>;
  askers: Asker[];
  poll: () => Promise<void>;
  close: () => Promise<void>;
}

async function openRound(sqls: readonly [Sql, Sql], name: string, seed: number): Promise<Round> {
  const clock = { now: begin };
  const simulator = createSimulator({
    ...{ seed, offersPerType: 150, startAt: begin, now: () => clock.now, openingCreditUsd: 1_000_000 },
    ...{ failures: { exited: 0, unknown: 0, offline: 0 }, bootSeconds: [20, 40] },
  });
  const { url } = await simulator.listen();
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const dialect = withoutIntervals(defaultDialect);
  const client = createMarketClient({
    ...{ baseUrl: url, apiKey: simulator.apiKey, dialect, maxBodyBytes: 64_000_000, log },
    sleep: async () => {},
  });
  const market = await ensureMarket(sqls[0], name, 'live');
  const actorOf = (sql: Sql): Actor => ({
    ...{ sql, account: createAccount(client, dialect), market, log, newId: uuidv7, now: () => clock.now },
    priceCache: { ...createPriceCache(), outlierTests: createOutlierTests(sql) },
    ...{ findWatchChoice, findBlockingBudget },
    limits: {
      ...limitsOf({}),
      actions: true,
      settleMinutes,
    },
  });
  const actors = [actorOf(sqls[0]), actorOf(sqls[1])] as const;
  const poll = async (): Promise<void> => {
    clock.now = new Date(clock.now.getTime() + 10_000);
    await pollInstances(
      { sql: sqls[0], account: client, marketId: market.id, log, now: () => clock.now },
      { crawlId: uuidv7(), cause: 'cron' },
    );
    await Promise.all(actors.map((actor) => reconcileAccount(actor)));
  };
  const close = async (): Promise<void> => {
    await client.close();
    await simulator.close();
  };
  return { actors, simulator, client, url, clock, keys: new Set(), askers: [], poll, close };
}

interface Play {
  weather: readonly string[];
  size: number;
  kills: number;
  random: () => number;
  add: (name: string, count?: number) => void;
  options: RentsProof;
  /** How many processes were started in order to be killed, and how long an undisturbed one takes: kills fall into that time. */
  pace: { asked: number; rentMs: number };
}

async function playRound(round: Round, play: Play): Promise<void> {
  const { simulator, clock } = round;
  const { weather, size, kills, random, add } = play;
  for (let index = 0; index < size; index += 1) {
    simulator.setFaults([...faults, ...weather]);
    const request = pickRequest(simulator, random);
    if (request === null) continue;
    const requester = { name: `request-${index}`, key: `request-${index}`, request, tries: 1 };
    round.askers.push(requester);
    if (index < kills) await askAndDie(round, requester, play);
    await ask(round, requester, play);
    if (random() < 0.3) await rentElsewhere(round, request, add);
    clock.now = new Date(clock.now.getTime() + 1_000);
    if (index % 5 === Math.min(4, size - 1)) {
      simulator.setFaults([...faults, ...weather]);
      await round.poll();
      await askAgain(round, play);
    }
  }
}

/** The same request twice at once, on two processes' connections. */
async function ask(round: Round, { key, request }: Asker, { add, random, options }: Play): Promise<void> {
  round.keys.add(key);
  const asked = await Promise.allSettled(
    round.actors.map((actor) => rent(actor, request, { key, by: 'prover' })),
  );
  for (const one of asked) {
    if (one.status === 'fulfilled' && one.value.rental.instanceId === null) add('unclear answers');
    if (one.status === 'rejected') expected(one.reason);
  }
  if (options.isControl === true) await sendAgain(round, asked, random);
}

/** The same by a process that gets SIGKILL meanwhile: at one of its steps, or at a random moment. */
async function askAndDie(
  round: Round,
  { key, request }: Asker,
  { random, add, options, pace }: Play,
): Promise<void> {
  const { actors, simulator, clock, url } = round;
  round.keys.add(key);
  const task = {
    ...{ target: options.server, url, apiKey: simulator.apiKey, market: actors[0].market.name },
    ...{ key, request, settleMinutes, now: clock.now.toISOString() },
    standsAt: rentSteps[pace.asked++ % (rentSteps.length + 1)] ?? null,
  };
  const before = simulator.instances().length;
  const kept = async () => await findRentalByKey(actors[0].sql, actors[0].market.id, key);
  // A process that a fault ended before anything was stored is started again.
  let tookMs = await runRentChild(task, pace.rentMs * random());
  for (let more = 4; more > 0 && tookMs !== null && (await kept()) === null; more -= 1) {
    tookMs = await runRentChild(task, pace.rentMs * random());
  }
  if (tookMs !== null) {
    pace.rentMs = tookMs;
    return;
  }
  add('processes killed');
  const rental = await kept();
  const isMade = simulator.instances().length > before;
  if (rental === null) add('of them before anything was kept');
  else if (!isMade) add('of them with a create that had made nothing');
  else if (rental.instanceId === null) add('of them with an instance that nobody knew of');
}

/** A requester that knows it has nothing tries again with another offer, because this one may be gone. */
async function askAgain(round: Round, play: Play): Promise<void> {
  const [{ sql, market }] = round.actors;
  for (const requester of round.askers) {
    const rental = await findRentalByKey(sql, market.id, requester.key);
    if (rental !== null && rental.state !== 'failed') continue;
    const request = pickRequest(round.simulator, play.random);
    if (request === null) continue;
    play.add('asked again after a no');
    // A stored key belongs to its request forever.
    requester.tries += 1;
    if (rental !== null) requester.key = `${requester.name}, try ${requester.tries}`;
    requester.request = request;
    await ask(round, requester, play);
  }
}

const maxSettleS = 120;

/** The faults end, and two virtual minutes pass. */
async function calmDown(round: Round, play: Play): Promise<void> {
  round.simulator.setFaults([]);
  for (let passed = 0; passed < maxSettleS; passed += 10) {
    await round.poll();
    await askAgain(round, play);
  }
}

/** A client without the rules: it repeats unclear requests with the next offer. */
async function sendAgain(
  { client, simulator }: Round,
  asked: PromiseSettledResult<{ rental: { id: string; instanceId: number | null } }>[],
  random: () => number,
): Promise<void> {
  for (const one of asked) {
    if (one.status !== 'fulfilled' || one.value.rental.instanceId !== null) continue;
    const label = `#${one.value.rental.id}`;
    const request = pickRequest(simulator, random);
    if (request === null) continue;
    const body = { image: 'ubuntu:24.04', diskGb: request.diskGb, label };
    await client.createInstance(request.offerId ?? 0, body).catch(() => {});
  }
}

/** Faults lead to refusals of guards and market; anything else is a bug. */
function expected(reason: unknown): void {
  if (reason instanceof UserError || reason instanceof MarketError) return;
  throw reason;
}

function pickRequest(simulator: Simulator, random: () => number): RentRequest | null {
  const rows = simulator
    .offersAt(undefined, { storageGb: 20 })
    .filter((row) => row.rentable === true && row.vms_enabled !== true && Number(row.disk_space) >= 60);
  const row = rows[Math.floor(random() * rows.length)];
  return row === undefined ? null : { offerId: Number(row.id), image: 'ubuntu:24.04', diskGb: 20 };
}

/** Somebody else rents another chunk of the same machine, if there is one, with another disk size. */
async function rentElsewhere(
  { simulator, client }: Round,
  request: RentRequest,
  add: Play['add'],
): Promise<void> {
  simulator.setFaults([]);
  const rows = simulator.offersAt(undefined, { storageGb: 20 });
  const own = rows.find(({ id }) => id === request.offerId);
  const other = rows.find(
    (row) => row.machine_id === own?.machine_id && row.id !== own?.id && row.rentable === true,
  );
  if (other === undefined) return;
  const made = await client
    .createInstance(Number(other.id), { image: 'theirs', diskGb: 40 })
    .catch(() => null);
  if (made !== null) add('rents of others');
}

interface Verdict {
  round: number;
  size: number;
  add: Play['add'];
  failures: string[];
}

/** The ledger equals the market's own list, and nearly all requests run. */
async function judgeRound(round: Round, { round: number, size, add, failures }: Verdict): Promise<void> {
  const { simulator, actors, keys, askers } = round;
  const [actor] = actors;
  const rentals = await listRentals(actor.sql, {
    marketId: actor.market.id,
    before: null,
    limit: 1_000,
    open: false,
  });
  const fail = (what: string): void => void failures.push(`round ${number}: ${what}`);
  const truth = simulator.instances().filter(({ image }) => image === 'ubuntu:24.04');
  const claimed = new Map(
    rentals.filter((one) => one.instanceId !== null).map((one) => [one.instanceId, one]),
  );
  const open = rentals.filter(({ state }) => ['creating', 'settling', 'unsettled'].includes(state));
  for (const { state, reason, machineId } of open) {
    const candidates = truth.filter((one) => one.machineId === machineId && !claimed.has(one.id)).length;
    if (state === 'unsettled' && candidates >= 2) add('unsettled with two candidates');
    else fail(`a rental is ${state} still (${reason})`);
  }
  for (const { id } of truth) if (!claimed.has(id)) fail(`instance ${id} is in no rental`);
  for (const id of claimed.keys())
    if (!truth.some((one) => one.id === id)) fail(`rental of ${id}, which is not ours`);
  const doubles = truth.length - claimed.size;
  if (doubles > 0) add('keys with two instances', doubles);
  if (new Set(rentals.map(({ idempotencyKey }) => idempotencyKey)).size !== rentals.length)
    fail('a key has two rentals');
  if (rentals.some(({ idempotencyKey }) => !keys.has(idempotencyKey))) fail('a rental that nobody asked for');
  add('instances made for them', truth.length);
  const runs = new Set(truth.filter(({ phase }) => phase === 'running').map(({ id }) => id));
  const running = rentals.filter(
    ({ state, instanceId }) =>
      (state === 'running' || state === 'ready') && instanceId !== null && runs.has(instanceId),
  );
  const thatRan = askers.filter(({ key }) =>
    running.some(({ idempotencyKey }) => idempotencyKey === key),
  ).length;
  add('requests that run', thatRan);
  if (thatRan < runningShare * size) fail(`${thatRan} of ${size} requests run`);
}
