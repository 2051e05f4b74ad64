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
    ['11', { place: 2, of: 3, differs: true }],
    ['14', { place: 3, of: 3, differs: true }],
    ['9', { place: 1, of: 3, differs: true }],
  ]);
});

it('offers of one machine with as many GPUs say whether their prices differ, as shown', () => {
  const words = (...items: RankedOffer[]) => [...alikeOffers(items).values()].map(alikeWords);
  expect(words(offer(1), offer(2, { usdPerHour: 0.219_000_001, maxDurationHours: 7 }))).toEqual([
    '1 of 2',
    '2 of 2',
  ]);
  expect(words(offer(2, { usdPerHour: 0.3 }), offer(3))).toEqual([
    '1 of 2, other price',
    '2 of 2, other price',
  ]);
});

it('one listing with several prices, as over time, is one offer', () => {
  expect(alikeOffers([offer(1), offer(1, { usdPerHour: 0.3 })]).size).toBe(0);
  const alike = alikeOffers([offer(1), offer(1, { usdPerHour: 0.3 }), offer(2)]);
  expect([...alike.values()].map(({ of }) => of)).toEqual([2, 2]);
});
