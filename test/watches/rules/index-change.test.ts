import { beforeAll, describe, expect, it } from 'vitest';
import type { Sql } from '../../../src/database/connection.ts';
import { backtestRule } from '../../../src/watches/rules/backtest.ts';
import { editWatch } from '../../../src/watches/watch-changes.ts';
import { findWatch } from '../../../src/watches/watches.sql.ts';
import { makeOffer } from '../../prices/made-offers.ts';
import { createTestDatabase } from '../../support/test-database.ts';
import { hourMs, makeRuleMarket, startAt } from './market-of-rules.ts';

let sql: Sql;
beforeAll(async () => {
  ({ sql } = await createTestDatabase());
});

const dayMs = 24 * hourMs;
const noon = (day: number) => new Date(startAt + day * dayMs + 12 * hourMs);

async function findScopeOf(marketId: number, name: string): Promise<{ id: number }> {
  const [scope] = await sql<
    { id: number }[]
  >`select id from scope where market_id = ${marketId} and name = ${name}`;
  if (scope === undefined) throw new Error(`no scope is called ${name}`);
  return scope;
}

/** Offers of machines of four hosts; those of `places` ask so much. */
const machines = (places: readonly number[], usd: number) =>
  places.map((place) =>
    makeOffer(place, {
      machineId: 100 + place,
      hostId: 1 + (place % 4),
      gpuName: 'RTX 4090',
      baseUsdPerHour: usd,
      storageUsdPerGbMonth: 0,
    }),
  );
const cheap = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
const dear = [11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22];

describe('a rule on the like-for-like index', () => {
  it('fires when the same machines cost more, and not when other machines are free', async () => {
    const market = await makeRuleMarket(sql);
    const watch = await market.watch({ filters: { gpuName: ['RTX 4090'], type: ['on-demand'] } });
    const rule = await market.rule(watch, 'indexChange', { percent: 5, days: 1 });
    await market.land(noon(0), [...machines(cheap, 0.3), ...machines(dear.slice(0, 2), 0.9)]);
    // The median triples because cheap offers are taken, while no price changed.
    await market.land(noon(1), [...machines(cheap.slice(0, 2), 0.3), ...machines(dear, 0.9)]);
    await market.land(noon(2), [...machines(cheap, 0.3), ...machines(dear, 0.9)]);
    expect(await market.fired(rule.id)).toEqual([]);
    await market.land(noon(3), [...machines(cheap, 0.33), ...machines(dear, 0.99)]);
    expect(await market.fired(rule.id)).toEqual([3 * 24 + 12]);
    const [alert] = await sql<{ value: number; title: string }[]>`
      select value, notice::json->>'title' as title from alert where rule_id = ${rule.id}`;
    expect(alert?.value).toBeCloseTo(10, 6);
    expect(alert?.title).toContain('prices like for like up 10.0% in 1 day');
    const past = await backtestRule(sql, {
      marketId: market.marketId,
      watch: { ...watch, scopeId: -1 },
      rule,
      from: noon(-1),
      to: noon(4),
    });
    expect(past.firings.map(({ at, value }) => [at, value?.toFixed(6)])).toEqual([[noon(3), '10.000000']]);
  });

  it('fires once while a change lasts, even if the watch has a book before the whole market that day', async () => {
    const market = await makeRuleMarket(sql);
    const watch = await market.watch({ filters: { gpuName: ['RTX 4090'], type: ['on-demand'] } });
    const rule = await market.rule(watch, 'indexChange', { percent: 5, days: 7 });
    for (let day = 0; day < 7; day += 1) await market.land(noon(day), machines(cheap, 0.3));
    await market.land(noon(7), machines(cheap, 0.33));
    expect(await market.fired(rule.id)).toEqual([7 * 24 + 12]);
    const ofWatch = { scopeName: 'models:RTX 4090' };
    await market.land(new Date(noon(8).getTime() - 11 * hourMs), machines(cheap, 0.33), ofWatch);
    await market.land(noon(8), machines(cheap, 0.33));
    expect(await market.fired(rule.id)).toEqual([7 * 24 + 12]);
    const { id: scopeId } = await findScopeOf(market.marketId, ofWatch.scopeName);
    const past = await backtestRule(sql, {
      marketId: market.marketId,
      watch: { ...watch, scopeId },
      rule,
      from: noon(-1),
      to: noon(9),
    });
    expect(past.firings.map(({ at }) => at)).toEqual([noon(7)]);
  });

  it('does not fire if too few machines changed to be certain', async () => {
    const market = await makeRuleMarket(sql);
    const watch = await market.watch({ filters: { gpuName: ['RTX 4090'], type: ['on-demand'] } });
    const rule = await market.rule(watch, 'indexChange', { percent: 5, days: 1 });
    const few = cheap.slice(0, 6);
    await market.land(noon(0), machines(few, 0.3));
    await market.land(noon(1), machines(few, 0.33));
    expect(await market.fired(rule.id)).toEqual([]);
  });

  it('refuses a watch with filters for several models or types, or a spread with one type', async () => {
    const market = await makeRuleMarket(sql);
    const filters = { gpuName: ['RTX 4090'], type: ['on-demand' as const] };
    const edit = (watch: { id: string }, other: object) =>
      editWatch({ sql, now: () => noon(1) }, watch.id, { filters: { ...filters, ...other } });
    const watch = await market.watch({ filters });
    await market.rule(watch, 'indexChange', { percent: 5, days: 1 });
    for (const other of [
      { gpuName: ['RTX 4090', 'RTX 3090'] },
      { gpuName: [] },
      { type: ['on-demand', 'bid'] },
    ])
      await expect(edit(watch, other)).rejects.toThrow(/`filters` .*exactly one model and one type/);
    expect((await findWatch(sql, watch.id))?.filters).toEqual(filters);
    expect((await edit(watch, { gpuName: ['RTX 3090'] })).filters.gpuName).toEqual(['RTX 3090']);
    const spread = await market.watch({ filters: { type: ['on-demand', 'bid'] } });
    await market.rule(spread, 'bidSpread', { percent: 5 });
    await expect(edit(spread, {})).rejects.toThrow(/`filters` .*must have both/);
  });
});
