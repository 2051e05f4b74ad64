import { expect, it } from 'vitest';
import type { VsMarket } from '../../web/core/api.ts';
import { formatMoment } from '../../web/core/times.ts';
import { compareBefore, timesWords } from '../../web/spend/compare-before.ts';
import { notComparedWords } from '../../web/spend/not-compared-words.ts';
import { cheaperWords, dearestFirst, equalWords, savedAnswer } from '../../web/spend/saved-words.ts';
import { spendFiles } from '../../web/spend/spend-files.ts';
import { roundedWords, signedUsd } from '../../web/spend/spend-words.ts';

const total = {
  ...{ paidUsd: '28.48', comparedUsd: '28.48', savedUsd: '6.94' },
  ...{ overMedianUsd: '6.02', overMinUsd: null, overLowestUsd: null },
};

const cheaper = (savedUsd: string, type: 'bid' | 'on-demand' = 'on-demand') => ({
  type,
  cheaperEqual: {
    ...{ machineId: 19633, listingId: '5', usdPerHour: 0.189, savedUsd, offeredSeconds: 12 * 3600 },
    ...{ since: '2026-11-19T08:00:00Z', until: null },
  },
});
const dearer = { type: 'on-demand' as const, cheaperEqual: null };

it('answers first whether you overpaid, in one sentence, then by how much of what', () => {
  const notCompared = { consumptionUsd: '192.35673' };
  const answer = (more: object = {}, items = [cheaper('6.94'), dearer]) => {
    const { lead, rest } = savedAnswer({ items, total: { ...total, ...more }, notCompared }) ?? {};
    return `${lead}${rest}`;
  };
  expect(answer()).toBe('You overpaid by at least $6.94: 24.4% of the $28.48 that can be compared.');
  // A bid above the minimum is not a mistake: lower ones are stopped first.
  expect(answer({}, [cheaper('1.21'), cheaper('5.73', 'bid')])).toBe(
    'You overpaid by at least $1.21. Your bids cost at least $5.73 more than the minimum; lower ones are stopped first. $28.48 of the $192.36 could be judged.',
  );
  expect(answer({}, [cheaper('6.94', 'bid'), dearer])).toBe(
    'Your bids cost at least $6.94 more than the minimum bids of equal machines. Lower bids are stopped first. $28.48 of the $192.36 could be judged.',
  );
  expect(answer({ savedUsd: '0' })).toBe(
    'You did not overpay for the $28.48 that can be compared: no cheaper equal machine was found.',
  );
  // What is known comes first, however little it is of; with the rest it is all that was spent, disks while stopped included.
  expect(answer({ paidUsd: '192.120296' })).toBe(
    'You overpaid by at least $6.94: 24.4% of the $28.48 that can be compared; the rest of the $192.36 could not be judged.',
  );
  // With bids shorter, so that it is as many lines.
  const little = { paidUsd: '192.120296' };
  expect(answer(little, [cheaper('6.94', 'bid'), dearer])).toBe(
    'Your bids cost at least $6.94 more than the minimum bids of equal machines. Lower bids are stopped first. Only $28.48 of the $192.36 could be judged.',
  );
  expect(answer(little, [cheaper('1.21'), cheaper('5.73', 'bid')])).toBe(
    'You overpaid by at least $1.21. Your bids cost at least $5.73 more than the minimum; lower ones are stopped first. Only $28.48 of the $192.36 could be judged.',
  );
  const unknown = { ...total, comparedUsd: null, savedUsd: null };
  expect(savedAnswer({ items: [dearer], total: unknown, notCompared })).toBeNull();
});

it('says by how much equal machines were cheaper, and how much of it only at minimum bids', () => {
  const ran = { seconds: 3600, overMedianUsd: '0.1' } as VsMarket['items'][number]['hours'][number];
  const item = (each: Pick<VsMarket['items'][number], 'type' | 'cheaperEqual'>, instanceId = 4) => ({
    ...{ label: null, instanceId, comparedUsd: '0.6', overMedianUsd: '0.2', hours: [ran, ran] },
    ...each,
  });
  expect(
    cheaperWords(
      [cheaper('6.94'), dearer].map((each) => item(each)),
      '6.94',
    ),
  ).toBe('An equal machine was cheaper while yours ran, by at least $6.94.');
  // Beside each other stand what was paid and the minimum bids, so that a mistake can be told from a safe bid.
  const paid =
    'paid $0.3000/hour on average, disk included; the minimum bid there was $0.1890/hour, the model’s usual one in those hours $0.2000/hour.';
  const risk = 'and such rentals are stopped first; a higher bid lowers that risk.';
  expect(cheaperWords([item(cheaper('1.21')), item(cheaper('5.73', 'bid'))], '6.94')).toBe(
    `Equal machines were cheaper while yours ran, by at least $6.94. $5.73 of that was possible only at the minimum bid, ${risk} You ${paid}`,
  );
  const two = [item(cheaper('3', 'bid')), { ...item(cheaper('3.94', 'bid'), 5), label: 'embeddings' }];
  expect(cheaperWords(two, '6.94')).toBe(
    `Equal machines were cheaper while yours ran, by at least $6.94. That was possible only at the minimum bid, ${risk} For 4 you ${paid} For embeddings you ${paid}`,
  );
  expect(cheaperWords([item(dearer)], '0')).toBeNull();
});

