import type { RecordedBook } from '../../src/core/recorded-book.ts';
import { createSimulator } from '../../src/simulator/simulator.ts';
import type { SimulatorOptions } from '../../src/simulator/simulator-options.ts';
import { breakSimulator } from '../simulator/mutants/break-simulator.ts';
import type { Mutant } from '../simulator/mutants/mutant.ts';
import { silentLog } from '../support/silent-log.ts';
import type { Stage } from './play-server-case.ts';
import { targetOf } from './raw-socket.ts';

/** A separate simulator for some cases; its clock only moves when they advance it. */
export interface SimulatorStage extends Stage {
  close: () => Promise<void>;
}

const apiKey = 'contract-key-0123456789';
const scopedKeys = {
  keyUserRead: { key: 'scoped-user-read-0123456789', permissions: ['user_read'] },
  keyWithoutUserRead: {
    key: 'scoped-misc-0123456789',
    permissions: ['misc', 'instance_read', 'billing_read'],
  },
};
const startedAt = Date.parse('2026-03-02T12:00:00Z');
const never = { exited: 0, unknown: 0, offline: 0 };

/** A recorded book of a few rentable offers; every other one has values that the generated market lacks. */
function bookWithEveryOther(change: Readonly<Record<string, unknown>>): RecordedBook {
  const rows = createSimulator({ seed: 7, offersPerType: 100 }).offersAt(new Date(startedAt));
  const records = rows.slice(0, 40).map((row, index) => ({
    ...row,
    ...{ rentable: true, rented: false },
    ...(index % 2 === 0 ? change : {}),
  }));
  return { observedAt: new Date(startedAt), type: 'on-demand', format: 'search', records };
}

/** What a stage adds to the usual market, by the word after `# stage:`. */
const stages: Readonly<Record<string, () => SimulatorOptions>> = {
  usual: () => ({}),
  fresh: () => ({}),
  truth: () => ({}),
  'scoped-keys': () => ({}),
  external: () => ({ replay: [bookWithEveryOther({ external: true })] }),
  'other-cpu': () => ({ replay: [bookWithEveryOther({ cpu_arch: 'arm64' })] }),
  throttled: () => ({ throttle: 'public' }),
  'no-ssh-key': () => ({ sshKeyRegistered: false }),
  exited: () => ({ failures: { ...never, exited: 1 } }),
  unknown: () => ({ failures: { ...never, unknown: 1 } }),
  offline: () => ({ failures: { ...never, offline: 1 } }),
};

/**
 * Starts the simulator of a stage on loopback, with or without a mutant. Throws for an unknown name. `close` rejects if
 * the simulator itself failed: a mutant must break a promise, not the program.
 */
export async function openSimulatorStage(
  name: string,
  mutant: Mutant | null = null,
): Promise<SimulatorStage> {
  const optionsOf = stages[name];
  if (optionsOf === undefined) throw new Error(`there is no stage ${name}`);
  let passedMs = 0;
  const now = (): Date => new Date(startedAt + passedMs);
  const create = mutant === null ? createSimulator : await breakSimulator(mutant);
  const failures: unknown[] = [];
  const simulator = create({
    ...{ seed: 7, offersPerType: 400, apiKey, scopedKeys, now },
    ...{ failures: never, pastPayments: 40, openingCreditUsd: 50_000, autoTopUp: null },
    ...optionsOf(),
    log: { ...silentLog, error: ({ err }: { err?: unknown }) => failures.push(err) },
  });
  const { url } = await simulator.listen();
  const target = targetOf(url);
  return {
    target,
    variables: new Map<string, unknown>([
      ['key', apiKey],
      ['host', target.hostHeader],
      ['x', 'x'],
      // Amounts are rounded to millionths of a dollar.
      ['slack', 0.000005],
      ...Object.entries(scopedKeys).map(([name, { key }]): [string, unknown] => [name, key]),
    ]),
    marketSeconds: () => simulator.now().getTime() / 1_000,
    passTime: async (seconds) => {
      passedMs += seconds * 1_000;
    },
    awaitTurn: async () => undefined,
    timeoutMs: 10_000,
    isComplete: true,
    truth: () => ({ instances: simulator.instances() }),
    remembered: new Map(),
    async close() {
      await simulator.close();
      if (failures.length > 0)
        throw new Error(`the simulator failed with ${mutant?.id}`, { cause: failures[0] });
    },
  };
}
