import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NewestBook } from '../../src/books/newest-books.sql.ts';
import { defaultProfile } from '../../src/core/metric.ts';
import { noFilter } from '../../src/core/offer-filter.ts';
import { copyWithLine } from '../support/copy-with-line.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';
import { landOffers, makeOffer } from './made-offers.ts';

const name = 'usdPerGbDiskHour' as never;
const line =
  "  usdPerGbDiskHour: { price: 'hourly', per: [{ field: 'diskSpaceGb', missing: 'no disk' }], unit: 'USD/GB of disk/hour', label: 'price per GB of disk', shownUnit: '$/GB-hour', uses: ['trends', 'rankings', 'rules'] },";

describe('a new line in the table of metrics', () => {
  const { load, remove } = copyWithLine('src/core/metric.ts', 'export const metrics = {\n', line);
  const offer = { baseUsdPerHour: 1, storageUsdPerGbMonth: 0 };
  const offers = [
    makeOffer(1, { ...offer, diskSpaceGb: 400 }),
    makeOffer(2, { ...offer, diskSpaceGb: 1000 }),
    makeOffer(3, { ...offer, diskSpaceGb: null }),
  ];
  let test: TestApp;

  beforeAll(async () => {
    test = await createTestApp();
    await landOffers(test.sql, test.market.id, '2026-07-30T00:00:00Z', offers);
  });
  afterAll(remove);

  it('is computed alike in SQL, in history and in memory, and described in words', async () => {
    const { sql } = test;
    const [book] = await sql<NewestBook[]>`select id from book`;
    const { metricValue } = await load<typeof import('../../src/prices/newest/price-figures.sql.ts')>(
      'src/prices/newest/price-figures.sql.ts',
    );
    const values = await sql<{ value: number }[]>`
      select ${metricValue(sql, name, defaultProfile, 'o')} as value
      from latest_offer o join listing l on l.id = o.listing_id order by o.offer_id`;
    expect(values.map(({ value }) => value)).toEqual([0.0025, 0.001, null]);
    const { explainBook } = await load<typeof import('../../src/prices/explain/explain-prices.ts')>(
      'src/prices/explain/explain-prices.ts',
    );
    const common = { metric: name, filter: noFilter, profile: defaultProfile };
    const explained = await explainBook(sql, { bookId: book?.id ?? 0, gpuName: null, ...common });
    expect(explained.taken.map(({ value }) => value)).toEqual([0.001, 0.0025]);
    expect(explained.rejected.map(({ rejected }) => rejected)).toEqual(['no disk']);
    const { readTrends } = await load<typeof import('../../src/prices/trends/read-trends.ts')>(
      'src/prices/trends/read-trends.ts',
    );
    const [scope] = await sql<{ id: number }[]>`select id from scope`;
    const { series } = await readTrends(sql, {
      ...{ scopeId: scope?.id ?? 0, types: ['on-demand'], gpuNames: [], bucket: 'book', ...common },
      ...{ from: new Date('2026-07-30'), to: new Date('2026-07-31') },
    });
    expect(series[0]?.points.map(({ min, max }) => [min, max])).toEqual([[0.001, 0.0025]]);
    const { formulaOf } = await load<typeof import('../../src/core/price-formulas.ts')>(
      'src/core/price-formulas.ts',
    );
    expect(formulaOf(name, defaultProfile)).toMatch(/^\(baseUsdPerHour .*\) \/ diskSpaceGb$/);
  });

  it('ranks offers, and rules watch it in its unit', async () => {
    const { metricValuesOf } =
      await load<typeof import('../../src/core/price-columns.ts')>('src/core/price-columns.ts');
    const { toColumns } =
      await load<typeof import('../../src/core/offer-columns.ts')>('src/core/offer-columns.ts');
    const values = metricValuesOf(toColumns(offers), Int32Array.of(0, 1, 2), name, defaultProfile);
    expect([...values]).toEqual([0.0025, 0.001, Number.NaN]);
    const { unitOfRule } =
      await load<typeof import('../../src/watches/rules/rule.ts')>('src/watches/rules/rule.ts');
    expect(unitOfRule({ kind: 'priceBelow', params: { metric: name } })).toBe('USD/GB of disk/hour');
  });

  it('is known to the API and the page', async () => {
    const { describeApi } = await load<typeof import('../../src/service/http/describe-api.ts')>(
      'src/service/http/describe-api.ts',
    );
    const { paths, components } = JSON.parse(describeApi('0'));
    const valuesOf = (schema: { $ref: string }): string[] =>
      components.schemas[schema.$ref.split('/').at(-1) ?? ''].enum;
    for (const [path, parameter] of [
      ['/api/trends', 'metric'],
      ['/api/rankings', 'by'],
      ['/api/explain', 'metric'],
      ['/api/explain', 'by'],
    ] as const) {
      const own = paths[path].get.parameters.find((each: { name: string }) => each.name === parameter);
      const { schema } = own ?? components.parameters[parameter];
      expect(valuesOf(schema), `${path} ${parameter}`).toContain(name);
    }
    const { describeDefinitions } = await load<
      typeof import('../../src/service/http/describe-definitions.ts')
    >('src/service/http/describe-definitions.ts');
    const { metrics, metricNames } = JSON.parse(describeDefinitions());
    expect(metrics[0]).toMatchObject({ name, label: 'price per GB of disk' });
    for (const names of Object.values(metricNames)) expect(names).toContain(name);
  });
});
