import { Command, Option } from 'commander';
import { buckets } from '../../core/bucket.ts';
import { defaultMetric, trendMetrics, unitWords } from '../../core/metric.ts';
import type { CommandContext } from '../../core/terminal/command-context.ts';
import { formatTable } from '../../core/terminal/table.ts';
import { minuteWords } from '../../core/time-words.ts';
import { formatPrice } from '../../core/usd-words.ts';
import { describePriceChanges } from '../index/describe-changes.ts';
import { addPriceOptions, type PriceOptions, priceQuery } from '../newest/price-options.ts';
import type { TrendsAnswer } from './trends.routes.ts';

interface TrendsOptions extends PriceOptions {
  metric?: string;
  bucket?: string;
  from?: string;
  to?: string;
  timeZone?: string;
}

export function trendsCommand(context: CommandContext): Command {
  return addPriceOptions(new Command('trends').description('show prices and supply over time'))
    .addOption(new Option('--metric <metric>', `metric (default: ${defaultMetric})`).choices(trendMetrics))
    .addOption(new Option('--bucket <bucket>', 'interval (default: auto)').choices(['auto', ...buckets]))
    .option('--from <date>', 'start, a date or a time, inclusive (default: 30 days before --to)')
    .option('--to <date>', 'end, a date or a time, exclusive (default: just after the newest book)')
    .option('--time-zone <zone>', 'time zone of dates (default: UTC)')
    .addHelpText('after', '\nExample:\n  offerbook trends --gpu-name "RTX 4090" --bucket 1d')
    .action(async (given: TrendsOptions) => {
      const { metric, bucket, from, to, timeZone, json } = given;
      await context.withApi(async (api) => {
        const answer = await api.getTrends({ ...priceQuery(given), metric, bucket, from, to, timeZone });
        if (json) return context.print(JSON.stringify(answer));
        context.print(describeTrends(answer, (await api.getStatus({})).seeding));
        const { gpuName = [], type, market } = priceQuery(given);
        if (gpuName.length === 0) return;
        const index = await api.getPriceIndex({ gpuName, type, market });
        context.print(describePriceChanges(index));
      });
    });
}

/** Returns trends as a table with its notes. `seeding`: how far the first history is; null: it is complete. */
export function describeTrends(
  { bucket, from, to, unit, series, coverage }: TrendsAnswer,
  seeding: { done: number; total: number } | null,
): string {
  const rows = series.flatMap(({ key, points }) =>
    points.map((point) => [
      minuteWords(point.t),
      key,
      point.books,
      Number(point.offers.toFixed(1)),
      Number(point.gpus.toFixed(1)),
      `${point.physicalGpusIsLowerBound ? '≥ ' : ''}${Number(point.physicalGpus.toFixed(1))}`,
      ...[point.min, point.p10, point.median, point.p90, point.max].map(formatPrice),
    ]),
  );
  const head = [
    'Time',
    'Series',
    'Books',
    'Offers',
    'GPUs listed',
    'Physical GPUs',
    'Min',
    'P10',
    'Median',
    'P90',
    'Max',
  ];
  const expected = coverage.expected === null ? '' : `, ${coverage.expected} scheduled`;
  const notes = [
    `Prices in ${unitWords(unit)}, interval ${bucket}, from ${minuteWords(from)} to ${minuteWords(to)}.`,
    `${coverage.complete} complete books, ${coverage.partial} partial, ${coverage.failed} failed attempts${expected}.`,
    ...(seeding === null
      ? []
      : [
          `Not all yet: the first history is being made, book ${seeding.done} of ${seeding.total}. Run it again once \`offerbook status\` no longer says so.`,
        ]),
  ];
  if (rows.length === 0) return ['No prices in this range.', ...notes].join('\n');
  return [formatTable(head, rows, [2, 3, 4, 5, 6, 7, 8, 9, 10]), ...notes].join('\n');
}
