import { expect, it } from 'vitest';
import { machineFacts, vramWords } from '../../web/parts/machine-facts.ts';

it('traffic without a price is free, and one whose price is not stated is not', () => {
  const offer = {
    ...{ numGpus: 1, gpuRamMb: null, cpuCores: null, cpuCoresEffective: null, cpuRamMb: null },
    ...{ diskSpaceGb: null, inetDown: 500, inetUp: 80, inetDownUsdPerGb: null, inetUpUsdPerGb: 0 },
  };
  const factOf = (key: string) => machineFacts(offer).find(([name]) => name === key)?.[2];
  expect(factOf('upload')).toBe('80 Mbit/s, free');
  expect(factOf('download')).toBe('500 Mbit/s, not stated');
});

it('memory is of each GPU only where there are several', () => {
  expect([1, 2, null].map((gpus) => vramWords(24_576, gpus))).toEqual([
    '24 GB',
    '24 GB per GPU, 48 GB together',
    '24 GB per GPU',
  ]);
});
