import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Sql } from '../../../src/database/connection.ts';
import { putOnBlocklist } from '../../../src/prices/rankings/blocklist.sql.ts';
import { listEvents } from '../../../src/rentals/events.sql.ts';
import { saveChannel } from '../../../src/watches/channels/channels.sql.ts';
import { findDelivery, listDeliveries } from '../../../src/watches/channels/deliveries.sql.ts';
import { createBookJudge } from '../../../src/watches/rules/judge-book.ts';
import type { Rule, RuleFields } from '../../../src/watches/rules/rule.ts';
import { editRule } from '../../../src/watches/rules/rule-changes.ts';
import { findRule } from '../../../src/watches/rules/rules.sql.ts';
import { editWatch } from '../../../src/watches/watch-changes.ts';
import { makeOffer } from '../../prices/made-offers.ts';
import { createTestDatabase } from '../../support/test-database.ts';
import { requireDescribedNotices } from '../described-webhooks.ts';
import { hourMs, makeRuleMarket, offersAt, type RuleMarket, startAt } from './market-of-rules.ts';

let sql: Sql;
beforeAll(async () => {
  ({ sql } = await createTestDatabase());
});

const hour = (index: number) => new Date(startAt + index * hourMs);
const below = { usd: 0.35 };

/** Lands books an hour apart. */
async function landHourly(market: RuleMarket, books: readonly (number | undefined)[][]): Promise<void> {
  for (const [index, prices] of books.entries()) await market.land(hour(index), offersAt(...prices));
}

const isSomebodyWaiting = async (): Promise<boolean> => {
  const rows =
    await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return rows.length > 0;
};

/** Until it has ended, or waits for another transaction. */
async function untilWaiting(work: Promise<unknown>): Promise<void> {
  let ended = false;
  const end = () => {
    ended = true;
  };
  work.then(end, end);
  await expect.poll(async () => ended || (await isSomebodyWaiting()), { timeout: 60_000 }).toBe(true);
}

/** A market of which one book can be kept from being stored once it is judged. */
async function makeHoldingMarket() {
  const [gate, reached] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const judge = createBookJudge({ now: () => hour(0), publicUrl: 'http://x', rentMarket: null });
  let holds = false;
  const market = await makeRuleMarket(sql, () => async (tx, book) => {
    await judge(tx, book);
    if (!holds) return;
    holds = false;
    reached.resolve();
    await gate.promise;
  });
  const holdNext = (): void => {
    holds = true;
  };
  return { market, holdNext, held: reached.promise, release: gate.resolve };
}

