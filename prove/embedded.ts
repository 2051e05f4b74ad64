import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../src/core/log.ts';
import { processesOn, serversOn } from './cluster-processes.ts';
import { type SessionChild, startSession } from './session-child.ts';

interface Proof {
  ok: boolean;
  counts: Record<string, number>;
}

const commandsARound = 3;

/**
 * Proves that service and commands share the embedded server in whatever order they start, end and are killed: `rounds`
 * rounds of one service and three commands that start and end at random, a third of them by SIGKILL, some while they
 * start. Each sends queries as long as it runs. `ok`: no connection was lost before its owner closed it, there were never
 * two servers, no server was left without users unless a process was killed, and nothing runs at the end. Servers and
 * orphans are counted in the process table.
 */
export async function proveEmbedded(options: { seed: number; rounds: number; log: Log }): Promise<Proof> {
  const { seed, rounds, log } = options;
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'offerbook-prove-')));
  await chmod(folder, 0o755);
  const places = { dataDir: join(folder, 'data'), stateDir: join(folder, 'state') };
  const random = createRandom(seed);
  const counts = {
    rounds: 0,
    sessions: 0,
    kills: 0,
    killsWhileStarting: 0,
    queries: 0,
    lostConnections: 0,
    failedStarts: 0,
    mostServersAtOnce: 0,
    serverSightings: 0,
    serversLeftBehind: 0,
    orphansAtEnd: 0,
  };
  let clusterDir: string | null = null;

  const begin = (): SessionChild => {
    counts.sessions += 1;
    const session = startSession(places);
    void session.opened.then(
      (opened) => {
        clusterDir ??= opened.clusterDir;
      },
      () => undefined,
    );
    return session;
  };
  const finish = async (session: SessionChild, kill: boolean): Promise<void> => {
    if (kill) {
      counts.kills += 1;
      await session.kill();
    } else {
      await session.opened.catch(() => undefined);
      await session.end();
    }
    const { queries, lost } = session.tally();
    counts.queries += queries;
    counts.lostConnections += lost;
    if (session.failure() !== null) {
      counts.failedStarts += 1;
      log.error({ failure: session.failure() }, 'a session could not open the database');
    }
  };
  const runCommand = async (plan: CommandPlan): Promise<void> => {
    await sleep(plan.delayMs);
    const session = begin();
    if (plan.end === 'kill while starting') {
      counts.killsWhileStarting += 1;
      await sleep(plan.lifeMs * 2);
    } else {
      await session.opened.catch(() => undefined);
      await sleep(plan.lifeMs);
    }
    await finish(session, plan.end !== 'close');
  };

  const watching = new AbortController();
  const watch = async (): Promise<void> => {
    while (!watching.signal.aborted) {
      const seen = clusterDir === null ? 0 : (await serversOn(clusterDir)).length;
      counts.mostServersAtOnce = Math.max(counts.mostServersAtOnce, seen);
      if (seen > 0) counts.serverSightings += 1;
      await sleep(20);
    }
  };
  const watcher = watch();
  let service: SessionChild | null = null;
  // If the last process was killed, it leaves a server for the next one to adopt.
  let adoptable = false;
  try {
    for (let round = 0; round < rounds; round += 1) {
      service ??= begin();
      const serviceEnds = random() < 0.25;
      const serviceKilled = random() < 0.4;
      const plans = Array.from({ length: commandsARound }, () => planCommand(random));
      const commands = plans.map(runCommand);
      if (serviceEnds) {
        await sleep(random() * 250);
        await finish(service, serviceKilled);
        service = null;
      }
      await Promise.all(commands);
      counts.rounds += 1;
      const killed = (serviceEnds && serviceKilled) || plans.some(({ end }) => end !== 'close');
      adoptable = killed || (adoptable && service !== null);
      if (service === null && !killed && clusterDir !== null) {
        counts.serversLeftBehind += (await serversOn(clusterDir)).length;
      }
      if ((round + 1) % 10 === 0) log.info({ ...counts }, `embedded: ${round + 1} of ${rounds} rounds`);
    }
    await finish(service ?? begin(), false);
    // The last process may have been killed: one more starts, adopts the server and ends.
    if (adoptable) await finish(begin(), false);
    counts.orphansAtEnd = await countOrphans(folder);
  } finally {
    watching.abort();
    await watcher;
    await rm(folder, { recursive: true, force: true });
  }
  const ok =
    counts.rounds === rounds &&
    counts.queries > 0 &&
    counts.serverSightings > 0 &&
    counts.lostConnections === 0 &&
    counts.failedStarts === 0 &&
    counts.mostServersAtOnce === 1 &&
    counts.serversLeftBehind === 0 &&
    counts.orphansAtEnd === 0;
  return { ok, counts };
}

interface CommandPlan {
  delayMs: number;
  lifeMs: number;
  end: 'close' | 'kill' | 'kill while starting';
}

function planCommand(random: () => number): CommandPlan {
  const [delay, life, fate] = [random(), random(), random()];
  const end = fate < 0.15 ? 'kill while starting' : fate < 0.35 ? 'kill' : 'close';
  return { delayMs: delay * 150, lifeMs: life * 120, end };
}

/** Returns what still runs in the folder after the initdb of a killed starter had time to end. */
async function countOrphans(folder: string): Promise<number> {
  for (let wait = 0; wait < 100 && (await processesOn(folder)).length > 0; wait += 1) await sleep(100);
  return (await processesOn(folder)).length;
}

/** Mulberry32: numbers in [0, 1), the same for the same seed. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
