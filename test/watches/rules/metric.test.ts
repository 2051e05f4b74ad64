import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import type { RankingMetric } from '../../../src/core/metric.ts';
import type { Sql } from '../../../src/database/connection.ts';
import { findRule } from '../../../src/watches/rules/rules.sql.ts';
import { makeOffer } from '../../prices/made-offers.ts';
import { createTestDatabase } from '../../support/test-database.ts';
import { hourMs, makeRuleMarket, offersAt, startAt } from './market-of-rules.ts';

let sql: Sql;
beforeAll(async () => {
  ({ sql } = await createTestDatabase());
});

const hour = (index: number) => new Date(startAt + index * hourMs);

/** The values at which a rule fired, with its alert's text. */
async function alertsOf(ruleId: string) {
  const rows = await sql<{ value: number; notice: string }[]>`
    select value, notice::text as notice from alert where rule_id = ${ruleId} order by at`;
  return rows.map(({ value, notice }) => ({ value, notice: JSON.parse(notice) as AlertNotice }));
}

interface AlertNotice {
  title: string;
  lines: string[];
  data: { metric: string; unit: string };
}

/** Offers of two GPUs at these prices per GPU. */
const pairsAt = (...prices: number[]) =>
  prices.map((price, index) =>
    makeOffer(index + 1, { numGpus: 2, baseUsdPerHour: 2 * price, storageUsdPerGbMonth: 0, dlperf: 400 }),
  );

describe('a price rule', () => {
  it('compares $/GPU-hour by default, whatever its watch ranks by', async () => {
    const market = await makeRuleMarket(sql);
    const watch = await market.watch({ rankBy: 'usdPerDlperfHour' });
    const rule = await market.rule(watch, 'priceBelow', { usd: 2 });
    await market.land(hour(0), pairsAt(3));
    await market.land(hour(1), pairsAt(1.5));
    await market.land(hour(2), pairsAt(3));
    await market.land(hour(3), pairsAt(1.25));
    expect(await market.fired(rule.id)).toEqual([1, 3]);
    const [first] = await alertsOf(rule.id);
    expect(first?.value).toBe(1.5);
    expect(first?.notice.title).toMatch(
      /: \$1\.5000\/GPU-hour is below \$2\.00\/GPU-hour, 2× .+ at \$3\.0000\/hour$/,
    );
    expect(first?.notice.lines.join(' ')).toContain(
      'Value now $1.5000/GPU-hour, compared with $2.00/GPU-hour; in the book before $3.0000/GPU-hour.',
    );
    // A mail is read by people: it has no name of the API.
    expect(first?.notice.lines.join(' ')).toContain('Alert of the watch ');
    expect(first?.notice.lines.join(' ')).not.toContain('priceBelow');
    expect(first?.notice.data).toMatchObject({ metric: 'usdPerGpuHour', unit: 'USD/GPU/hour' });
    // There was a book before, but the rule is younger.
    const later = await market.rule(watch, 'priceBelow', { usd: 2 }, {}, hour(3));
    await market.land(hour(4), pairsAt(1.25));
    const [fresh] = await alertsOf(later.id);
    expect(fresh?.notice.lines.join(' ')).toContain(
      'compared with $2.00/GPU-hour; its first book since this alert was saved or changed.',
    );
  });

  it('compares the metric that it names, with its unit in the alert', async () => {
    const market = await makeRuleMarket(sql);
    const watch = await market.watch({ rankBy: 'usdPerGpuHour' });
    const whole = await market.rule(watch, 'priceBelow', { usd: 2.5, metric: 'usdPerHour' });
    const dlperf = await market.rule(watch, 'priceBelow', { usd: 0.006, metric: 'usdPerDlperfHour' });
    await market.land(hour(0), pairsAt(1.25));
    await market.land(hour(1), pairsAt(1));
    expect([await market.fired(whole.id), await market.fired(dlperf.id)]).toEqual([[1], [1]]);
    const [[ofWhole], [ofDlperf]] = [await alertsOf(whole.id), await alertsOf(dlperf.id)];
    expect([ofWhole?.value, ofWhole?.notice.data.unit]).toEqual([2, 'USD/hour']);
    expect([ofDlperf?.value, ofDlperf?.notice.data.unit]).toEqual([0.005, 'USD/DLPerf/hour']);
  });

  it('has no value if its metric is unknown, never a value in another unit', async () => {
    const market = await makeRuleMarket(sql);
    const watch = await market.watch({ rankBy: 'usdPerDlperfHour' });
    const rule = await market.rule(watch, 'priceBelow', { usd: 100, metric: 'usdPerDlperfHour' });
    await market.land(
      hour(0),
      pairsAt(1).map((offer) => ({ ...offer, dlperf: null })),
    );
    expect(await market.fired(rule.id)).toEqual([]);
  });

  it('that is older than named metrics continues with what it compared', async () => {
    const [market, without] = [await makeRuleMarket(sql), await makeRuleMarket(sql)];
    await market.land(hour(0), offersAt(0.5));
    await without.land(
      hour(0),
      offersAt(0.5).map((offer) => ({ ...offer, dlperf: null })),
    );
    const made = async (of: typeof market, rankBy: RankingMetric, kind: 'priceBelow' | 'supplyBelow') =>
      (await of.rule(await of.watch({ rankBy }), kind, kind === 'priceBelow' ? { usd: 2 } : { offers: 2 }))
        .id;
    const ids = [
      await made(market, 'usdPerDlperfHour', 'priceBelow'),
      await made(market, 'usdPerTflopHour', 'priceBelow'),
      await made(without, 'usdPerDlperfHour', 'priceBelow'),
      await made(market, 'usdPerDlperfHour', 'supplyBelow'),
    ];
    await sql.unsafe(readFileSync('migrations/0015_rules_name_metrics.sql', 'utf8'));
    const params = await Promise.all(ids.map(async (id) => (await findRule(sql, id))?.params));
    expect(params).toEqual([
      { metric: 'usdPerDlperfHour', usd: 2 },
      { metric: 'usdPerTflopHour', usd: 2 },
      { metric: 'usdPerGpuHour', usd: 2 },
      { offers: 2 },
    ]);
  });
});