it('says once why what is not compared is not, with amounts that add up as shown', () => {
  const part = (reason: 'unpriced' | 'disk' | 'traffic', amountUsd: string) => ({
    ...{ reason, amountUsd, instances: [] },
  });
  const paid = (paidUsd: string, unattributable: string | null) => ({
    ...{ paidUsd, comparedUsd: null, unattributable },
  });
  const begun = (what: string) => `books of ${what} begin on 2026-11-15 00:30 UTC, after those hours`;
  const items = [
    { paidUsd: '28.48', comparedUsd: '28.48', unattributable: null },
    ...[paid('60', begun('bids')), paid('103.64', begun('on-demand offers'))],
  ];
  const since = `the market’s offers are recorded only since ${formatMoment('2026-11-15T00:30Z')}`;
  const whole = { consumptionUsd: '192.36', amountUsd: '163.88' };
  const parts = [part('unpriced', '163.64'), part('disk', '0.24')];
  expect(notComparedWords({ ...whole, parts }, '28.48', items)).toBe(
    `$28.48 of the $192.36 of consumption is compared; the other $163.88 (85.2%) is not: $163.64 for hours without a market price (${since}), $0.24 for disk while stopped.`,
  );
  // Rounded, 163.64, 0.24 and 0.01 are not 163.88: what is left has no figure.
  const three = [part('traffic', '0.005'), part('unpriced', '163.638'), part('disk', '0.237')];
  expect(notComparedWords({ ...whole, parts: three }, '28.48', items)).toBe(
    `$28.48 of the $192.36 of consumption is compared; the other $163.88 (85.2%) is not: $163.64 for hours without a market price (${since}), $0.24 for disk while stopped, the remainder for traffic.`,
  );
  // Nor are 28.48 and 163.87 192.36.
  const exact = { consumptionUsd: '192.35673', amountUsd: '163.874787' };
  const two = [part('unpriced', '163.638353'), part('disk', '0.236434')];
  expect(notComparedWords({ ...exact, parts: two }, '28.481943', items)).toBe(
    `$28.48 of the $192.36 of consumption is compared; the rest (85.2%) is not: $163.64 for hours without a market price (${since}), $0.24 for disk while stopped.`,
  );
  const more = [paid('1', 'the market has no books'), paid('2', null), ...items];
  expect(notComparedWords({ ...whole, parts }, '28.48', more)).toMatch(
    / \(the market’s offers .*; no market price of those hours; and other reasons\), \$0\.24 for disk /,
  );
});

it('has the instance with the largest saving first, and none that cannot be compared', () => {
  const of = (overMedianUsd: string | null, savedUsd: string | null) => ({
    overMedianUsd,
    cheaperEqual: savedUsd === null ? null : cheaper(savedUsd).cheaperEqual,
  });
  const [high, low, unknown, saving] = [of('10', null), of('-2', null), of(null, null), of('-3', '0.1')];
  expect(dearestFirst([low, high, unknown, saving])).toEqual([saving, high, low]);
});

it('says at which price an equal machine was cheaper, and for how long', () => {
  const hour = { seconds: 20 * 3600 } as VsMarket['items'][number]['hours'][number];
  const hours = [hour, hour];
  expect(equalWords({ ...cheaper('1.1'), hours })).toBe(
    'at $0.1890/hour, seen on offer for 12 of the 40 h of your charges',
  );
  expect(equalWords({ ...cheaper('1.1', 'bid'), hours: [{ ...hour, seconds: 12 * 3600 }] })).toBe(
    'open to bids from $0.1890/hour, seen on offer for all of the 12 h of your charges',
  );
  expect(equalWords({ ...dearer, hours })).toBeNull();
});

