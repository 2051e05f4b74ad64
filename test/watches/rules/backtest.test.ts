import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Offer } from '../../../src/core/offer.ts';
import type { Sql } from '../../../src/database/connection.ts';
import { backtestRule } from '../../../src/watches/rules/backtest.ts';
import type { RuleFields, RuleKind } from '../../../src/watches/rules/rule.ts';
import type { Watch } from '../../../src/watches/watch.ts';
import { watchPlaces } from '../../../src/watches/watches.sql.ts';
import { makeOffer } from '../../prices/made-offers.ts';
import { holdsFor } from '../../support/property-runs.ts';
import { createTestDatabase } from '../../support/test-database.ts';
import { hourMs, makeRuleMarket, startAt } from './market-of-rules.ts';

let sql: Sql;
beforeAll(async () => {
  ({ sql } = await createTestDatabase());
});

/** A machine in one book: its price in cents and its reliability in hundredths; null: it is not there. */
const machine = fc.option(
  fc.record({ cents: fc.integer({ min: 20, max: 60 }), reliability: fc.integer({ min: 90, max: 99 }) }),
  { freq: 3, nil: null },
);
const book = fc.record({
  machines: fc.array(machine, { minLength: 4, maxLength: 4 }),
  verdict: fc.constantFrom('complete' as const, 'complete' as const, 'complete' as const, 'partial' as const),
  minutes: fc.constantFrom(10, 20, 60, 60, 600),
  narrow: fc.boolean(),
  type: fc.constantFrom('on-demand' as const, 'on-demand' as const, 'bid' as const),
});
const rules: [RuleKind, object, Partial<RuleFields>][] = [
  ['priceBelow', { usd: 0.35 }, {}],
  ['priceBelow', { usd: 0.4 }, { of: { m: 2, n: 3 }, hysteresisPercent: 10, cooldownMinutes: 120 }],
  ['priceBelow', { usd: 0.35, perListing: true }, { dailyCap: 3 }],
  ['lowestInDays', { days: 1 }, {}],
  ['changePercent', { percent: 15, since: 2 }, {}],
  ['lowestInDays', { days: 1, perListing: true }, {}],
  ['changePercent', { percent: 15, since: 2, perListing: true }, {}],
  ['changePercent', { percent: 15, since: 'lastFired' }, { rearm: { afterMinutes: 60 } }],
  ['backInStock', {}, {}],
  ['supplyBelow', { offers: 3 }, {}],
  ['percentileBelow', { percentile: 50, days: 7 }, {}],
];

/** Of a watch of both types, which every book of either is for. */
const ofBothTypes: [RuleKind, object, Partial<RuleFields>][] = [
  ['bidSpread', { percent: 10 }, {}],
  ['priceBelow', { usd: 0.35 }, {}],
];

const offersOf = (machines: readonly ({ cents: number; reliability: number } | null)[]): Offer[] =>
  machines.flatMap((each, index) =>
    each === null
      ? []
      : [
          makeOffer(index + 1, {
            ...{
              baseUsdPerHour: each.cents / 100,
              storageUsdPerGbMonth: 0.1,
              reliability: each.reliability / 100,
            },
            hostId: index + 1,
          }),
        ],
  );

describe('a backtest', () => {
  it('fires at the same books and values as live operation, for every kind; a second run fires nothing', async () => {
    let [firings, spreads] = [0, 0];
    await holdsFor(fc.array(book, { minLength: 7, maxLength: 11 }), 3, async (books) => {
      const market = await makeRuleMarket(sql);
      const watch = await market.watch({ filters: { minReliability: 0.92, gpuName: ['RTX 4090'] } });
      const both = await market.watch({
        filters: { ...watch.filters, type: ['on-demand', 'bid'] },
      });
      // Some books before the rules are created, as their history.
      const before = 3;
      let at = startAt;
      const landings: (() => Promise<void>)[] = [];
      let madeAt = 0;
      const made: { rule: RuleFields & { id: string }; of: Watch }[] = [];
      for (const [index, { machines, verdict, minutes, narrow, type }] of books.entries()) {
        const moment = new Date(at);
        const scopeName = narrow ? 'models:RTX 4090' : 'default';
        const land = () => market.land(moment, offersOf(machines), { verdict, scopeName, type });
        await land();
        landings.push(land);
        at += minutes * 60_000;
        if (index + 1 !== before) continue;
        madeAt = at - 1;
        for (const [of, kinds] of [[watch, rules] as const, [both, ofBothTypes] as const]) {
          for (const [kind, params, fields] of kinds) {
            made.push({ rule: await market.rule(of, kind, params, fields, new Date(madeAt)), of });
          }
        }
      }
      const live = new Map<string, unknown[]>();
      for (const { id } of made.map(({ rule }) => rule)) {
        live.set(id, [
          ...(await sql`select at, value, baseline, previous, coalesce(suppressed = 'daily-cap', false) as capped from alert
            where rule_id = ${id} order by id`),
        ]);
      }
      for (const { rule, of } of made) {
        const [place] = await watchPlaces(sql, of.id);
        if (place === undefined) throw new Error('the watch is gone');
        const ask = { marketId: market.marketId, watch: { ...of, scopeId: place.scopeId }, rule };
        const { firings: found } = await backtestRule(sql, {
          ...ask,
          from: new Date(madeAt + 1),
          to: new Date(at),
        });
        const shown = found.map(({ at: when, value, baseline, previous, capped }) => ({
          at: when,
          value,
          baseline,
          previous,
          capped,
        }));
        expect({ rule: rule.kind, params: rule.params, fired: shown }).toEqual({
          ...{ rule: rule.kind, params: rule.params, fired: live.get(rule.id) },
        });
        firings += found.length;
        if (rule.kind === 'bidSpread') spreads += found.length;
      }
      for (const land of landings) await land();
      const [again] = await sql<{ alerts: number }[]>`
        select count(*) as alerts from alert a join rule r on r.id = a.rule_id where r.market_id = ${market.marketId}`;
      expect(again?.alerts).toBe([...live.values()].flat().length);
    });
    expect([firings > 10, spreads > 0]).toEqual([true, true]);
  });

  it('replays a month of hourly books, computed by hand', async () => {
    const market = await makeRuleMarket(sql);
    const watch = await market.watch();
    const [place] = await watchPlaces(sql, watch.id);
    if (place === undefined) throw new Error('the watch is gone');
    for (let index = 0; index < 24; index += 1) {
      const price = index % 6 === 5 ? 30 : 50;
      await market.land(new Date(startAt + index * hourMs), offersOf([{ cents: price, reliability: 99 }]));
    }
    const rule = await market.rule(watch, 'priceBelow', { usd: 0.4 });
    const range = { from: new Date(startAt), to: new Date(startAt + 24 * hourMs) };
    const { books, firings } = await backtestRule(sql, {
      marketId: market.marketId,
      watch: { ...watch, scopeId: place.scopeId },
      rule,
      ...range,
    });
    expect(books).toBe(24);
    expect(firings.map(({ at }) => (at.getTime() - startAt) / hourMs)).toEqual([5, 11, 17, 23]);
  });
});
