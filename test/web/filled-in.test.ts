import { describe, expect, it } from 'vitest';
import {
  endingOf,
  endingsOf,
  environmentOf,
  firstFields,
  isProbe,
  missingIn,
  moreFields,
  rentRequestOf,
  suggestBid,
  untilWords,
} from '../../web/rentals/rent/rent-request.ts';
import { axisAmounts, filledTimes, rangeEnds, spendTimeWord } from '../../web/spend/spend-times.ts';
import {
  accountRuleKinds,
  otherEventKinds,
  ruleInWords,
  ruleKinds,
  ruleParams,
} from '../../web/watches/rule-kinds.ts';
import { firstOptions, optionFields } from '../../web/watches/rule-options.tsx';

describe('the filled-in form of a rent', () => {
  const plain = { bid: false, ending: 'keep', replaces: false } as const;
  const profile = { runningHours: 720, downGb: 0, upGb: 0 };

  it('says what a cost center is', () => {
    expect(moreFields).toContainEqual({
      ...{ name: 'costCenter', label: 'Cost center (project or team)', title: 'Spend can be grouped by it' },
    });
  });

  it('becomes a request without the empty fields', () => {
    const fields = firstFields(new URLSearchParams('storageGb=40'));
    expect(rentRequestOf(fields, plain)).toEqual({ image: 'ubuntu:24.04', diskGb: 40, profile });
    const filled = {
      ...fields,
      runningHours: '2,5',
      upGb: '',
      downGb: '100',
      label: ' a ',
      volumeId: '7',
      bidUsdPerHour: '0.3',
      env: 'A=1\n',
    };
    expect(rentRequestOf(filled, { bid: true, ending: 'destroy', replaces: true })).toEqual({
      ...{ image: 'ubuntu:24.04', diskGb: 40, maxHours: 2.5, endAction: 'destroy', label: 'a' },
      ...{ bidUsdPerHour: 0.3, env: { A: '1' }, onFailure: 'replace' },
      volume: { kind: 'existing', volumeId: 7, mountPath: '/data' },
      profile: { runningHours: 2.5, downGb: 100 },
    });
    // Without an end the hours are only for the total.
    expect(rentRequestOf(filled, { ...plain, ending: 'stop' })).toMatchObject({ maxHours: 2.5 });
    expect(rentRequestOf(filled, plain)).not.toHaveProperty('maxHours');
  });

  it('is confirmed with what ends it: without a limit the planned hours end nothing', () => {
    expect(untilWords({}, null)).toBe('you stop or destroy it, even after the planned hours');
    expect(untilWords({ maxHours: 2 }, null)).toBe('you stop or destroy it; it is stopped after 2 hours');
    expect(untilWords({ maxHours: 1, endAction: 'destroy' }, 28.5)).toBe(
      'you stop or destroy it; it is destroyed after 1 hour',
    );
    const planned = { profile: { runningHours: 28 } };
    expect(untilWords(planned, 30)).toBe('you stop or destroy it, even after the planned hours');
    expect(untilWords(planned, 28.5)).toBe('you stop or destroy it, or the host ends it');
  });

  it('offers nothing for after the planned hours that the end of the host’s offer forestalls', () => {
    const labels = (hours: string, maxHours: number | null) =>
      endingsOf(hours, maxHours).map(({ label }) => label);
    const all = ['Keep running', 'Stop it', 'Destroy it'];
    expect([labels('27', 28.5), labels('720', null), labels('', 28.5)]).toEqual([all, all, all]);
    expect(labels('28', 28.5)).toEqual(['The host ends it', 'Stop it', 'Destroy it']);
    expect(labels('28,6', 28.5)).toEqual(['The host ends it']);
    // What was chosen counts again once the hours fit.
    expect(['28', '29'].map((hours) => endingOf('destroy', hours, 28.5))).toEqual(['destroy', 'keep']);
  });

  it('accepts a template instead of an image', () => {
    expect(rentRequestOf(firstFields(new URLSearchParams('template=abc')), plain)).toEqual({
      ...{ templateHashId: 'abc', diskGb: 8, profile },
    });
  });

  it('begins a bid a little above the minimum, for which the first quote only asks', () => {
    const fields = firstFields(new URLSearchParams());
    expect(isProbe(rentRequestOf(fields, { ...plain, bid: true }))).toBe(true);
    const bidUsdPerHour = suggestBid(0.2);
    expect(bidUsdPerHour).toBe('0.22');
    expect(suggestBid(0.123456)).toBe('0.1359');
    // A market may ask for nothing, but every bid is above it.
    expect(suggestBid(0)).toBe('0.0001');
    const filled = { ...fields, bidUsdPerHour };
    expect(isProbe(rentRequestOf(filled, { ...plain, bid: true }))).toBe(false);
    expect([missingIn(fields, true), missingIn(filled, true)]).toEqual(['Enter a bid.', null]);
    expect(missingIn({ ...filled, diskGb: ' ' }, false)).toBe('Enter the size of the disk.');
  });

  it('reads an environment line by line, including values with = and ports', () => {
    expect(environmentOf(' A=1=2 \n\n-p  8080:8080\nB=\nC')).toEqual({
      ...{ A: '1=2', '-p 8080:8080': '1', B: '', C: '' },
    });
  });
});

