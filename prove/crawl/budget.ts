import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ensureMarket } from '../../src/books/markets.sql.ts';
import type { RequestLimit } from '../../src/core/request-budget.ts';
import { createSimulator } from '../../src/simulator/simulator.ts';
import type { HammerTask } from '../budget-child.ts';
import type { Proof, ProofOptions } from '../proof.ts';
import { openProofDatabases } from '../proof-databases.ts';
import { createRandom } from '../seeded-random.ts';

interface BudgetProofOptions extends Omit<ProofOptions, 'bookFiles'> {
  /** How long the processes send requests. @default 300 */
  seconds?: number | undefined;
  /** The window of the search budget. @default 60000 */
  windowMs?: number | undefined;
  /** Minimum time between two instance lists. @default 3000, the longest in use */
  listWindowMs?: number | undefined;
  /** How late a busy machine may record a request whose sender is suspended or killed. @default 0 */
  lagMs?: number | undefined;
}

const script = fileURLToPath(new URL('../budget-child.ts', import.meta.url));
const minShare = 0.9;

/**
 * Three processes send one simulator as many searches and instance lists as they are allowed to. One is killed, one is
 * suspended for a while and resumed. According to the simulator's list of requests, no window contains more than the
 * budget, and while the processes send requests, at least 90% of it is used.
 */
export async function proveBudget(options: BudgetProofOptions): Promise<Proof> {
  const { seconds = 300, windowMs = 60_000, listWindowMs = 3_000, lagMs = 0, log } = options;
  const random = createRandom(options.seed);
  const search = { count: 20 + Math.floor(random() * 60), windowMs };
  const list = { count: 1, windowMs: listWindowMs };
  const databases = await openProofDatabases(options.server, log);
  const simulator = createSimulator({ seed: options.seed, offersPerType: 50 });
  try {
    const { url } = await simulator.listen();
    const database = await databases.create();
    const { id: marketId } = await ensureMarket(database.sql, 'hammered', 'live');
    const limits = { searchOffers: [search], listInstances: [list] };
    const task: HammerTask = {
      ...{ target: database.target, marketId, url, apiKey: simulator.apiKey, limits },
      searchers: 3,
    };
    const disturbance = await disturb(task, seconds * 1_000, random);
    await database.drop();
    const served = simulator.requests();
    const momentsOf = (path: string): number[] =>
      served.flatMap((request) => (request.path.startsWith(path) ? [request.at.getTime()] : []));
    const span = { endedAt: disturbance.endedAt, lagMs };
    const searches = judge('searches', momentsOf('/api/v0/bundles'), search, span);
    const lists = judge('instance lists', momentsOf('/api/v0/instances'), list, span);
    const refused = served.filter(({ status }) => status !== 200).length;
    const failures = [...searches.failures, ...lists.failures, ...disturbance.failures];
    if (refused > 0) failures.push(`${refused} requests were not answered with 200`);
    return {
      ok: failures.length === 0,
      failures,
      counts: { ...disturbance.counts, ...searches.counts, ...lists.counts },
    };
  } finally {
    await simulator.close();
    await databases.close();
  }
}

/** Runs the three processes for `ms`: the first is killed in the second third, the second suspended meanwhile. */
async function disturb(task: HammerTask, ms: number, random: () => number) {
  const children = [1, 2, 3].map(() => {
    const child = spawn(process.execPath, [script, JSON.stringify(task)], {
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    const gone = once(child, 'close');
    const said: string[] = [];
    child.stderr.setEncoding('utf8').on('data', (text: string) => said.push(text.trim()));
    return { child, gone, said };
  });
  const [first, second] = children;
  if (first === undefined || second === undefined) throw new Error('no processes');
  const begunAt = performance.now();
  const until = (share: number): Promise<void> => sleep(begunAt + share * ms - performance.now());
  const stopShare = 0.2 + 0.1 * random();
  await until(stopShare);
  second.child.kill('SIGSTOP');
  await until(0.35 + 0.2 * random());
  first.child.kill('SIGKILL');
  await first.gone;
  await until(0.6 + 0.1 * random());
  second.child.kill('SIGCONT');
  await until(1);
  const endedAt = Date.now();
  for (const { child, gone } of children.slice(1)) {
    child.stdin.end();
    await gone;
  }
  return {
    endedAt,
    failures: children.flatMap(({ said }) => said),
    counts: {
      processes: children.length,
      'killed, as the system says': children.filter(({ child }) => child.signalCode === 'SIGKILL').length,
    },
  };
}

/** Checks the limit on the moments of requests until `endedAt`. */
function judge(
  name: string,
  moments: readonly number[],
  { count, windowMs }: RequestLimit,
  { endedAt, lagMs }: { endedAt: number; lagMs: number },
) {
  const sorted = moments.filter((at) => at <= endedAt).toSorted((a, b) => a - b);
  const most = Math.max(
    0,
    ...sorted.map((end) => sorted.filter((at) => at > end - windowMs + lagMs && at <= end).length),
  );
  const begunAt = sorted[0] ?? endedAt;
  // If the budget is used up in a burst, a window of its length may fit between two bursts.
  const longerMs = windowMs / minShare;
  const starts = [begunAt, ...sorted.map((at) => at + 1)].filter((at) => at + longerMs <= endedAt);
  const least = Math.min(
    count,
    ...starts.map((start) => sorted.filter((at) => at >= start && at < start + longerMs).length),
  );
  const whole = (count * (endedAt - begunAt)) / windowMs;
  const share = sorted.length / whole;
  const failures = [
    ...(most > count ? [`${most} ${name} in a window of ${windowMs} ms: more than ${count}`] : []),
    ...(share < minShare ? [`only ${(100 * share).toFixed(1)}% of the ${name} allowed were made`] : []),
  ];
  return {
    failures,
    counts: {
      [`${name}: budget in ${windowMs} ms`]: count,
      [`${name}: sent`]: sorted.length,
      [`${name}: most in any window`]: most,
      [`${name}: least in any ${Math.round(longerMs)} ms`]: least,
      [`${name}: % of the budget used`]: Number((100 * share).toFixed(1)),
    },
  };
}
