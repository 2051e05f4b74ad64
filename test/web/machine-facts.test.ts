import { expect, it } from 'vitest';
import { machineFacts } from '../../web/parts/machine-facts.ts';

it('traffic without a price is free, and one whose price is not stated is not', () => {
  const offer = {
    ...{ numGpus: 1, gpuRamMb: null, cpuCores: null, cpuCoresEffective: null, cpuRamMb: null },
    ...{ diskSpaceGb: null, inetDown: 500, inetUp: 80, inetDownUsdPerGb: null, inetUpUsdPerGb: 0 },
  };
  const factOf = (key: string) => machineFacts(offer).find(([name]) => name === key)?.[2];
  expect(factOf('upload')).toBe('80 Mbit/s, free');
  expect(factOf('download')).toBe('500 Mbit/s, not stated');
});
