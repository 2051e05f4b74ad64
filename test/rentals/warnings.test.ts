import { expect, it } from 'vitest';
import { findWarnings } from '../../src/rentals/rent/quote-warnings.ts';
import { makeOffer } from '../prices/made-offers.ts';

type Case = Parameters<typeof findWarnings>[0];

const now = new Date('2026-03-02T00:00:00Z');
const inHours = (hours: number): Date => new Date(now.getTime() + hours * 3_600_000);
/** An offer without a warning, except that its disk cannot grow. */
const plain: Case = {
  offer: makeOffer(1, { numGpus: 2, baseUsdPerHour: 0.8, minBidUsdPerHour: 0.2, diskSpaceGb: 100 }),
  now,
  extras: {
    isVm: false,
    endsAt: inHours(720),
    volumeOfferId: null,
    volumeUsdPerGbHour: null,
    volumeSizeGb: null,
  },
  request: { diskGb: 100 },
  runningHours: 720,
  p90UsdPerGpuHour: 0.4,
  isBlocked: false,
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
  ['nothing about a plain offer', {}, []],
  ['a virtual machine', extra({ isVm: true }), ['vm-ssh-key']],
  ['nothing if the market does not say whether it is a virtual machine', extra({ isVm: null }), []],
  [
    'an offer that ends a second before the hours of the profile',
    { now: inHours(1 / 3_600) },
    ['ends-early'],
  ],
  ['nothing if the hours of the profile are over by then', { now: inHours(1), runningHours: 719 }, []],
  ['nothing if the end is unknown', extra({ endsAt: null }), []],
  ['more disk than the machine has', requested({ diskGb: 100.5 }), ['disk-too-large']],
  ['nothing if the size of the disk is unknown', offered({ diskSpaceGb: null }), []],
  ['a machine whose verification was taken back', offered({ verification: 'deverified' }), ['deverified']],
  ['nothing if the machine was never verified', offered({ verification: 'unverified' }), []],
  ['a price per GPU above nine in ten comparable offers', offered({ baseUsdPerHour: 0.801 }), ['dear']],
  [
    'nothing if the segment has no known prices',
    { ...offered({ baseUsdPerHour: 99 }), p90UsdPerGpuHour: null },
    [],
  ],
  ['a bid at the minimum', requested({ bidUsdPerHour: 0.2 }), ['bid-at-minimum']],
  ['nothing about a bid above the minimum', requested({ bidUsdPerHour: 0.201 }), []],
  ['a machine or host on the block list', { isBlocked: true }, ['blocked']],
  [
    'several things at once',
    { ...extra({ isVm: true }), ...requested({ diskGb: 500 }), isBlocked: true },
    ['vm-ssh-key', 'disk-too-large', 'blocked'],
  ],
])('a quote warns of %s', (_, change, kinds) => {
  expect(kindsOf(change)).toEqual(kinds);
});

it('a quote shows when the offer ends in the one format of times', () => {
  const [message] = findWarnings({ ...plain, now: inHours(717) }).flatMap((each) =>
    each.kind === 'ends-early' ? [each.message] : [],
  );
  expect(message).toBe(
    'The host ends the offer at 2026-04-01 00:00 UTC (in 3 h), before the 720 hours of the usage profile are over.',
  );
});

it('a quote always says that its disk cannot grow later', () => {
  expect(findWarnings(plain)).toEqual([
    { kind: 'disk-fixed', message: 'The disk of 100 GB cannot grow later.' },
  ]);
});
