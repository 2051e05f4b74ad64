import { expect, it } from 'vitest';
import { alikeOffers } from '../../web/core/alike-offers.ts';
import type { RankedOffer } from '../../web/core/api.ts';

const offer = (offerId: number, values: Partial<RankedOffer> = {}) =>
  ({
    ...{ offerId, listingId: `${offerId}`, market: 'main', machineId: 7, gpuName: 'RTX 4090' },
    ...{ numGpus: 1, type: 'on-demand', usdPerHour: 0.219, ...values },
  }) as RankedOffer;

it('offers of one machine that look the same are numbered, others are not', () => {
  const alike = alikeOffers([
    ...[offer(12, { listingId: '9' }), offer(11), offer(13, { numGpus: 2 }), offer(14, { usdPerHour: 0.3 })],
    ...[offer(15, { machineId: 8 }), offer(16, { market: 'other' }), offer(17, { type: 'bid' })],
  ]);
  expect([...alike].toSorted()).toEqual([
    ['11', { place: 2, of: 2 }],
    ['9', { place: 1, of: 2 }],
  ]);
});
