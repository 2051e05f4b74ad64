import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, it } from 'vitest';
import { ensureMarket } from '../../../src/books/markets.sql.ts';
import type { Sql } from '../../../src/database/connection.ts';
import { createOutlierTests } from '../../../src/prices/verdicts/segment-medians.ts';
import { listEvents } from '../../../src/rentals/events.sql.ts';
import { saveCheaper } from '../../../src/rentals/instances/cheaper-plans.sql.ts';
import { limitsAfter, noEndLimits } from '../../../src/rentals/instances/end-limits.ts';
import { planEnding, planLimits, planState } from '../../../src/rentals/instances/plans.sql.ts';
import { changeBudget, insertBudget } from '../../../src/spend/budgets/budgets.sql.ts';
import { saveChannel } from '../../../src/watches/channels/channels.sql.ts';
import { listDeliveries } from '../../../src/watches/channels/deliveries.sql.ts';
import { releaseHeldAlerts } from '../../../src/watches/rules/digests.ts';
import { judgeEvents } from '../../../src/watches/rules/judge-events.ts';
import { type RuleFields, type RuleKind, ruleDefaults } from '../../../src/watches/rules/rule.ts';
import { saveRule } from '../../../src/watches/rules/rules.sql.ts';
import { landOffers, makeOffer } from '../../prices/made-offers.ts';
import { landBills, makeCharge } from '../../support/made-bills.ts';
import { createTestDatabase } from '../../support/test-database.ts';
import { requireDescribedNotices } from '../described-webhooks.ts';

let sql: Sql;
let markets = 0;
const start = Date.parse('2026-07-30T12:00:00Z');
const at = (minutes: number) => new Date(start + minutes * 60_000);

beforeAll(async () => {
  ({ sql } = await createTestDatabase());
});

async function place() {
  const outlierTests = createOutlierTests(sql);
  markets += 1;
  const { id: marketId } = await ensureMarket(sql, `events-${markets}`, 'live');
  const channelId = uuidv7();
  await saveChannel(sql, {
    ...{ id: channelId, kind: 'file', name: channelId, config: {}, secret: null, createdAt: at(0) },
  });
  return {
    marketId,
    channelId,
    rule: async (kind: RuleKind, params: object, fields: Partial<RuleFields> = {}) => {
      const rule = { ...ruleDefaults, ...fields, id: uuidv7(), watchId: null, kind, params: { ...params } };
      await saveRule(sql, { ...rule, channelIds: [channelId] }, { marketId, states: [], now: at(0) });
      return rule.id;
    },
    judge: async (minutes: number) =>
      await judgeEvents(sql, { marketId, now: at(minutes), publicUrl: 'http://x', outlierTests }),
    titles: async () =>
      (await listDeliveries(sql, { channelId, state: null, after: null, limit: 100 }))
        .map(({ title }) => title)
        .reverse(),
    poll: async (minutes: number, load: Record<number, number | null>) => {
      await sql`insert into instance_poll (market_id, polled_at, instances, unidentified)
        values (${marketId}, ${at(minutes)}, ${Object.keys(load).length}, 0)`;
      for (const [id, percent] of Object.entries(load)) {
        await sql`insert into instance_sample (market_id, instance_id, polled_at, gpu_util_percent)
          values (${marketId}, ${Number(id)}, ${at(minutes)}, ${percent})`;
      }
    },
    instance: async (
      instanceId: number,
      fields: { status?: string | null; usdPerHour?: number; machineId?: number } = {},
    ) => {
      const { status = 'running', usdPerHour = 1, machineId = 10 } = fields;
      await sql`insert into instance (market_id, instance_id, first_seen_at, last_seen_at, actual_status, machine_id,
          gpu_name, num_gpus, type, disk_space_gb, base_usd_per_hour, listed_usd_per_hour, storage_usd_per_gb_month, raw)
        values (${marketId}, ${instanceId}, ${at(-600)}, ${at(0)}, ${status}, ${machineId}, 'RTX 4090', 1, 'on-demand',
          100, ${usdPerHour}, ${usdPerHour}, 0.072, '{}')
        on conflict (market_id, instance_id) do update set actual_status = excluded.actual_status`;
      await sql`insert into instance_rate (market_id, instance_id, from_at, computing, base_usd_per_hour,
          storage_usd_per_hour, seen_at)
        values (${marketId}, ${instanceId}, ${at(-600)}, ${status === 'running'}, ${usdPerHour}, 0.01, ${at(-600)})`;
    },
  };
}

