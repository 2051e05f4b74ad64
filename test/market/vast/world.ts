import { onTestFinished } from 'vitest';
import { createSimulator } from '../../../src/simulator/simulator.ts';
import type { MarketWorld } from '../market-world.ts';

export const world: MarketWorld = {
  start: async () => {
    const simulator = createSimulator({ offersPerType: 150 });
    onTestFinished(() => simulator.close());
    return { url: (await simulator.listen()).url, apiKey: simulator.apiKey };
  },
};