it('reconciles what is compared with all consumption, and names what is not', () => {
  const disk = {
    ...{ reason: 'disk' as const, amountUsd: '0.19' },
    instances: [{ instanceId: 4, label: 'image-batch', amountUsd: '0.19' }],
  };
  // Each figure is rounded by itself, and 28.48 and 0.19 are not 28.68.
  const notCompared = { consumptionUsd: '28.677', amountUsd: '0.194', parts: [disk] };
  expect(notComparedWords(notCompared, '28.483', [])).toBe(
    '$28.48 of the $28.68 of consumption is compared; the rest (0.7%) is not: disk while stopped (image-batch).',
  );
  const named = (instanceId: number | null) => ({ instanceId, label: null, amountUsd: '1' });
  const traffic = { reason: 'traffic' as const, amountUsd: '5', instances: [1, 1, 2, 3, 4, 5].map(named) };
  const volume = { reason: 'volume' as const, amountUsd: '2', instances: [named(null)] };
  expect(
    notComparedWords({ consumptionUsd: '7.19', amountUsd: '7.19', parts: [disk, traffic, volume] }, null, []),
  ).toBe(
    '$0.00 of the $7.19 of consumption is compared; the other $7.19 (100.0%) is not: $0.19 for disk while stopped (image-batch), $5.00 for traffic (1, 2, 3, 2 more), $2.00 for volumes.',
  );
  // Whether their charges come later or never, nobody knows.
  const estimated = { ...disk, reason: 'estimated' as const };
  expect(
    notComparedWords({ consumptionUsd: '0.19', amountUsd: '0.19', parts: [estimated] }, null, []),
  ).toMatch(/ is not: hours not charged so far \(image-batch\)\.$/);
  const small = { ...disk, amountUsd: '0.001' };
  const nearly = { consumptionUsd: '2.001', amountUsd: '0.001', parts: [small] };
  expect(notComparedWords(nearly, '2', [])).toContain('; the other <$0.01 (0.0%) is not: disk while stopped');
  expect(notComparedWords({ consumptionUsd: '28.68', amountUsd: '0', parts: [] }, '28.68', [])).toBe(
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
  const of = (consumptionUsd: string, changeUsd: string, isCovered = true) =>
    compareBefore({ consumptionUsd, changeUsd, isCovered });
  expect(of('3.246913578', '-3.246913578')).toBe('only-before');
  expect(of('0', '12.3')).toBe('only-now');
  expect([of('0', '0'), of('2', '0'), of('2', '-1.9'), of('2', '4')]).toEqual([
    'neither',
    'same',
    'changed',
    'changed',
  ]);
  // Without what was spent in most of the period before, nothing rose or fell.
  expect([of('4.83', '187.54', false), of('0', '12.3', false)]).toEqual(['uncovered', 'uncovered']);
  expect([of('0', '0', false), of('3', '-3', false)]).toEqual(['neither', 'only-before']);
});

it('has a large rise as a factor, not as thousands of percent', () => {
  expect([null, -95, 25, 299.99, 300, 3885, 104_000].map(timesWords)).toEqual([
    ...[null, null, null, null],
    ...['4 times', '40 times', '1,041 times'],
  ]);
});

it('amounts of groups that do not add up as they are shown name the exact total', () => {
  const shared = { category: 'consumption', basis: 'charged', entries: 1 } as const;
  const group = (key: string, amountUsd: string) => ({ ...shared, key, subkey: null, amountUsd });
  const totals = [{ ...shared, amountUsd: '28.678' }];
  expect(roundedWords({ totals, items: [group('gpu', '27.734'), group('disk', '0.944')] })).toBe(
    'Amounts are rounded: Consumption is $28.68 in total, the sum of the exact ones.',
  );
  expect(roundedWords({ totals, items: [group('gpu', '27.73'), group('disk', '0.948')] })).toBeNull();
});

it('says what the files of spend leave out, and which amounts have a minus', () => {
  const holds = Object.fromEntries(spendFiles.map(({ name, holds }) => [name, holds]));
  expect(holds['spend-vs-market']).toMatch(
    /^One row for every instance with GPU charges: what was paid, how far that is above the usual price of its model, /,
  );
  for (const { name, holds: short } of spendFiles.slice(0, 2))
    expect(short, name).toMatch(/; what was paid in has a minus\.$/);
});

it('names a column of a file in quotation marks, and what it has in plain words', () => {
  expect(spendFiles[0].holds).toContain(
    'The column “kind” has “estimate” for what is only estimated yet and “payment” for what was paid in or out;',
  );
});