describe('a book that lands', () => {
  it('fires in its own transaction: alert and delivery exist exactly if the book does', async () => {
    const market = await makeRuleMarket(sql);
    const channelId = '0199c0de-0000-7000-8000-0000000000c1';
    await saveChannel(sql, {
      ...{ id: channelId, kind: 'file', name: 'of the judge', config: {}, secret: null, createdAt: hour(0) },
    });
    const watch = await market.watch({ channelIds: [channelId] });
    const rule = await market.rule(watch, 'priceBelow', below);
    await landHourly(market, [
      [0.4, 0.5],
      [0.3, 0.5],
    ]);
    expect(await market.fired(rule.id)).toEqual([1]);
    const [delivery] = await listDeliveries(sql, { channelId, state: null, after: null, limit: 10 });
    expect(delivery).toMatchObject({ kind: 'alert', ruleId: rule.id, watchId: watch.id, state: 'queued' });
    const whole = await findDelivery(sql, delivery?.id ?? '');
    expect(whole?.notice.data).toMatchObject({
      ...{ value: 0.3, baseline: 0.35, previous: 0.4, unit: 'USD/GPU/hour' },
      rule: { id: rule.id, kind: 'priceBelow' },
      offer: { machineId: 10, gpuName: 'RTX 4090', usdPerHour: 0.3 },
    });
    expect(whole?.notice.link).toBe('http://offerbook.test/rent/1?storageGb=8');
    const told = (await listEvents(sql, 0)).filter(({ marketId }) => marketId === market.marketId);
    expect(told.map(({ kind, data }) => [kind, data])).toEqual([
      [
        'alert',
        {
          count: 1,
          alerts: [
            {
              ...{ alertId: expect.any(String), ruleId: rule.id, watchId: watch.id, suppressed: null },
              ...{ bookId: expect.any(String), title: delivery?.title },
            },
          ],
        },
      ],
    ]);
    const failing = await makeRuleMarket(sql, () => async (tx, book) => {
      await createBookJudge({ now: () => hour(0), publicUrl: 'http://x', rentMarket: null })(tx, book);
      throw new Error('the book could not be stored');
    });
    const lost = await failing.rule(await failing.watch({ channelIds: [channelId] }), 'priceBelow', below);
    await expect(failing.land(hour(0), offersAt(0.3))).rejects.toThrow('could not be stored');
    expect(await failing.fired(lost.id)).toEqual([]);
    expect(await listDeliveries(sql, { channelId, state: null, after: null, limit: 10 })).toHaveLength(1);
  });

  interface Scene {
    books: (market: RuleMarket) => Promise<void>;
    /** Each book is judged by a process that was started for it. */
    restarts?: boolean;
  }
  const usual = [0.3, 0.4, 0.4] as const;
  it.each<[string, Scene]>([
    [
      'an offer that flaps',
      {
        books: async (market) => {
          for (const at of [1, 3, 4]) {
            await market.land(hour(at), offersAt(undefined, 0.4, 0.4));
            await market.land(hour(at + 0.5), offersAt(...usual));
          }
        },
      },
    ],
    [
      'a partial book',
      {
        books: async (market) => {
          await market.land(hour(1), offersAt(0.2), { verdict: 'partial' });
          await market.land(hour(2), offersAt(...usual));
          await market.land(hour(3), [], { verdict: 'partial' });
          await market.land(hour(4), offersAt(...usual));
        },
      },
    ],
    [
      'a late book',
      {
        books: async (market) => {
          await market.land(hour(2), offersAt(...usual));
          await market.land(hour(1), offersAt(0.2, 0.2));
          await market.land(hour(3), offersAt(...usual));
        },
      },
    ],
    [
      'an outlier price',
      {
        books: async (market) => {
          await market.land(hour(1), offersAt(...usual, 0.05));
          await market.land(hour(2), offersAt(...usual, undefined, 0.08));
        },
      },
    ],
    [
      'a blocked machine',
      {
        books: async (market) => {
          const { marketId } = market;
          const blocked = { machineId: 40, hostId: null, note: null };
          await putOnBlocklist(sql, { marketId, kind: 'block', ...blocked, at: hour(0) });
          await market.land(hour(1), offersAt(...usual, 0.2));
        },
      },
    ],
    [
      'a book that is landed again',
      {
        books: async (market) => {
          await market.land(hour(1), offersAt(...usual));
          await market.land(hour(1), offersAt(...usual));
          await market.land(hour(1), offersAt(0.2), { replace: true });
        },
      },
    ],
    [
      'a restart between two books',
      {
        restarts: true,
        books: async (market) => {
          for (const at of [1, 2, 3]) await market.land(hour(at), offersAt(...usual));
        },
      },
    ],
  ])('causes no false alarm: %s', async (_, { books, restarts = false }) => {
    const judge = () => createBookJudge({ now: () => hour(0), publicUrl: 'http://x', rentMarket: null });
    const market = await makeRuleMarket(sql, restarts ? judge : undefined);
    const watch = await market.watch();
    const rules = {
      price: await market.rule(watch, 'priceBelow', below),
      lowest: await market.rule(watch, 'lowestInDays', { days: 7 }),
      change: await market.rule(watch, 'changePercent', { percent: 20, since: 1 }),
      stock: await market.rule(watch, 'backInStock', {}),
      supply: await market.rule(watch, 'supplyBelow', { offers: 3 }),
      each: await market.rule(watch, 'priceBelow', { ...below, perListing: true }),
    };
    await market.land(hour(0), offersAt(...usual));
    await books(market);
    const fired = Object.fromEntries(
      await Promise.all(Object.entries(rules).map(async ([name, { id }]) => [name, await market.fired(id)])),
    );
    // Below the limit from the first book on, which alerts once.
    expect(fired).toEqual({ price: [0], lowest: [], change: [], stock: [], supply: [], each: [0] });
  });

  it('is stored and reported whatever names its watch and its offers have', async () => {
    const market = await makeRuleMarket(sql);
    const channelId = uuidv7();
    await saveChannel(sql, {
      ...{ id: channelId, kind: 'file', name: channelId, config: {}, secret: null, createdAt: hour(0) },
    });
    // Titles are cut to some length: for one of two neighbors that is within a character.
    const rules = [];
    for (const length of [78, 79]) {
      const watch = await market.watch({
        name: `${'x'.repeat(length)}${'\u{1F600}'.repeat(20)}`,
        channelIds: [channelId],
      });
      rules.push(await market.rule(watch, 'priceBelow', below));
    }
    for (const [index, length] of [58, 59].entries()) {
      const gpuName = `${'G'.repeat(length)}${'\u{1F680}'.repeat(20)}`;
      await market.land(hour(index), [makeOffer(index + 1, { gpuName, baseUsdPerHour: 0.3 - index / 10 })]);
      await market.land(hour(index + 0.25), offersAt(0.9));
      await market.land(hour(index + 0.5), offersAt(0.9));
    }
    expect(await Promise.all(rules.map(({ id }) => market.fired(id)))).toEqual([
      [0, 1],
      [0, 1],
    ]);
    const told = await listDeliveries(sql, { channelId, state: null, after: null, limit: 10 });
    expect(told.map(({ title }) => title.isWellFormed() && !title.includes('\uFFFD'))).toEqual(
      told.map(() => true),
    );
    expect(told).toHaveLength(4);
  });

  it('reports an offer that was gone and came back', async () => {
    const market = await makeRuleMarket(sql);
    const watch = await market.watch({ filters: { maxUsdPerHour: 0.35 } });
    const rule = await market.rule(watch, 'priceBelow', below);
    const stock = await market.rule(watch, 'backInStock', {});
    await landHourly(market, [
      [0.3, 0.4],
      [undefined, 0.4],
      [undefined, 0.4],
      [0.3, 0.4],
    ]);
    expect([await market.fired(rule.id), await market.fired(stock.id)]).toEqual([[0, 3], [3]]);
  });

  it('judges watches of models by narrow books and whole ones, each once and in order', async () => {
    const market = await makeRuleMarket(sql);
    const watch = await market.watch({ filters: { gpuName: ['RTX 4090'] } });
    const rule = await market.rule(watch, 'priceBelow', below);
    await market.land(hour(0), offersAt(0.4));
    await market.land(hour(1), offersAt(0.3), { scopeName: 'models:RTX 4090' });
    await market.land(hour(2), offersAt(0.3));
    await market.land(hour(3), offersAt(0.5), { scopeName: 'models:RTX 4090' });
    await market.land(hour(4), offersAt(0.3));
    expect(await market.fired(rule.id)).toEqual([1, 4]);
  });

  it('judges a rule once per walk, and by no book older than its last', async () => {
    const market = await makeRuleMarket(sql);
    const watch = await market.watch({ filters: { gpuName: ['RTX 4090'] } });
    const twice = await market.rule(watch, 'priceBelow', below, { of: { m: 2, n: 3 } });
    const once = await market.rule(watch, 'priceBelow', { usd: 0.25 });
    await market.land(hour(0), offersAt(0.3));
    await market.land(hour(0), offersAt(0.3), { scopeName: 'models:RTX 4090' });
    expect(await market.fired(twice.id)).toEqual([]);
    await market.land(hour(2), offersAt(0.3), { scopeName: 'models:RTX 4090' });
    expect(await market.fired(twice.id)).toEqual([2]);
    // The newest of its own series, but older than the last book that the rules checked.
    await market.land(hour(1), offersAt(0.2));
    expect(await market.fired(once.id)).toEqual([]);
  });

  it('of two series at once is judged one after the other', async () => {
    const { market, holdNext, held, release } = await makeHoldingMarket();
    const watch = await market.watch({ filters: { type: ['on-demand', 'bid'] } });
    const rule = await market.rule(watch, 'priceBelow', below);
    // Books of one type wait for each other where their offers are stored; those of two only where rules are judged.
    const bids = { type: 'bid' as const };
    await market.land(hour(0), offersAt(0.4));
    await market.land(hour(0), offersAt(0.4), bids);
    holdNext();
    const first = market.land(hour(1), offersAt(0.3));
    await held;
    const second = market.land(hour(2), offersAt(0.3), bids);
    await untilWaiting(second);
    release();
    await Promise.all([first, second]);
    expect(await market.fired(rule.id)).toEqual([1]);
  });

  it.each<[what: string, change: (watchId: string, rule: Rule) => Promise<unknown>]>([
    [
      'a rule',
      async (_, rule) => await editRule({ sql, now: () => hour(1.5) }, rule, { params: { days: 8 } }),
    ],
    [
      'a watch',
      async (watchId) =>
        await editWatch({ sql, now: () => hour(1.5) }, watchId, { profile: { storageGb: 9 } }),
    ],
  ])('is judged before a concurrent change of %s uses it as history', async (_, change) => {
    const { market, holdNext, held, release } = await makeHoldingMarket();
    const watch = await market.watch();
    const { id } = await market.rule(watch, 'lowestInDays', { days: 7 });
    await market.land(hour(0), offersAt(0.5));
    const rule = await findRule(sql, id);
    if (rule === null) throw new Error('the rule was not stored');
    holdNext();
    const landing = market.land(hour(1), offersAt(0.2));
    await held;
    const changing = change(watch.id, rule);
    await untilWaiting(changing);
    release();
    await Promise.all([landing, changing]);
    // The low of the book judged meanwhile is remembered, so this is not a new low.
    await market.land(hour(2), offersAt(0.3));
    expect(await market.fired(id)).toEqual([1]);
  });

  it('is stored even if a rule, a watch or a channel is deleted while it is judged', async () => {
    const market = await makeRuleMarket(sql);
    const channelId = uuidv7();
    await saveChannel(sql, {
      ...{ id: channelId, kind: 'file', name: channelId, config: {}, secret: null, createdAt: hour(0) },
    });
    const [kept, going] = [await market.watch({ channelIds: [channelId] }), await market.watch()];
    const rules = [
      await market.rule(kept, 'priceBelow', below),
      await market.rule(kept, 'priceBelow', below),
      await market.rule(going, 'priceBelow', below),
    ];
    let landing: Promise<void> | null = null;
    await sql.begin(async (tx) => {
      await tx`delete from rule where id = ${rules[0]?.id ?? ''}`;
      await tx`delete from watch where id = ${going.id}`;
      await tx`delete from channel where id = ${channelId}`;
      landing = market.land(hour(1), offersAt(0.3));
      await expect.poll(isSomebodyWaiting, { timeout: 60_000 }).toBe(true);
    });
    await landing;
    expect(await Promise.all(rules.map(({ id }) => market.fired(id)))).toEqual([[], [1], []]);
    expect(await listDeliveries(sql, { channelId, state: null, after: null, limit: 10 })).toEqual([]);
  });

  it('resets rules whose watch now looks for something else', async () => {
    const market = await makeRuleMarket(sql);
    const watch = await market.watch({ filters: { machineId: [10] } });
    const rules = [
      await market.rule(watch, 'changePercent', { percent: 20, since: 1 }),
      await market.rule(watch, 'lowestInDays', { days: 7 }),
    ];
    await landHourly(market, [
      [0.5, 0.3],
      [0.5, 0.3],
    ]);
    const edit = async (body: Parameters<typeof editWatch>[2]) =>
      await editWatch({ sql, now: () => hour(1) }, watch.id, body);
    await edit({ filters: { machineId: [20] } });
    await market.land(hour(2), offersAt(0.5, 0.3));
    await edit({ rankBy: 'usdPerDlperfHour' });
    await market.land(hour(3), offersAt(0.5, 0.3));
    await edit({ profile: { storageGb: 100 }, rankBy: 'allInUsdPerHour' });
    await market.land(hour(4), offersAt(0.5, 0.3));
    expect(await Promise.all(rules.map(({ id }) => market.fired(id)))).toEqual([[], []]);
    // A new name changes nothing: their state stays.
    await edit({ name: 'renamed', top: 3 });
    await market.land(hour(5), offersAt(0.5, 0.2));
    expect(await Promise.all(rules.map(({ id }) => market.fired(id)))).toEqual([[5], [5]]);
  });

  it('begins a rule anew that was off, with a complete history and its firings', async () => {
    const market = await makeRuleMarket(sql);
    const watch = await market.watch();
    const change = await market.rule(watch, 'changePercent', { percent: 20, since: 1 });
    const cheap = (fields: Partial<RuleFields>) => market.rule(watch, 'priceBelow', { usd: 0.6 }, fields);
    const plain = await cheap({});
    const once = await cheap({ rearm: 'never' });
    const cooling = await cheap({ cooldownMinutes: 240 });
    const turn = async (enabled: boolean, at: number): Promise<void> => {
      for (const { id } of [change, plain, once, cooling]) {
        const rule = await findRule(sql, id);
        if (rule !== null) await editRule({ sql, now: () => hour(at) }, rule, { enabled });
      }
    };
    await market.land(hour(0), offersAt(0.5));
    await turn(false, 0);
    await market.land(hour(1), offersAt(0.3));
    await market.land(hour(2), offersAt(0.3));
    await turn(true, 2);
    for (const at of [3, 4]) await market.land(hour(at), offersAt(0.3));
    const fired = [change, plain, once, cooling].map(({ id }) => market.fired(id));
    // The price was never back up: the plain one fires at the next book all the same, and then no more.
    expect(await Promise.all(fired)).toEqual([[], [0, 3], [0], [0, 4]]);
  });

  it('compares bids with on-demand in the newest books of both', async () => {
    const market = await makeRuleMarket(sql);
    const watch = await market.watch({ filters: { type: ['bid', 'on-demand'] } });
    const rule = await market.rule(watch, 'bidSpread', { percent: 50 });
    await market.land(hour(0), offersAt(0.4));
    await market.land(hour(1), offersAt(0.3), { type: 'bid' });
    await market.land(hour(2), offersAt(0.2), { type: 'bid' });
    expect(await market.fired(rule.id)).toEqual([2]);
  });

  it('holds back alerts for quiet hours and digests', async () => {
    const market = await makeRuleMarket(sql);
    const watch = await market.watch();
    const quiet = await market.rule(watch, 'priceBelow', below, {
      quietHours: { from: '22:00', to: '06:30', timeZone: 'UTC' },
    });
    const digest = await market.rule(watch, 'priceBelow', below, {
      digest: { cron: '0 8 * * *', timeZone: 'UTC' },
    });
    await market.land(hour(0), offersAt(0.3));
    const rows = await sql<{ ruleId: string; until: Date }[]>`
      select rule_id as "ruleId", held_until as until from alert where rule_id in ${sql([quiet.id, digest.id])}`;
    const until = new Map(rows.map((row) => [row.ruleId, row.until.toISOString()]));
    expect([until.get(quiet.id), until.get(digest.id)]).toEqual([
      '2026-07-01T06:30:00.000Z',
      '2026-07-01T08:00:00.000Z',
    ]);
  });

  it('fires alerts as webhooks are described', async () => {
    expect(await requireDescribedNotices(sql)).toEqual(['alert']);
  });
});
