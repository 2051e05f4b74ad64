import { beforeAll, describe, expect, it } from 'vitest';
import { createRandom } from '../../../prove/seeded-random.ts';
import type { Sql } from '../../../src/database/connection.ts';
import type { RuleFields, RuleKind } from '../../../src/watches/rules/rule.ts';
import { tryMarkets } from '../../../src/watches/rules/try-markets.ts';
import { editWatch } from '../../../src/watches/watch-changes.ts';
import { changeWatch, findPlacedWatch } from '../../../src/watches/watches.sql.ts';
import { createTestDatabase } from '../../support/test-database.ts';
import { hourMs, makeRuleMarket, offersAt, type RuleMarket, startAt } from './market-of-rules.ts';

let sql: Sql;
beforeAll(async () => {
  ({ sql } = await createTestDatabase());
});

/** A book of a market: the price a GPU of each of its machines; undefined: it is not there. */
interface PlainBook {
  at: number;
  prices: readonly (number | undefined)[];
}

const dayMs = 24 * hourMs;
const rules: [RuleKind, Record<string, number>, Partial<RuleFields>][] = [
  ['priceBelow', { usd: 0.36 }, {}],
  ['lowestInDays', { days: 2 }, {}],
  ['backInStock', {}, {}],
  ['supplyBelow', { offers: 3 }, {}],
  ['priceBelow', { usd: 0.4 }, { of: { m: 2, n: 3 }, dailyCap: 1 }],
  ['changePercent', { percent: 15, since: 8 }, {}],
  ['percentileBelow', { percentile: 30, days: 7 }, {}],
];

/** Twelve days of books, six a day, some of them empty. */
function makeBooks(seed: number, minutes: number): PlainBook[] {
  const random = createRandom(seed);
  return Array.from({ length: 72 }, (_, place) => {
    const share = random() < 0.15 ? 0 : random();
    const prices = Array.from({ length: 6 }, () =>
      random() < share ? Math.round(30 + 30 * random()) / 100 : undefined,
    );
    return { at: startAt + place * 4 * hourMs + minutes * 60_000, prices };
  });
}

/** When a rule that asks for one of one book fires, counted from the prices alone. */
function recount(kind: RuleKind, params: Record<string, number>, books: readonly PlainBook[]): number[] {
  const lowest = (prices: PlainBook['prices']) =>
    Math.min(...prices.map((price) => price ?? Number.POSITIVE_INFINITY));
  const count = (prices: PlainBook['prices']) => prices.filter((price) => price !== undefined).length;
  let armed = kind !== 'backInStock';
  return books.flatMap(({ at, prices }, place) => {
    // What the book before had is missing now and not yet gone.
    const held = prices.map((price, machine) => price ?? books[place - 1]?.prices[machine]);
    let [holds, stays] = [false, false];
    if (kind === 'supplyBelow' || kind === 'backInStock') {
      const [there, known] = [count(prices), count(held)];
      const limit = params.offers ?? 0;
      [holds, stays] =
        kind === 'backInStock' ? [there > 0, known > 0] : [known < limit, there < limit || known < limit];
    } else {
      const since = at - (params.days ?? 0) * dayMs;
      const before = books.slice(0, place).filter((book) => book.at > since);
      const known = before.map((book) => lowest(book.prices)).filter(Number.isFinite);
      const limit = params.usd ?? (known.length === 0 ? Number.NEGATIVE_INFINITY : Math.min(...known));
      holds = lowest(prices) < limit && lowest(held) < limit;
      stays = lowest(prices) < limit || lowest(held) < limit;
    }
    const fires = holds && armed;
    armed = !fires && (armed || !stays);
    return fires ? [at] : [];
  });
}

const alertsOf = async (ruleId: string, marketId: number) => [
  ...(await sql<{ at: Date; value: number | null; baseline: number | null; capped: boolean }[]>`
    select at, value, baseline, coalesce(suppressed = 'daily-cap', false) as capped from alert
    where rule_id = ${ruleId} and market_id = ${marketId} order by id`),
];

async function landAll(markets: readonly { market: RuleMarket; books: readonly PlainBook[] }[]) {
  const all = markets.flatMap(({ market, books }) => books.map((book) => ({ market, ...book })));
  for (const { market, at, prices } of all.toSorted((a, b) => a.at - b.at))
    await market.land(new Date(at), offersAt(...prices));
}

