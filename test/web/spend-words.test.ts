import { expect, it } from 'vitest';
import {
  aboveAnswer,
  bidsWords,
  dearestFirst,
  equalWords,
  shortEqualWords,
} from '../../web/spend/above-words.ts';
import { compareBefore } from '../../web/spend/compare-before.ts';
import { notComparedWords } from '../../web/spend/not-compared-words.ts';
import { overShareWords } from '../../web/spend/over-share.ts';
import { signedUsd } from '../../web/spend/spend-words.ts';

const total = { paidUsd: '28.48', comparedUsd: '28.48', overMedianUsd: '6.02' };
const sums = { overMinUsd: null, overLowestUsd: null };

it('answers whether it was above the market in one sentence, with how little it knows', () => {
  expect(aboveAnswer({ ...total, ...sums })).toEqual({
    lead: 'Paid above the market: $6.02',
    rest: ', 21.1% of the $28.48 that can be compared.',
  });
  const few = { ...sums, paidUsd: '192.36', comparedUsd: '28.86', overMedianUsd: '-6.12' };
  expect(aboveAnswer(few)).toEqual({
    lead: 'Paid below the market: $6.12',
    rest: ', 21.2% of the $28.86 that can be compared. Only 15.0% of the money for GPUs and disk can be compared: too little to judge all of it.',
  });
  expect(aboveAnswer({ ...sums, paidUsd: '1', comparedUsd: null, overMedianUsd: null })).toBeNull();
});

it('says which part is of bids, which is the price of not being outbid', () => {
  const bid = { type: 'bid' as const, overMedianUsd: '4.15' };
  const below = { type: 'bid' as const, overMedianUsd: '-1' };
  expect(bidsWords([bid, below, { type: 'on-demand', overMedianUsd: '1.87' }], total)).toBe(
    '$4.15 of it comes from one bid above the market’s minimum bids: what is above the minimum keeps it from being outbid.',
  );
  expect(bidsWords([bid, bid], total)).toMatch(
    /^\$8\.30 comes from 2 bids .+ keeps them from being outbid\.$/,
  );
  expect(bidsWords([below, { type: 'on-demand', overMedianUsd: '1.87' }], total)).toBe('');
});

it('has the instance that was most above the market first, and none that cannot be compared', () => {
  const of = (overMedianUsd: string | null) => ({ overMedianUsd });
  expect(dearestFirst([of('0.1'), of(null), of('-2'), of('10')])).toEqual([of('10'), of('0.1'), of('-2')]);
});

it('says at which price an equal machine was cheaper, and what it would have saved', () => {
  const equal = { machineId: 19633, usdPerHour: 0.189, since: '2026-11-19T08:00:00Z', savedUsd: '1.1' };
  expect(equalWords({ ...equal, until: null }, 'on-demand')).toEqual({
    before: 'machine 19633, equal, was offered at $0.1890/hour with the same disk from',
    after: ': $1.10 less until the end',
  });
  expect(equalWords({ ...equal, until: '2026-11-19T09:00:00Z' }, 'bid')).toEqual({
    before: 'machine 19633, equal, was open to bids from $0.1890/hour with the same disk from',
    after: ': $1.10 less while it was offered',
  });
  expect(equalWords({ ...equal, savedUsd: '-0.1', until: null }, 'bid').after).toBe(' until the end');
  expect(shortEqualWords({ ...equal, until: null })).toBe('equal machine 19633 at $0.1890/hour: $1.10 less');
});

it('reconciles what is compared with all consumption, and names what is not', () => {
  const disk = {
    ...{ reason: 'disk' as const, amountUsd: '0.19' },
    instances: [{ instanceId: 4, label: 'image-batch', amountUsd: '0.19' }],
  };
  const notCompared = { consumptionUsd: '28.68', amountUsd: '0.19', parts: [disk] };
  expect(notComparedWords(notCompared, '28.48')).toBe(
    '$28.48 of the $28.68 of consumption is compared; $0.19 is not: disk while stopped (image-batch).',
  );
  const named = (instanceId: number | null) => ({ instanceId, label: null, amountUsd: '1' });
  const traffic = { reason: 'traffic' as const, amountUsd: '5', instances: [1, 1, 2, 3, 4, 5].map(named) };
  const volume = { reason: 'volume' as const, amountUsd: '2', instances: [named(null)] };
  expect(
    notComparedWords({ consumptionUsd: '7.19', amountUsd: '7.19', parts: [disk, traffic, volume] }, null),
  ).toBe(
    '$0.00 of the $7.19 of consumption is compared; $7.19 is not: $0.19 disk while stopped (image-batch), $5.00 traffic (1, 2, 3, 2 more), $2.00 volumes.',
  );
  expect(notComparedWords({ consumptionUsd: '28.68', amountUsd: '0', parts: [] }, '28.68')).toBe(
    'All of the $28.68 of consumption is compared.',
  );
});

it('has what comes into the account as positive, unlike bills', () => {
  const signs = (['payment', 'refund', 'consumption'] as const).map((category) =>
    ['-75', '5.5', '0'].map((amountUsd) => signedUsd({ category, amountUsd })),
  );
  expect(signs).toEqual([
    ['75', '-5.5', '0'],
    ['75', '-5.5', '0'],
    ['-75', '5.5', '0'],
  ]);
});

it('tells spend of one period only from a change, which has a percentage', () => {
  const of = (consumptionUsd: string, changeUsd: string) => compareBefore({ consumptionUsd, changeUsd });
  expect(of('3.246913578', '-3.246913578')).toBe('only-before');
  expect(of('0', '12.3')).toBe('only-now');
  expect([of('0', '0'), of('2', '0'), of('2', '-1.9'), of('2', '4')]).toEqual([
    'neither',
    'same',
    'changed',
    'changed',
  ]);
});

it('says what was paid above or below the market as a share of what was compared', () => {
  expect(overShareWords({ comparedUsd: '37.27', overMedianUsd: '4.1' })).toBe(
    '11.0% of the $37.27 that can be compared',
  );
  expect(overShareWords({ comparedUsd: '2', overMedianUsd: '-0.4' })).toBe(
    '20.0% of the $2.00 that can be compared',
  );
  expect(overShareWords({ comparedUsd: '0', overMedianUsd: '0' })).toBeNull();
  expect(overShareWords({ comparedUsd: null, overMedianUsd: null })).toBeNull();
});