describe('rules on events', () => {
  it('report old data once, and again after it was fresh', async () => {
    const { marketId, rule, judge, titles } = await place();
    await rule('dataAge', { minutes: 60 });
    await landOffers(sql, marketId, at(0).toISOString(), [makeOffer(1)]);
    expect([await judge(30), await judge(60), await judge(90)]).toEqual([0, 1, 0]);
    await landOffers(sql, marketId, at(100).toISOString(), [makeOffer(1)]);
    expect([await judge(101), await judge(161)]).toEqual([0, 1]);
    expect(await titles()).toEqual([
      expect.stringContaining('60 minutes old'),
      expect.stringContaining('61 minutes old'),
    ]);
  });

  it('report partial books by series', async () => {
    const { marketId, rule, judge, titles } = await place();
    await rule('crawlPartial', {});
    await landOffers(sql, marketId, at(0).toISOString(), [makeOffer(1)]);
    expect(await judge(1)).toBe(0);
    await landOffers(sql, marketId, at(2).toISOString(), [makeOffer(1)], { verdict: 'partial' });
    await landOffers(sql, marketId, at(3).toISOString(), [makeOffer(1)], { verdict: 'partial', type: 'bid' });
    expect([await judge(4), await judge(5)]).toEqual([2, 0]);
    expect(await titles()).toEqual([
      expect.stringContaining('bid book'),
      expect.stringContaining('on-demand book'),
    ]);
  });

  it('report the burn rate, states and idle GPUs, each instance separately', async () => {
    const { marketId, rule, judge, titles, poll, instance } = await place();
    await rule('burnAbove', { usdPerHour: 1.5 });
    await rule('instanceState', { states: ['exited'] });
    await rule('idleGpu', {});
    await instance(1);
    for (let minute = 0; minute <= 60; minute += 10) await poll(minute, { 1: 1, 2: minute === 20 ? 90 : 1 });
    expect(await judge(30)).toBe(0);
    await instance(2);
    await instance(3, { status: 'exited' });
    // Idle is 1 alone: 2 was busy at 20 minutes.
    expect([await judge(60), await judge(61)]).toEqual([3, 0]);
    const told = (await listEvents(sql, 0)).filter((event) => event.marketId === marketId);
    expect(told.map(({ kind, data }) => [kind, data.count])).toEqual([['alert', 3]]);
    expect((await titles()).toSorted()).toEqual([
      expect.stringMatching(/instance 1, RTX 4090 has been idle/),
      expect.stringMatching(/instance 3, RTX 4090 is exited/),
      expect.stringMatching(/burns \$2\.0300 an hour/),
    ]);
  });

  it('report each end by a limit once before it and once after it', async () => {
    const { marketId, rule, judge, titles, instance } = await place();
    await rule('instanceLimit', {});
    await instance(1);
    await instance(2);
    const ends = limitsAfter({ maxUsd: 12, endAction: 'destroy' }, noEndLimits, { begin: at(0), at: at(0) });
    await planLimits(sql, marketId, 1, { ends });
    await planLimits(sql, marketId, 2, { ends });
    expect(await judge(1)).toBe(0);
    const ending = {
      limit: 'maxUsd',
      at: at(20).toISOString(),
      reading: 'spent $11.80 of $12',
      key: 'maxUsd 12',
    } as const;
    await planEnding(sql, marketId, 1, ending);
    expect([await judge(5), await judge(6)]).toEqual([1, 0]);
    await planEnding(sql, marketId, 1, {
      ...ending,
      at: at(21).toISOString(),
      reading: 'spent $11.81 of $12',
    });
    expect(await judge(7)).toBe(0);
    await planEnding(sql, marketId, 1, null);
    await planState(sql, marketId, 1, { wanted: 'destroyed', at: at(21), by: 'maxUsd' });
    await planState(sql, marketId, 2, { wanted: 'stopped', at: at(21), by: 'tester' });
    expect([await judge(21), await judge(22), await judge(90)]).toEqual([1, 0, 0]);
    const minute = (of: Date): string => of.toISOString().slice(0, 16).replace('T', ' ');
    expect(await titles()).toEqual([
      expect.stringContaining(
        `instance 1, RTX 4090 will be destroyed about ${minute(at(20))} UTC by its limit maxUsd: spent $11.80 of $12`,
      ),
      expect.stringContaining(
        `instance 1, RTX 4090 was destroyed at ${minute(at(21))} UTC by its limit maxUsd`,
      ),
    ]);
  });

  it('report a cheaper machine once, and once more why it was not rented', async () => {
    const { marketId, rule, judge, titles, instance } = await place();
    await rule('instanceLimit', {});
    await instance(1);
    const ends = limitsAfter({ cheaperPercent: 10 }, noEndLimits, { begin: at(0), at: at(0) });
    await planLimits(sql, marketId, 1, { ends });
    const offer = { offerId: 7, machineId: 8, usdPerHour: 0.4, instanceUsdPerHour: 0.5 };
    const found = { books: [{ id: 2, found: true }], offer, bookId: 2, replacement: null };
    await saveCheaper(sql, marketId, 1, { ...found, offer: null, bookId: null });
    expect(await judge(1)).toBe(0);
    await saveCheaper(sql, marketId, 1, found);
    expect([await judge(2), await judge(3)]).toEqual([1, 0]);
    const replacement = { rentalId: null, problem: 'ACTIONS is off.' };
    await saveCheaper(sql, marketId, 1, { ...found, replacement });
    expect([await judge(4), await judge(5)]).toEqual([1, 0]);
    expect(await titles()).toEqual([
      expect.stringMatching(/offer 7 costs \$0\.4\S*, instance 1, RTX 4090 \$0\.5\S*$/),
      expect.stringContaining('not rented: ACTIONS is off.'),
    ]);
  });

  it('report a budget whose share is spent, once a month', async () => {
    const { marketId, rule, judge, titles } = await place();
    const id = uuidv7();
    const budget = { label: null, monthlyUsd: '10', alertAt: [0.8], blockRentals: false, timeZone: 'UTC' };
    await insertBudget(sql, marketId, { ...budget, id, createdAt: at(0) });
    await rule('budget', { budgetId: id, share: 0.8 });
    // July has two days left.
    const spent = async (minutes: number, ...charges: [day: string, amountUsd: string][]) =>
      await landBills(
        ...([sql, marketId, 'charge', at(minutes).toISOString()] as const),
        charges.map(([day, amountUsd], index) =>
          makeCharge(index + 1, { start: `${day}T00:00:00Z`, end: `${day}T01:00:00Z`, amountUsd }),
        ),
      );
    const days = 1_440;
    await spent(0, ['2026-07-29', '7.9']);
    expect(await judge(1)).toBe(0);
    await spent(2, ['2026-07-29', '7.9'], ['2026-07-30', '0.2']);
    expect([await judge(3), await judge(4)]).toEqual([1, 0]);
    expect(await judge(2 * days)).toBe(0);
    await spent(2 * days + 1, ['2026-07-29', '7.9'], ['2026-07-30', '0.2'], ['2026-08-01', '9']);
    expect([await judge(2 * days + 2), await judge(2 * days + 3)]).toEqual([1, 0]);
    expect(await titles()).toEqual([
      expect.stringMatching(/81% of the budget for 2026-07 is spent$/),
      expect.stringMatching(/90% of the budget for 2026-08 is spent$/),
    ]);
    // Without its own share a rule alerts at each share of the budget.
    await changeBudget(sql, id, { alertAt: [0.5, 0.95, 1.2] });
    await rule('budget', { budgetId: id });
    expect([await judge(2 * days + 4), await judge(2 * days + 5)]).toEqual([1, 0]);
    await spent(2 * days + 6, ['2026-07-29', '7.9'], ['2026-07-30', '0.2'], ['2026-08-01', '11']);
    expect([await judge(2 * days + 7), await judge(2 * days + 8)]).toEqual([1, 0]);
    expect((await titles()).slice(2)).toEqual([
      expect.stringMatching(/90% of the budget for 2026-08 is spent: it alerts at 50%$/),
      expect.stringMatching(/110% of the budget for 2026-08 is spent: it alerts at 95%$/),
    ]);
  });

  it('report an equivalent machine that is 5% cheaper, but no outliers, lesser machines or its own', async () => {
    const { marketId, rule, judge, titles, instance } = await place();
    await rule('cheaperEqual', { percent: 5 });
    const offer = (id: number, base: number, more: object = {}) =>
      makeOffer(id, { baseUsdPerHour: base, storageUsdPerGbMonth: 0.072, reliability: 0.98, ...more });
    const others = [11, 12, 13, 14, 15].map((id) => offer(id, 1.2));
    const own = offer(1, 1);
    await instance(1, { usdPerHour: 1 });
    await landOffers(sql, marketId, at(-2_880).toISOString(), [own, ...others]);
    const lesser = [
      ...[offer(2, 0.5, { verification: 'unverified' }), offer(3, 0.5, { reliability: 0.9 })],
      ...[offer(4, 0.5, { diskSpaceGb: 50 }), offer(5, 0.5, { numGpus: 2 }), offer(6, 0.05), offer(7, 0.97)],
    ];
    await landOffers(sql, marketId, at(0).toISOString(), [own, ...others, ...lesser]);
    expect(await judge(1)).toBe(0);
    await landOffers(sql, marketId, at(10).toISOString(), [own, ...others, ...lesser, offer(8, 0.9)]);
    expect([await judge(11), await judge(12)]).toEqual([1, 0]);
    expect(await titles()).toEqual([
      expect.stringMatching(/offer 8 costs \$0\.9100\/hour, instance 1, RTX 4090 \$1\.0100\/hour/),
    ]);
  });

  it('report failed deliveries, but not their own', async () => {
    const { rule, judge, titles, channelId, marketId } = await place();
    const other = await place();
    const lost = async (ruleId: string | null) =>
      await sql`insert into delivery (id, channel_id, notice, kind, title, rule_id, state, created_at, next_attempt_at, ended_at, problem)
        values (${uuidv7()}, ${other.channelId}, '{}', 'alert', 'x', ${ruleId}, 'failed', ${at(0)}, ${at(0)}, ${at(1)}, 'HTTP 500')`;
    const id = await rule('delivery', {});
    await lost(id);
    expect(await judge(2)).toBe(0);
    await lost(null);
    expect([await judge(3), await judge(4)]).toEqual([1, 0]);
    expect((await titles())[0]).toMatch(/1 delivery to .* failed: HTTP 500/);
    expect([channelId === other.channelId, marketId === other.marketId]).toEqual([false, false]);
  });

  it('collect alerts of a digest into one notice', async () => {
    const { rule, judge, titles, instance } = await place();
    await rule('instanceState', { states: ['exited'] }, { digest: { cron: '0 * * * *', timeZone: 'UTC' } });
    await instance(1, { status: 'exited' });
    await judge(1);
    await instance(2, { status: 'exited' });
    await judge(2);
    await releaseHeldAlerts(sql, at(59));
    expect(await titles()).toEqual([]);
    await releaseHeldAlerts(sql, at(60));
    await releaseHeldAlerts(sql, at(61));
    expect(await titles()).toEqual([expect.stringMatching(/: 2 alerts$/)]);
  });

  it('are as webhooks are described', async () => {
    expect(await requireDescribedNotices(sql)).toEqual(['alert', 'digest']);
  });
});
