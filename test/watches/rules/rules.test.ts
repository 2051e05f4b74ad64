import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ChannelAnswer } from '../../../src/watches/channels/channels.routes.ts';
import { addDeliveries } from '../../../src/watches/channels/deliveries.sql.ts';
import type { Notice } from '../../../src/watches/channels/notice.ts';
import type { MarketAlertAnswer } from '../../../src/watches/rules/alerts.routes.ts';
import { addAlerts } from '../../../src/watches/rules/kept-alerts.sql.ts';
import type { BacktestAnswer, RuleAnswer } from '../../../src/watches/rules/rule-answers.ts';
import type { WatchAnswer } from '../../../src/watches/watches.routes.ts';
import { landOffers, makeOffer } from '../../prices/made-offers.ts';
import { createTestApp, readProblem, type TestApp } from '../../support/test-app.ts';

let test: TestApp;
let watch: WatchAnswer;

const send = async (method: string, address: string, body?: unknown) =>
  await test.app.request(address, {
    method,
    headers: { authorization: `Bearer ${test.tokens.operator}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
const add = async <T>(path: string, body: object): Promise<T> => {
  const response = await send('POST', path, body);
  expect(response.status, await response.clone().text()).toBe(201);
  return (await response.json()) as T;
};
const wrong = async (body: object): Promise<string[]> =>
  (await readProblem(await send('POST', '/api/rules', body), 400)).errors.map(({ name }) => name);

beforeAll(async () => {
  test = await createTestApp();
  // A day of books an hour apart; cheap at hours 5 and 17.
  for (let hour = 0; hour < 24; hour += 1) {
    const price = hour % 12 === 5 ? 0.3 : 0.5;
    const at = new Date(Date.UTC(2026, 6, 30, hour)).toISOString();
    await landOffers(test.sql, test.market.id, at, [
      makeOffer(1, { baseUsdPerHour: price, storageUsdPerGbMonth: 0 }),
    ]);
  }
  watch = await add<WatchAnswer>('/api/watches', { name: 'cheap', rankBy: 'usdPerGpuHour' });
}, 120_000);

describe('/api/rules', () => {
  it('only require kind and params, and have the documented defaults', async () => {
    const rule = await add<RuleAnswer>('/api/rules', {
      watchId: watch.id,
      kind: 'priceBelow',
      params: { usd: 0.4 },
    });
    expect(rule).toEqual({
      ...{
        id: expect.any(String),
        market: 'test-market',
        watchId: watch.id,
        kind: 'priceBelow',
        params: { metric: 'usdPerGpuHour', usd: 0.4 },
        unit: 'USD/GPU/hour',
      },
      ...{ of: { m: 1, n: 1 }, hysteresisPercent: 0, cooldownMinutes: 0, rearm: 'leave', quietHours: null },
      ...{ dailyCap: null, digest: null, channelIds: [], enabled: true, lastFiredAt: null },
      lastDeliveries: [],
    });
    expect(await test.json(`/api/rules/${rule.id}`)).toEqual(rule);
    const changed = await send('PATCH', `/api/rules/${rule.id}`, {
      ...{ of: { m: 2, n: 3 }, rearm: { afterMinutes: 60 }, quietHours: { from: '22:00', to: '06:00' } },
    });
    expect(await changed.json()).toMatchObject({
      ...{ of: { m: 2, n: 3 }, rearm: { afterMinutes: 60 }, params: { usd: 0.4 } },
      quietHours: { from: '22:00', to: '06:00', timeZone: 'UTC' },
    });
    expect(await test.json(`/api/rules/${rule.id}/alerts`)).toEqual({ items: [], nextCursor: null });
    expect(await test.json(`/api/rules?watchId=${watch.id}`)).toMatchObject({ items: [{ id: rule.id }] });
    expect((await send('DELETE', `/api/rules/${rule.id}`)).status).toBe(204);
    await readProblem(await send('DELETE', `/api/rules/${rule.id}`), 404);
  });

  it('name everything that does not fit their kind', async () => {
    const { id: watchId } = watch;
    expect(await wrong({ watchId, kind: 'priceBelow', params: { usd: -1 } })).toEqual(['params.usd']);
    expect(await wrong({ watchId, kind: 'priceBelow' })).toEqual(['params.usd']);
    expect(await wrong({ watchId, kind: 'lowestInDays', params: { days: 400, usd: 1 } })).toEqual([
      'params.days',
      'params.usd',
    ]);
    expect(await wrong({ kind: 'priceBelow', params: { usd: 1 } })).toEqual(['watchId']);
    expect(await wrong({ watchId, kind: 'dataAge', params: { minutes: 60 } })).toEqual(['watchId']);
    expect(await wrong({ watchId, kind: 'bidSpread', params: { percent: 10 } })).toEqual(['watchId']);
    expect(await wrong({ watchId, kind: 'priceBelow', params: { usd: 1 }, of: { m: 3, n: 2 } })).toEqual([
      'of.m',
    ]);
    expect(await wrong({ watchId, kind: 'cheap', params: {}, rearm: 'often' })).toContain('kind');
    const digest = { cron: 'H 8 * * *' };
    expect(await wrong({ watchId, kind: 'backInStock', digest })).toEqual(['digest.cron']);
    const channelIds = ['0199c0de-0000-7000-8000-000000000000'];
    expect(await wrong({ watchId, kind: 'backInStock', channelIds })).toEqual(['channelIds']);
  });
});

describe('POST /api/rules/backtest', () => {
  const backtest = async (body: object): Promise<BacktestAnswer> => {
    const response = await send('POST', '/api/rules/backtest', body);
    expect(response.status, await response.clone().text()).toBe(200);
    return (await response.json()) as BacktestAnswer;
  };
  const rule = (fields: object) => ({
    watchId: watch.id,
    kind: 'priceBelow',
    params: { usd: 0.4 },
    ...fields,
  });

  it('returns how often and when a rule would have fired in the last 30 days', async () => {
    const answer = await backtest(rule({}));
    expect([answer.books, answer.count]).toEqual([24, 2]);
    expect(answer.firstAt).toBe('2026-07-30T00:00:00.000Z');
    expect(
      answer.firings.map(({ at, value, previous, offer }) => [at, value, previous, offer?.machineId]),
    ).toEqual([
      ['2026-07-30T05:00:00.000Z', 0.3, 0.5, 10],
      ['2026-07-30T17:00:00.000Z', 0.3, 0.5, 10],
    ]);
    expect(await test.json('/api/rules')).toEqual({ items: [], nextCursor: null });
  });

  it('returns what the rule sees now, in its unit, and whether it would fire at once', async () => {
    const tried = async (params: object, more: object = {}) => await backtest(rule({ params, ...more }));
    // The newest book has nothing below 0.5.
    expect(await tried({ usd: 0.4 })).toMatchObject({
      unit: 'USD/GPU/hour',
      now: { at: '2026-07-30T23:00:00.000Z', value: 0.5, fires: false },
    });
    expect(await tried({ usd: 0.6 })).toMatchObject({ now: { value: 0.5, fires: true } });
    expect(await tried({ usd: 0.6, metric: 'usdPerDlperfHour' })).toMatchObject({ unit: 'USD/DLPerf/hour' });
    const lows = { kind: 'lowestInDays' };
    expect((await tried({ days: 7 }, lows)).now).toMatchObject({ value: 0.5, fires: false });
    const stock = { kind: 'backInStock' };
    expect(await tried({}, stock)).toMatchObject({ unit: 'offers', now: { fires: false } });
  });

  it('starts at the first complete book if the whole history is requested', async () => {
    const whole = await backtest(rule({ params: { usd: 0.1 }, wholeHistory: true }));
    expect(whole).toMatchObject({ from: '2026-07-30T00:00:00.000Z', books: 24, count: 0 });
    const both = { ...rule({}), wholeHistory: true, from: '2026-07-30T12:00:00Z' };
    expect((await readProblem(await send('POST', '/api/rules/backtest', both), 400)).detail).toContain(
      'from',
    );
  });

  it('stays within the requested range and trigger condition', async () => {
    expect((await backtest(rule({ from: '2026-07-30T12:00:00Z' }))).count).toBe(1);
    expect((await backtest(rule({ rearm: 'never' }))).count).toBe(1);
    expect((await backtest(rule({ of: { m: 2, n: 2 } }))).count).toBe(0);
    const lows = { watchId: watch.id, kind: 'lowestInDays', params: { days: 7 } };
    expect((await backtest(lows)).firings.map(({ at }) => at)).toEqual(['2026-07-30T05:00:00.000Z']);
  });

  it('refuses rules on events, unknown watches and invalid ranges', async () => {
    const refused = async (body: object, status: number) =>
      await readProblem(await send('POST', '/api/rules/backtest', body), status);
    await refused({ kind: 'dataAge', params: { minutes: 5 } }, 400);
    await refused(rule({ watchId: '0199c0de-0000-7000-8000-000000000000' }), 404);
    await refused(rule({ from: '2026-07-30T00:00:00Z', to: '2026-07-29T00:00:00Z' }), 400);
  });

  it('list all firings in a range, with the models that each watch names', async () => {
    const named = await add<WatchAnswer>('/api/watches', {
      name: 'named',
      filters: { gpuName: [makeOffer(1, {}).gpuName] },
    });
    const rule = await add<RuleAnswer>('/api/rules', { watchId: named.id, kind: 'backInStock' });
    const event = await add<RuleAnswer>('/api/rules', { kind: 'crawlPartial' });
    const hour = (at: number): Date => new Date(Date.UTC(2026, 6, 30, at));
    const named9 = { offer: { listingId: '7' } };
    const noticeOf = (ruleId: string, at: number, data: object) =>
      ({
        ...{ kind: 'alert', title: `at ${at}`, at: hour(at).toISOString(), ruleId, watchId: named.id },
        ...{ lines: [], link: null, data },
      }) as Notice;
    const alert = (ruleId: string, at: number) => ({
      ...{
        id: uuidv7(),
        ruleId,
        marketId: test.market.id,
        at: hour(at),
        bookId: null,
        value: at,
        baseline: null,
        previous: null,
      },
      // The last one names an offer.
      notice: noticeOf(ruleId, at, at === 9 ? named9 : {}),
      heldUntil: null,
      suppressed: null,
    });
    await addAlerts(test.sql, [alert(rule.id, 1), alert(event.id, 2), alert(rule.id, 9)], test.clock.now);
    const titles = async (query: string) =>
      (await test.json<{ items: MarketAlertAnswer[] }>(`/api/alerts${query}`)).items.map(
        ({ title }) => title,
      );
    expect(await titles('')).toEqual(['at 9', 'at 2', 'at 1']);
    // The list of rules says when each fired last.
    const fired = { id: rule.id, lastFiredAt: '2026-07-30T09:00:00.000Z' };
    expect(await test.json(`/api/rules?watchId=${named.id}`)).toMatchObject({ items: [fired] });
    expect(await test.json(`/api/rules/${rule.id}`)).toMatchObject(fired);
    expect(await titles('?from=2026-07-30T01:00:00Z&to=2026-07-30T09:00:00Z')).toEqual(['at 2', 'at 1']);
    const first = await test.json<{ items: MarketAlertAnswer[]; nextCursor: string }>('/api/alerts?limit=2');
    expect(
      first.items.map(({ watchId, gpuNames, kind, listingId }) => ({ watchId, gpuNames, kind, listingId })),
    ).toEqual([
      { watchId: named.id, gpuNames: named.filters.gpuName, kind: 'backInStock', listingId: '7' },
      { watchId: null, gpuNames: [], kind: 'crawlPartial', listingId: null },
    ]);
    expect(await titles(`?limit=2&cursor=${first.nextCursor}`)).toEqual(['at 1']);
    // The newest is refused as it is, the oldest within a digest; that between is sent.
    const channelId = uuidv7();
    await test.sql`insert into channel (id, kind, name, config, created_at)
      values (${channelId}, 'file', 'refusing', '{}', ${test.clock.now})`;
    const digest = {
      ...noticeOf(rule.id, 1, {}),
      ...{ kind: 'digest', title: 'named: 2 alerts' },
      lines: ['2026-07-30 01:00 UTC: at 1'],
    } as Notice;
    const entries = [noticeOf(rule.id, 9, named9), noticeOf(event.id, 2, {}), digest];
    await addDeliveries(
      test.sql,
      entries.map((notice) => ({ notice, channelIds: [channelId] })),
      test.clock.now,
    );
    const end = async (state: string, title: string, second: number) =>
      await test.sql`update delivery set state = ${state}, problem = ${state}, ended_at = ${hour(10)}::timestamptz
        + make_interval(secs => ${second}) where title = ${title}`;
    await end('sent', 'at 2', 1);
    await end('refused', 'at 9', 2);
    await end('failed', 'named: 2 alerts', 3);
    type Alerts = { items: { title: string; undeliveredTo: string[] }[] };
    const undelivered = async (path: string) =>
      (await test.json<Alerts>(path)).items.map(({ title, undeliveredTo }) => [title, ...undeliveredTo]);
    expect(await undelivered('/api/alerts')).toEqual([['at 9', 'refusing'], ['at 2'], ['at 1', 'refusing']]);
    expect(await undelivered(`/api/rules/${rule.id}/alerts`)).toEqual([
      ['at 9', 'refusing'],
      ['at 1', 'refusing'],
    ]);
    type Rules = { items: { id: string; lastDeliveries: { channel: string; state: string }[] }[] };
    const last = async () =>
      (await test.json<Rules>('/api/rules')).items
        .filter(({ id }) => id === rule.id || id === event.id)
        .map(({ id, lastDeliveries }) => [
          id,
          ...lastDeliveries.map(({ channel, state }) => `${channel} ${state}`),
        ]);
    expect(new Set(await last())).toEqual(
      new Set([
        [rule.id, 'refusing refused'],
        [event.id, 'refusing sent'],
      ]),
    );
    const became = async () =>
      (await test.json<{ items: { deliveries: unknown[] }[] }>(`/api/rules/${rule.id}/alerts`)).items.map(
        ({ deliveries }) => deliveries,
      );
    const refusing = { channel: 'refusing' };
    expect(await became()).toEqual([
      [{ ...refusing, state: 'refused', problem: 'refused' }],
      [{ ...refusing, state: 'failed', problem: 'failed' }],
    ]);
    const channel = async () => await test.json<ChannelAnswer>(`/api/channels/${channelId}`);
    expect(await channel()).toMatchObject({
      undelivered: 2,
      lastDelivery: {
        ...{ state: 'failed', title: 'named: 2 alerts', problem: 'failed' },
        endedAt: '2026-07-30T10:00:03.000Z',
      },
    });
    await end('sent', 'named: 2 alerts', 4);
    expect(await channel()).toMatchObject({ undelivered: 0, lastDelivery: { state: 'sent' } });
    expect(await undelivered('/api/alerts')).toEqual([['at 9', 'refusing'], ['at 2'], ['at 1']]);
  });
});
