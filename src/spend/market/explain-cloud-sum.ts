import type { Sql } from '../../database/connection.ts';
import { countOf, leftOutWords } from '../../prices/explain/explained-figures.ts';
import type { ExplainedFigures } from '../../prices/explain/explanation-schema.ts';
import { Exact } from '../exact-sums.ts';
import { readTouchingEntries } from '../explained-entries.sql.ts';
import type { SpendScope } from '../spend-grouping.ts';
import { sumCloudCosts } from './cloud-costs.ts';
import { maxEntries, readCloudHours, splitByHour } from './explain-comparison.ts';
import { compareWithMarket } from './spend-vs-market.ts';

/** Explains what the hours of all instances would have cost at the cheapest cloud, instance by instance. */
export async function explainCloudSum(sql: Sql, scope: SpendScope): Promise<ExplainedFigures> {
  const [compared, entries] = await Promise.all([
    compareWithMarket(sql, scope),
    readTouchingEntries(sql, scope, maxEntries),
  ]);
  const rows = await Promise.all(
    compared.map(async (instance) => {
      const { source, gpuName, numGpus } = instance;
      const cloudAt = await readCloudHours(sql, instance);
      const hours = splitByHour(entries, scope, source).map((hour) => ({ ...hour, cloud: cloudAt(hour) }));
      const listed = hours.filter(({ cloud }) => cloud !== null);
      const paid = hours.reduce((sum, hour) => sum.plus(hour.paid), new Exact(0));
      return {
        source,
        gpuName,
        numGpus,
        hours: hours.length,
        paidUsd: paid.toString(),
        cloudUsd: listed.reduce((sum, { cloud }) => sum.plus(cloud?.usd ?? 0), new Exact(0)).toString(),
        cloudComparedUsd: listed.reduce((sum, hour) => sum.plus(hour.paid), new Exact(0)).toString(),
        rejected: listed.length === 0 ? 'no list price for its hours' : null,
      };
    }),
  );
  const taken = rows.filter(({ rejected }) => rejected === null);
  const rejected = rows.filter((row) => row.rejected !== null);
  const sumOf = (name: 'paidUsd' | 'cloudUsd' | 'cloudComparedUsd', among: typeof rows) =>
    among.reduce((sum, row) => sum.plus(row[name]), new Exact(0));
  const { cloudUsd, cloudComparedUsd, notComparedUsd } = sumCloudCosts(compared);
  const orNull = (usd: { toString: () => string }) => (taken.length === 0 ? null : usd.toString());
  return {
    text: [
      `The charged hours of ${countOf(taken.length, 'instance')}, each at the cheapest list price in force as it began. ${leftOutWords(rejected)}`,
      'Each instance can be explained by itself, hour by hour.',
    ],
    value: { cloudUsd, cloudComparedUsd, notComparedUsd },
    recomputed: {
      cloudUsd: orNull(sumOf('cloudUsd', taken)),
      cloudComparedUsd: orNull(sumOf('cloudComparedUsd', taken)),
      notComparedUsd: sumOf('paidUsd', rows).minus(sumOf('cloudComparedUsd', taken)).toString(),
    },
    unit: 'USD',
    formula: 'GPU-hours × usdPerHour / numGpus of the list price',
    taken,
    rejected,
  };
}
