import { expect, it } from 'vitest';
import { findWarnings } from '../../src/rentals/rent/quote-warnings.ts';
import { makeOffer } from '../prices/made-offers.ts';

type Case = Parameters<typeof findWarnings>[0];

const now = new Date('2026-03-02T00:00:00Z');
const inHours = (hours: number): Date => new Date(now.getTime() + hours * 3_600_000);
/** An offer that nothing speaks against but that its disk cannot grow. */
const plain: Case = {
  ...{
    offer: makeOffer(1, { numGpus: 2, baseUsdPerHour: 0.8, minBidUsdPerHour: 0.2, diskSpaceGb: 100 }),
    now,
  },
  extras: {
    ...{ isVm: false, endsAt: inHours(720) },
    ...{ volumeOfferId: null, volumeUsdPerGbHour: null, volumeSizeGb: null },
  },
  ...{ request: { diskGb: 100 }, runningHours: 720, p90UsdPerGpuHour: 0.4, isBlocked: false },
};
const offered = (values: Partial<Case['offer']>): Partial<Case> => ({ offer: { ...plain.offer, ...values } });
const requested = (values: Partial<Case['request']>): Partial<Case> => ({
  request: { ...plain.request, ...values },
});
const extra = (values: Partial<Case['extras']>): Partial<Case> => ({
  extras: { ...plain.extras, ...values },
});

const kindsOf = (change: Partial<Case>) =>
  findWarnings({ ...plain, ...change })
    .map(({ kind }) => kind)
    .filter((kind) => kind !== 'disk-fixed');

it.each<[what: string, change: Partial<Case>, kinds: string[]]>([
  ['an offer that nothing speaks against', {}, []],
  ['a virtual machine', extra({ isVm: true }), ['vm-ssh-key']],
  ['what the market does not say to be one', extra({ isVm: null }), []],
  [
    'an offer that ends a second before the hours of the profile',
    { now: inHours(1 / 3_600) },
    ['ends-early'],
  ],
  ['fewer hours', { now: inHours(1), runningHours: 719 }, []],
  ['an end that is not known', extra({ endsAt: null }), []],
  ['more disk than there is', requested({ diskGb: 100.5 }), ['disk-too-large']],
  ['a disk that is not known', offered({ diskSpaceGb: null }), []],
  ['a machine whose verification was taken back', offered({ verification: 'deverified' }), ['deverified']],
  ['one that never had any', offered({ verification: 'unverified' }), []],
  ['a price a GPU above nine of ten', offered({ baseUsdPerHour: 0.801 }), ['dear']],
  ['a segment that is not known', { ...offered({ baseUsdPerHour: 99 }), p90UsdPerGpuHour: null }, []],
  ['a bid at the minimum', requested({ bidUsdPerHour: 0.2 }), ['bid-at-minimum']],
  ['a higher bid', requested({ bidUsdPerHour: 0.201 }), []],
  ['a machine or host of the block list', { isBlocked: true }, ['blocked']],
  [
    'everything at once',
    { ...extra({ isVm: true }), ...requested({ diskGb: 500 }), isBlocked: true },
    ['vm-ssh-key', 'disk-too-large', 'blocked'],
  ],
])('a quote warns of %s', (_, change, kinds) => {
  expect(kindsOf(change)).toEqual(kinds);
});

it('a quote always says that its disk cannot grow later', () => {
  expect(findWarnings(plain)).toEqual([
    { kind: 'disk-fixed', message: 'The disk of 100 GB cannot grow later.' },
  ]);
});
