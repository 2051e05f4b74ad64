import { onTestFinished } from 'vitest';
import { createCloreSimulator } from '../../../src/simulator/clore/clore-simulator.ts';
import type { MarketWorld } from '../market-world.ts';

export const world: MarketWorld = {
  start: async () => {
    const simulator = createCloreSimulator({ servers: 80 });
    onTestFinished(() => simulator.close());
    return { url: (await simulator.listen()).url, apiKey: null };
  },
};
