import { Command, Option } from 'commander';
import { defaultRanking, metrics, rankingMetrics } from '../../core/metric.ts';
import type { CommandContext } from '../../core/terminal/command-context.ts';
import { timeWords } from '../../core/time-words.ts';
import { formatPrice } from '../../core/usd-words.ts';
import { marketTable } from '../newest/market-table.ts';
import { addPriceOptions, noBook, type PriceOptions, priceQuery } from '../newest/price-options.ts';
import { type ColumnSpec, rankingColumnNames, rankingColumns } from './ranking-columns.ts';
import { sortNames, sortOrders } from './ranking-order.ts';
import type { RankingsAnswer } from './rankings.routes.ts';

interface RankOptions extends PriceOptions {
  metric?: string;
  sort?: string;
  order?: string;
  deverifiedLast?: true;
  outliersLast?: true;
  endingLast?: true;
  limit?: string;
}

export function rankCommand(context: CommandContext): Command {
  return addPriceOptions(
    new Command('rank')
      .alias('deals')
      .description('rank the offers of the newest book by cost, with verdicts'),
  )
    .addOption(
      new Option('--metric <metric>', `metric to rank by (default: ${defaultRanking})`).choices(
        rankingMetrics,
      ),
    )
    .addOption(
      new Option('--sort <column>', 'column to sort the ranked offers by (default: rank)').choices(sortNames),
    )
    .addOption(new Option('--order <order>', 'order of that column (default: asc)').choices(sortOrders))
    .option('--deverified-last', 'list offers of deverified machines after all others')
    .option('--outliers-last', 'list offers with an outlier price after all others')
    .option('--ending-last', 'list offers that the host ends before the running hours after all others')
    .option('--limit <offers>', 'maximum number of offers (default: 20)')
    .addHelpText(
      'after',
      '\nExample:\n  offerbook rank --gpu-name "RTX 4090" --metric allInUsdPerHour --profile downGb=200 runningHours=10',
    )
    .action(async (given: RankOptions) => {
      const { metric: by, sort, order, limit = '20', json } = given;
      const { deverifiedLast, outliersLast, endingLast } = given;
      await context.withApi(async (api) => {
        const answer = await api.getRankings({
          ...priceQuery(given),
          by,
          sort,
          order,
          deverifiedLast,
          outliersLast,
          endingLast,
          limit,
        });
        context.print(json ? JSON.stringify(answer) : describeRanking(answer, given.market));
      });
    });
}

type Ranked = RankingsAnswer['items'][number];

function describeRanking(
  { observedAt, bookVerdict, by, items, unranked }: RankingsAnswer,
  asked: RankOptions['market'],
): string {
  if (observedAt === null) return noBook;
  const columns: (ColumnSpec & { name: keyof Ranked })[] = rankingColumnNames
    .map((name) => ({ name, ...(rankingColumns[name] as ColumnSpec) }))
    .filter(({ isExtra }) => isExtra !== true);
  const rows = items.map((item) => [
    item.rank,
    item.offerId,
    item.gpuName,
    item.numGpus,
    item.type,
    formatPrice(item.value),
    formatPrice(item.usdPerHour),
    ...columns.map((column) => shownField(item[column.name], column)),
    shownVerdict(item),
  ]);
  const first = ['Rank', 'Offer', 'Model', 'GPUs', 'Type', metrics[by].shownUnit, '$/hour'];
  const head = [...first, ...columns.map(({ label }) => label), 'Verdict'];
  const numbers = columns.flatMap(({ decimals, isShare }, index) =>
    decimals === undefined && isShare !== true ? [] : [first.length + index],
  );
  const notes = [
    `Ranked by ${by} in the ${bookVerdict} book of ${timeWords(observedAt, new Date())}.`,
    ...unranked.map(({ reason, offers }) => `${offers} not ranked: ${reason}.`),
  ];
  if (items.length === 0) return ['No offer matches.', ...notes].join('\n');
  const markets = items.map(({ market }) => market);
  return [marketTable(head, rows, { markets, asked, numbers: [0, 1, 3, 5, 6, ...numbers] }), ...notes].join(
    '\n',
  );
}

/** Formats a field for its column; unknown is blank. */
function shownField(value: unknown, { decimals, isShare }: ColumnSpec): string {
  if (typeof value !== 'number') return String(value ?? '');
  return isShare === true ? `${(value * 100).toFixed(1)}%` : value.toFixed(decimals);
}

/** Describes a verdict as the page does; empty: the book is not complete. */
const shownVerdict = ({ verdict }: Ranked): string =>
  [verdict?.summary.text ?? '', verdict?.summary.claim ?? ''].filter((words) => words !== '').join(', ');
