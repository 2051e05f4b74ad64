import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NewestBook } from '../../src/books/newest-books.sql.ts';
import { copyWithLine } from '../support/copy-with-line.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';
import { landOffers, makeOffer } from './made-offers.ts';

const root = join(import.meta.dirname, '../..');
const line =
  "  minTflops: { field: 'totalTflops', operator: 'atLeast', min: 0, label: 'TFLOPS at least', keeps: 'this fast' },";

describe('a new line in the table of filters', () => {
  const copy = copyWithLine('src/core/offer-filter.ts', 'export const offerFilters = {\n', line);
  const offers = [
    makeOffer(1, { totalTflops: 80 }),
    makeOffer(2, { totalTflops: 20 }),
    makeOffer(3, { totalTflops: null }),
  ];
  let test: TestApp;

  beforeAll(async () => {
    test = await createTestApp();
    await landOffers(test.sql, test.market.id, '2026-07-30T00:00:00Z', offers);
  });
  afterAll(copy.remove);

  const { load } = copy;
  type Query = typeof import('../../src/core/http/query.ts');
  const readFilter = async (value: string) => {
    const { filterParams, readFilter } = await load<Query>('src/core/http/query.ts');
    const parse = filterParams as unknown as Record<string, { parse: (text: string) => unknown }>;
    return readFilter({ minTflops: parse.minTflops?.parse(value) } as never);
  };

  it('is a query parameter, checked and described', async () => {
    expect(await readFilter('50')).toMatchObject({ minTflops: 50, minVramGb: null, country: [] });
    await expect(readFilter('-1')).rejects.toThrow(/Too small/);
    const { describeApi } = await load<typeof import('../../src/service/http/describe-api.ts')>(
      'src/service/http/describe-api.ts',
    );
    const { paths, components } = JSON.parse(describeApi('0'));
    for (const path of [
      '/api/offers',
      '/api/rankings',
      '/api/trends',
      '/api/patterns',
      '/api/wait-or-rent',
      '/api/explain',
    ]) {
      expect(paths[path].get.parameters, path).toContainEqual({ $ref: '#/components/parameters/minTflops' });
    }
    expect(components.parameters.minTflops).toMatchObject({
      description: 'Offers this fast',
      schema: { type: 'number', minimum: 0 },
    });
    expect(components.schemas.WatchFilters.properties.minTflops).toMatchObject({ type: 'number' });
    expect(components.schemas.SavedFilters.properties.minTflops).toEqual({ type: 'number' });
  });

  it('is a filter of watches', async () => {
    const { NewWatchSchema } =
      await load<typeof import('../../src/watches/watch-body.ts')>('src/watches/watch-body.ts');
    const parsed = NewWatchSchema.parse({ name: 'fast', filters: { minTflops: 50 } });
    expect(parsed.filters).toEqual({ minTflops: 50 });
    const { createOfferTable } = await load<typeof import('../../src/watches/rules/offer-table.ts')>(
      'src/watches/rules/offer-table.ts',
    );
    const listed = offers.map((offer) => ({ ...offer, listingId: offer.offerId, missing: false }));
    const nobody = { machineIds: new Set<number>(), hostIds: new Set<number>() };
    const marks = { missing: new Uint8Array(listed.length), isOutlier: new Uint8Array(listed.length) };
    const held = createOfferTable(listed, marks, { block: nobody, prefer: nobody });
    expect([...held.match({ minTflops: 50 } as never, 8)]).toEqual([0]);
  });

  it('selects the same offers in SQL of the newest book and of history, and in memory', async () => {
    const filter = await readFilter('50');
    const profile = { storageGb: 8, downGb: 0, upGb: 0, runningHours: 720, stoppedHours: 0 };
    const [book] = await test.sql<NewestBook[]>`select id, type, scope_id as "scopeId" from book`;
    const { listBookOffers } = await load<typeof import('../../src/prices/newest/offers.sql.ts')>(
      'src/prices/newest/offers.sql.ts',
    );
    const query = { bookIds: [book?.id ?? 0], gpuNames: [], filter, profile };
    const { rows } = await listBookOffers(test.sql, query, { skip: 0, limit: 9 });
    expect(rows.map(({ offerId }) => offerId)).toEqual([1]);
    const { explainBook } = await load<typeof import('../../src/prices/explain/explain-prices.ts')>(
      'src/prices/explain/explain-prices.ts',
    );
    const asked = { bookId: book?.id ?? 0, gpuName: null, metric: 'usdPerGpuHour' as const, filter, profile };
    const { taken, rejected } = await explainBook(test.sql, asked);
    expect(taken.map(({ machineId }) => machineId)).toEqual([10]);
    expect(rejected.map(({ rejected }) => rejected)).toEqual(['filter minTflops', 'filter minTflops']);
    const { readTrends } = await load<typeof import('../../src/prices/trends/read-trends.ts')>(
      'src/prices/trends/read-trends.ts',
    );
    const [scope] = await test.sql<{ id: number }[]>`select id from scope`;
    const { series } = await readTrends(test.sql, {
      ...{ scopeId: scope?.id ?? 0, types: ['on-demand'], gpuNames: [], bucket: 'book', filter, profile },
      ...{ metric: 'usdPerGpuHour', from: new Date('2026-07-30'), to: new Date('2026-07-31') },
    });
    expect(series[0]?.points.map(({ offers }) => offers)).toEqual([1]);
    const { toColumns } =
      await load<typeof import('../../src/core/offer-columns.ts')>('src/core/offer-columns.ts');
    const { matchingPlaces } =
      await load<typeof import('../../src/core/offer-match.ts')>('src/core/offer-match.ts');
    expect([...matchingPlaces(toColumns(offers), Int32Array.of(0, 1, 2), filter, 8)]).toEqual([0]);
  });

  it('is listed by the commands, in the documents and in the form of the page', async () => {
    const { addPriceOptions } = await load<typeof import('../../src/prices/newest/price-options.ts')>(
      'src/prices/newest/price-options.ts',
    );
    expect(addPriceOptions(new Command()).helpInformation()).toContain('minTflops');
    const { clearOption } = await load<typeof import('../../src/watches/watch-options.ts')>(
      'src/watches/watch-options.ts',
    );
    expect(clearOption().argChoices).toContain('minTflops');
    const { describeDefinitions, documentTables } = await load<
      typeof import('../../src/service/http/describe-definitions.ts')
    >('src/service/http/describe-definitions.ts');
    expect(JSON.parse(describeDefinitions()).filters).toContainEqual({
      ...{ name: 'minTflops', label: 'TFLOPS at least', kind: 'number' },
    });
    const text = documentTables(readFileSync(join(root, 'docs/api.md'), 'utf8'));
    expect(text).toContain('| `minTflops` |  | this fast |');
  });
});