describe('the rules of a watch of two markets', () => {
  it('fire in each as a plain recount says and as they do in a watch of it alone, also on the past', async () => {
    const [one, two] = [await makeRuleMarket(sql), await makeRuleMarket(sql)];
    const markets = [
      { market: one, books: makeBooks(1, 0) },
      { market: two, books: makeBooks(2, 25) },
    ];
    const both = await one.watch({}, [two.marketId]);
    const alone = [await one.watch(), await two.watch()];
    const made = [];
    for (const [kind, params, fields] of rules) {
      made.push({
        ...{ kind, params, fields },
        shared: await one.rule(both, kind, params, fields),
        own: [
          await one.rule(alone[0] ?? both, kind, params, fields),
          await two.rule(alone[1] ?? both, kind, params, fields),
        ],
      });
    }
    await landAll(markets);
    const placed = await findPlacedWatch(sql, both.id);
    if (placed === null) throw new Error('the watch is gone');
    expect(placed.markets).toHaveLength(2);
    const range = { from: new Date(startAt), to: new Date(startAt + 13 * dayMs) };
    for (const { kind, params, fields, shared, own } of made) {
      const tried = await tryMarkets(sql, placed, shared, range);
      for (const [place, { market, books }] of markets.entries()) {
        const found = await alertsOf(shared.id, market.marketId);
        expect(found.length, kind).toBeGreaterThan(0);
        expect(found, kind).toEqual(await alertsOf(own[place]?.id ?? '', market.marketId));
        const past = tried[place]?.firings.map(({ at, value, baseline, capped }) => ({
          ...{ at, value, baseline, capped },
        }));
        expect(past, kind).toEqual(found);
        if (fields.of !== undefined || kind === 'changePercent' || kind === 'percentileBelow') continue;
        expect(
          found.map(({ at }) => at.getTime()),
          kind,
        ).toEqual(recount(kind, params, books));
      }
    }
  });

  it('name in each alert the market whose book fired it', async () => {
    const [one, two] = [await makeRuleMarket(sql), await makeRuleMarket(sql, undefined, { canRent: false })];
    const watch = await one.watch({ name: 'in two' }, [two.marketId]);
    const rule = await one.rule(watch, 'priceBelow', { usd: 0.4 });
    await one.land(new Date(startAt), offersAt(0.5));
    await two.land(new Date(startAt + hourMs), offersAt(0.3));
    const [alert, ...others] = await sql<{ market: string; notice: string }[]>`
      select m.name as market, a.notice from alert a join market m on m.id = a.market_id where rule_id = ${rule.id}`;
    const name = watch.markets[1];
    expect([alert?.market, others]).toEqual([name, []]);
    const notice = JSON.parse(alert?.notice ?? '{}') as { title: string; lines: string[]; link: string };
    expect(notice.title).toContain(` in ${name}, 1× RTX 4090`);
    expect(notice.lines.join('\n')).toContain(`Offerbook does not rent in ${name}`);
    expect(notice.link).toMatch(/\/listings\/\d+$/);
  });

  it('remember an added market from its history, forget one that is left, and keep the others', async () => {
    const [one, two] = [await makeRuleMarket(sql), await makeRuleMarket(sql)];
    const watch = await one.watch();
    const rule = await one.rule(watch, 'lowestInDays', { days: 2 });
    for (const [place, price] of [0.5, 0.4].entries()) {
      await one.land(new Date(startAt + place * hourMs), offersAt(price));
      await two.land(new Date(startAt + place * hourMs + 1), offersAt(price));
    }
    const statesOf = async () =>
      (
        await sql<{ marketId: number }[]>`select market_id as "marketId" from rule_state
        where rule_id = ${rule.id} order by 1`
      ).map(({ marketId }) => marketId);
    expect(await statesOf()).toEqual([one.marketId]);
    const deps = { sql, now: () => new Date(startAt + 2 * hourMs) };
    await editWatch(deps, watch.id, {}, [one.marketId, two.marketId]);
    expect(await statesOf()).toEqual([one.marketId, two.marketId]);
    // Not lower than what it had listed before the watch followed it.
    await two.land(new Date(startAt + 3 * hourMs), offersAt(0.45));
    expect(await alertsOf(rule.id, two.marketId)).toEqual([]);
    await two.land(new Date(startAt + 4 * hourMs), offersAt(0.35));
    expect(await alertsOf(rule.id, two.marketId)).toHaveLength(1);
    await editWatch(deps, watch.id, {}, [two.marketId]);
    expect(await statesOf()).toEqual([two.marketId]);
    await one.land(new Date(startAt + 5 * hourMs), offersAt(0.1));
    expect(await alertsOf(rule.id, one.marketId)).toHaveLength(1);
    expect(await changeWatch(sql, watch.id, (each) => each, { now: new Date() })).toMatchObject({
      markets: [expect.any(String)],
    });
  });
});
