import { expect, it } from 'vitest';
import { alikeOffers } from '../../web/core/alike-offers.ts';
import type { RankedOffer } from '../../web/core/api.ts';
import { alikeWords } from '../../web/parts/alike-mark.tsx';

const offer = (offerId: number, values: Partial<RankedOffer> = {}) =>
  ({
    ...{ offerId, listingId: `${offerId}`, market: 'main', machineId: 7, gpuName: 'RTX 4090' },
    ...{ numGpus: 1, type: 'on-demand', usdPerHour: 0.219, ...values },
  }) as RankedOffer;

it('offers of one machine with as many GPUs are numbered, the cheapest first, others are not', () => {
  const alike = alikeOffers([
    ...[offer(12, { listingId: '9' }), offer(11), offer(13, { numGpus: 2 }), offer(14, { usdPerHour: 0.3 })],
    ...[offer(15, { machineId: 8 }), offer(16, { market: 'other' }), offer(17, { type: 'bid' })],
  ]);
  expect([...alike].toSorted()).toEqual([
    ['11', { place: 2, of: 3, differs: ['price'] }],
    ['14', { place: 3, of: 3, differs: ['price'] }],
    ['9', { place: 1, of: 3, differs: ['price'] }],
  ]);
});

it('offers of one machine with as many GPUs say what differs between them, those that look the same nothing', () => {
  const words = (...items: RankedOffer[]) => [...alikeOffers(items).values()].map(alikeWords);
  const disk = { diskSpaceGb: 300, cpuRamMb: 64_000 };
  expect(words(offer(1, disk), offer(2, disk))).toEqual(['1 of 2', '2 of 2']);
  expect(words(offer(2, { ...disk, usdPerHour: 0.3 }), offer(3, disk))).toEqual([
    '1 of 2, other price',
    '2 of 2, other price',
  ]);
  expect(words(offer(1, { diskSpaceGb: 10, usdPerHour: 0.1 }), offer(2, disk))).toEqual([
    '1 of 2, other price, RAM, disk',
    '2 of 2, other price, RAM, disk',
  ]);
});
