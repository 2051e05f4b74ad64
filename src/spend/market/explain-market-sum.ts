import type { Decimal } from 'decimal.js';
import { countOf } from '../../core/count-of.ts';
import type { Sql } from '../../database/connection.ts';
import { leftOutWords } from '../../prices/explain/explained-figures.ts';
import type { ExplainedFigures } from '../../prices/explain/explanation-schema.ts';
import { Exact } from '../exact-sums.ts';
import { readTouchingEntries } from '../explained-entries.sql.ts';
import type { SpendScope } from '../spend-grouping.ts';
import { type CloudCost, sumCloudCosts } from './cloud-costs.ts';
import { equalMachineMeaning } from './comparison-words.ts';
import { maxEntries, readCloudHours } from './explain-comparison.ts';
import { type ComparedSum, compareWithMarket, sumComparisons } from './spend-vs-market.ts';
import { splitByHour } from './split-by-hour.ts';

type Amount = keyof ComparedSum | keyof CloudCost;

/** Explains what all instances cost above the market, and at the cheapest cloud, instance by instance. */
export async function explainMarketSum(sql: Sql, scope: SpendScope): Promise<ExplainedFigures> {
  const [compared, entries] = await Promise.all([
    compareWithMarket(sql, scope),
    readTouchingEntries(sql, scope, maxEntries),
  ]);
  const rows = await Promise.all(
    compared.map(async (instance) => {
      const {
        source,
        gpuName,
        numGpus,
        comparedUsd,
        overMedianUsd,
        overMinUsd,
        overLowestUsd,
        unattributable,
        cheaperEqual,
      } = instance;
      const cloudAt = await readCloudHours(sql, instance);
      const hours = splitByHour(entries, scope, source).map((hour) => ({ ...hour, cloud: cloudAt(hour) }));
      const listed = hours.filter(({ cloud }) => cloud !== null);
      const add = (amounts: readonly Decimal[]): string =>
        amounts.reduce((sum, amount) => sum.plus(amount), new Exact(0)).toString();
      const isListed = listed.length > 0;
      return {
        source,
        comparedUsd,
        savedUsd: comparedUsd === null ? null : (cheaperEqual?.savedUsd ?? '0'),
        equalMachine: cheaperEqual?.machineId ?? null,
        paidUsd: add(hours.map(({ paid }) => paid)),
        hours: hours.length,
        overMedianUsd,
        overLowestUsd,
        overMinUsd,
        gpuName,
        numGpus,
        type: instance.type,
        cloudUsd: isListed ? add(listed.flatMap(({ cloud }) => cloud?.usd ?? [])) : null,
        cloudComparedUsd: isListed ? add(listed.map(({ paid }) => paid)) : null,
        rejected:
          isListed || comparedUsd !== null
            ? null
            : `${unattributable ?? 'no market price of its hours'}, and no list price`,
      };
    }),
  );
  const sumOf = (name: Amount): string | null => {
    const known = rows.flatMap((row) => row[name] ?? []);
    return known.length === 0 ? null : known.reduce((sum, usd) => sum.plus(usd), new Exact(0)).toString();
  };
  const [taken, rejected] = [
    rows.filter((row) => row.rejected === null),
    rows.filter((row) => row.rejected !== null),
  ];
  const { cloudUsd, cloudComparedUsd, notComparedUsd } = sumCloudCosts(compared);
  return {
    text: [
      `The charged hours of ${countOf(taken.length, 'instance')}, each against the prices of its model and pricing type in that hour, and at the cheapest list price in force as it began. ${leftOutWords(rejected)}`,
      'The lowest price is given twice, with outliers and without them, as Deals and Today do; the median counts them.',
      equalMachineMeaning,
      'Each instance can be explained by itself, hour by hour.',
    ],
    value: { ...sumComparisons(compared), cloudUsd, cloudComparedUsd, notComparedUsd },
    recomputed: {
      paidUsd: sumOf('paidUsd') ?? '0',
      comparedUsd: sumOf('comparedUsd'),
      overMedianUsd: sumOf('overMedianUsd'),
      overMinUsd: sumOf('overMinUsd'),
      overLowestUsd: sumOf('overLowestUsd'),
      savedUsd: sumOf('savedUsd'),
      cloudUsd: sumOf('cloudUsd'),
      cloudComparedUsd: sumOf('cloudComparedUsd'),
      notComparedUsd: new Exact(sumOf('paidUsd') ?? 0).minus(sumOf('cloudComparedUsd') ?? 0).toString(),
    },
    unit: 'USD',
    formula:
      'Σ of the instances; saved at equal machines that were cheaper; at the cheapest cloud GPU-hours × usdPerHour / numGpus of the list price',
    taken,
    rejected,
  };
}
