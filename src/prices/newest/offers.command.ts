import { Command } from 'commander';
import type { CommandContext } from '../../core/terminal/command-context.ts';
import { timeWords } from '../../core/time-words.ts';
import { formatPrice } from '../../core/usd-words.ts';
import { marketTable } from './market-table.ts';
import type { OffersAnswer } from './offers.routes.ts';
import { addPriceOptions, noBook, type PriceOptions, priceQuery, shownFigure } from './price-options.ts';

export function offersCommand(context: CommandContext): Command {
  return addPriceOptions(
    new Command('offers').description('list the offers of the newest book by model and price per GPU'),
  )
    .option('--limit <offers>', 'maximum number of offers (default: 100)')
    .addHelpText(
      'after',
      '\nExample:\n  offerbook offers --gpu-name "RTX 4090" --filter country=DE numGpus=2',
    )
    .action(async (given: PriceOptions & { limit?: string }) => {
      const { limit, json } = given;
      await context.withApi(async (api) => {
        const answer = await api.listOffers({ ...priceQuery(given), limit });
        context.print(json ? JSON.stringify(answer) : describeOffers(answer, given.market));
      });
    });
}

function describeOffers(
  { observedAt, bookVerdict, items, nextCursor }: OffersAnswer,
  asked: PriceOptions['market'],
): string {
  const rows = items.map((item) => [
    item.offerId,
    item.machineId,
    item.gpuName,
    item.numGpus,
    item.type,
    ...[item.usdPerGpuHour, item.usdPerHour, item.allInUsdPerHour].map(formatPrice),
    shownFigure(item.dlperf),
    shownFigure(item.reliability),
    item.country ?? '',
    item.verification ?? '',
    item.isOutlier === true ? 'outlier' : '',
  ]);
  const head = [
    'Offer',
    'Machine',
    'Model',
    'GPUs',
    'Type',
    '$/GPU-hour',
    '$/hour',
    'All-in $/hour',
    'DLPerf',
    'Reliability',
    'Country',
    'Verification',
    '',
  ];
  if (observedAt === null) return noBook;
  const notes = [
    `From the ${bookVerdict} book of ${timeWords(observedAt, new Date())}.`,
    ...(nextCursor === null
      ? []
      : ['There are more: raise --limit (up to 1000) or use `offerbook export offers`.']),
  ];
  if (items.length === 0) return ['No offer matches.', ...notes].join('\n');
  const markets = items.map(({ market }) => market);
  const numbers = [0, 1, 3, 5, 6, 7, 8, 9];
  return [marketTable(head, rows, { markets, asked, numbers }), ...notes].join('\n');
}
