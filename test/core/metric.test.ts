import { beforeAll, describe, expect, it } from 'vitest';
import { defaultProfile, type Metric, metricEntries } from '../../src/core/metric.ts';
import { fieldsWhere, offerFields } from '../../src/core/offer-fields.ts';
import { metricValue } from '../../src/core/price.ts';
import { formulaOf } from '../../src/core/price-formulas.ts';
import type { Sql } from '../../src/database/connection.ts';
import { metricValue as metricSql } from '../../src/prices/newest/price-figures.sql.ts';
import { makeOffer } from '../prices/made-offers.ts';
import { createTestDatabase } from '../support/test-database.ts';

const names = metricEntries.map(([name]) => name);
const profile = { storageGb: 50, downGb: 9, upGb: 3, runningHours: 20, stoppedHours: 4 };
const offer = makeOffer(1, { numGpus: 4, gpuRamMb: 24_564, dlperf: 330, totalTflops: 160 });

describe('each metric', () => {
  let sql: Sql;
  beforeAll(async () => {
    ({ sql } = await createTestDatabase());
  });

  it.each(names)('%s is the same in SQL, in memory and by its formula in words', async (name) => {
    const figure = metricValue(offer, name, profile);
    const value = 'value' in figure ? figure.value : Number.NaN;
    const columns = fieldsWhere(({ type }) => type === 'float8' || type === 'integer').map(
      (field) => sql`${offer[field] as number | null}::float8 as ${sql(offerFields[field].column)}`,
    );
    const listed = columns.reduce((list, column) => sql`${list}, ${column}`);
    const [row] = await sql<{ value: number }[]>`
      select ${metricSql(sql, name, profile, 'o')} as value
      from (select ${offer.numGpus}::int as num_gpus) l, (select ${listed}) o`;
    expect(row?.value).toBeCloseTo(value, 12);
    const formula = formulaOf(name, profile).replaceAll('×', '*');
    const fields = Object.entries(offer).filter(([field]) => formula.includes(field));
    const worked = new Function(...fields.map(([field]) => field), `return ${formula};`);
    expect(worked(...fields.map(([, each]) => each))).toBeCloseTo(value, 12);
  });

  it('of prices over something of the offer says what is missing', () => {
    const missing = (metric: Metric, values: object) =>
      metricValue({ ...offer, ...values }, metric, defaultProfile);
    expect(missing('usdPerDlperfHour', { dlperf: 0 })).toEqual({ missing: 'no DLPerf score' });
    expect(missing('usdPerGbVramHour', { gpuRamMb: null })).toEqual({ missing: 'no VRAM' });
    expect(missing('usdPerTflopHour', { totalTflops: null })).toEqual({ missing: 'no TFLOPS' });
    expect(missing('usdPerGpuHour', { storageUsdPerGbMonth: null })).toEqual({ missing: 'no storage price' });
    expect(missing('allInUsdPerHour', { inetUpUsdPerGb: null })).toEqual({ missing: 'no upload price' });
  });
});