describe('the filled-in form of a rule', () => {
  it("has the API's types", () => {
    const { changePercent, backInStock } = ruleKinds;
    const { instanceState } = accountRuleKinds;
    if (!changePercent || !backInStock || !instanceState) throw new Error('a kind is missing');
    expect(ruleParams(changePercent, { percent: '2.5' })).toEqual({
      metric: 'usdPerGpuHour',
      percent: 2.5,
      since: 24,
      direction: 'any',
    });
    expect(ruleParams(backInStock, {})).toEqual({});
    expect(ruleParams(instanceState, { states: 'gone, , offline' })).toEqual({ states: ['gone', 'offline'] });
  });

  it('only includes options that were filled in', () => {
    expect(optionFields(firstOptions, 'UTC')).toEqual({ of: { m: 1, n: 1 } });
    const said = {
      ...firstOptions,
      n: '3',
      rearm: '60',
      quietFrom: '22:00',
      quietTo: '06:00',
      digest: '0 8 * * *',
    };
    expect(optionFields({ ...said, dailyCap: '5' }, 'Europe/Berlin')).toEqual({
      ...{ of: { m: 1, n: 3 }, rearm: { afterMinutes: 60 }, dailyCap: 5 },
      quietHours: { from: '22:00', to: '06:00', timeZone: 'Europe/Berlin' },
      digest: { cron: '0 8 * * *', timeZone: 'Europe/Berlin' },
    });
  });

  it('is described in a sentence, for every kind', () => {
    const words = (kind: string, params: Record<string, unknown> = {}) => ruleInWords({ kind, params });
    expect(words('priceBelow', { usd: 0.3, perListing: true })).toBe(
      'price below $0.30/GPU-hour, each listing',
    );
    expect(words('instanceState', { states: ['gone', 'offline'] })).toBe('an instance is gone or offline');
    expect(words('changePercent', { percent: 5, since: 24, direction: 'down' })).toBe(
      'price down by 5% in 24 h, $/GPU-hour',
    );
    for (const [kind, made] of Object.entries({ ...ruleKinds, ...accountRuleKinds, ...otherEventKinds })) {
      const sentence = words(kind, ruleParams(made, {}));
      expect(sentence, kind).not.toBe(kind);
      expect(sentence, kind).not.toContain('undefined');
    }
  });
});

describe('the axes of spend', () => {
  it('include every day, week and month, even without spend', () => {
    expect(filledTimes(['2026-03-01', '2026-02-27'], 'day')).toEqual([
      '2026-02-27',
      '2026-02-28',
      '2026-03-01',
    ]);
    expect(filledTimes(['2026-11-02', '2026-11-16'], 'week')).toEqual([
      '2026-11-02',
      '2026-11-09',
      '2026-11-16',
    ]);
    expect(filledTimes(['2025-12', '2026-02'], 'month')).toEqual(['2025-12', '2026-01', '2026-02']);
    expect(filledTimes(['b', 'a', 'b'], 'day')).toEqual(['a', 'b']);
    expect(filledTimes([], 'day')).toEqual([]);
    // Days without spend at the ends of a range are days too, but none after today.
    expect(rangeEnds('2026-11-16', '2026-11-23', 'day', '2026-11-26')).toEqual(['2026-11-16', '2026-11-22']);
    expect(rangeEnds('2026-11-01', '2026-12-01', 'week', '2026-11-26')).toEqual(['2026-10-26', '2026-11-23']);
    expect(rangeEnds('2026-10-01', '2026-12-01', 'month', '2026-11-26')).toEqual(['2026-10', '2026-11']);
    expect(rangeEnds(null, null, 'day', '2026-11-26')).toEqual([]);
    for (const text of ['', 'x', '2026-13-01', '2026-11-01T00:00:00Z']) {
      expect(rangeEnds(text, '2026-12-01', 'day', '2026-11-26'), text).toEqual([]);
      expect(rangeEnds('2026-10-01', text, 'week', '2026-11-26'), text).toEqual([]);
    }
  });

  it('say of which day, week or month an amount is', () => {
    expect((['day', 'week', 'month'] as const).map(spendTimeWord)).toEqual(['On', 'In the week from', 'In']);
  });

  it('have round amounts up to the highest bar', () => {
    expect(axisAmounts(10)).toEqual([2.5, 5, 7.5, 10]);
    // The last line is at or above the highest bar.
    expect(axisAmounts(7)).toEqual([2, 4, 6, 8]);
    expect(axisAmounts(0)).toEqual([]);
  });
});
