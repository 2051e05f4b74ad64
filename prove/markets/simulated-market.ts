import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCloreSimulator } from '../../src/simulator/clore/clore-simulator.ts';
import { type FaultKind, faultFacts, faultKinds } from '../../src/simulator/faults/fault-kinds.ts';
import { createSimulator, type Simulator } from '../../src/simulator/simulator.ts';

/** The kinds of markets that can be simulated. */
export type SimulatedKind = 'vast' | 'clore';

/** A simulated market whose offers change with the given clock, and the settings to follow it. */
export interface SimulatedMarket {
  url: string;
  /** By what follows `MARKET_<KIND>_`. */
  settings: Readonly<Record<string, string>>;
  /** The faults of its simulator, and whether they affect crawls of offers. */
  faults: readonly { kind: FaultKind; strikes: boolean }[];
  simulator: Pick<Simulator, 'setFaults' | 'requests'>;
  close: () => Promise<void>;
}

const all = (Object.keys(faultKinds) as FaultKind[]).map((kind) => ({
  kind,
  endpoints: faultFacts(kind).endpoints ?? null,
}));

/** Starts one. Waits between requests are left out: they are real time, and the clock is not. */
export async function startSimulatedMarket(
  kind: SimulatedKind,
  { seed, now }: { seed: number; now: () => Date },
): Promise<SimulatedMarket> {
  if (kind === 'vast') {
    const simulator = createSimulator({ seed, now, offersPerType: 40 });
    return {
      url: (await simulator.listen()).url,
      settings: { API_KEY: simulator.apiKey },
      faults: all.map(({ kind: fault, endpoints }) => ({
        kind: fault,
        strikes: endpoints === null || endpoints.includes('searchOffers'),
      })),
      simulator,
      close: simulator.close,
    };
  }
  const folder = await mkdtemp(join(tmpdir(), 'offerbook-clore-'));
  const dialect = join(folder, 'dialect.json');
  await writeFile(dialect, '{"minIntervalSeconds": 0}');
  const simulator = createCloreSimulator({ seed, now, servers: 60 });
  return {
    url: (await simulator.listen()).url,
    settings: { DIALECT: dialect },
    // It has one endpoint: faults of other endpoints do not apply.
    faults: all.flatMap(({ kind: fault, endpoints }) =>
      endpoints === null ? [{ kind: fault, strikes: true }] : [],
    ),
    simulator,
    close: async () => {
      await simulator.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
