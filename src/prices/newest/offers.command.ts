import { Command } from 'commander';
import type { CommandContext } from '../../core/terminal/command-context.ts';
import { formatTable } from '../../core/terminal/table.ts';
import type { OffersAnswer } from './offers.routes.ts';
import { addPriceOptions, type PriceOptions, priceQuery, shownPrice } from './price-options.ts';

export function offersCommand(context: CommandContext): Command {
  return addPriceOptions(
    new Command('offers').description('offers of the newest book, by model and price a GPU'),
  )
    .option('--limit <offers>', 'default: 100')
    .addHelpText(
      'after',
      '\nExample:\n  offerbook offers --gpu-name "RTX 4090" --filter country=DE numGpus=2',
    )
    .action(async (given: PriceOptions & { limit?: string }) => {
      const { limit, json } = given;
      await context.withApi(async ({ request }) => {
        const answer = await request<OffersAnswer>('/api/offers', { query: { ...priceQuery(given), limit } });
        context.print(json ? JSON.stringify(answer) : describeOffers(answer));
      });
    });
}

function describeOffers({ observedAt, bookVerdict, items, nextCursor }: OffersAnswer): string {
  const rows = items.map((item) => [
    ...[item.offerId, item.machineId, item.gpuName, item.numGpus, item.type],
    ...[item.usdPerGpuHour, item.usdPerHour, item.allInUsdPerHour].map(shownPrice),
    ...[shownPrice(item.dlperf), shownPrice(item.reliability), item.country ?? '', item.verification ?? ''],
    item.isOutlier === true ? 'outlier price' : '',
  ]);
  const head = [
    ...['offer', 'machine', 'model', 'GPUs', 'type', 'USD/GPU/hour', 'USD/hour', 'all-in USD/hour'],
    ...['DLPerf', 'reliability', 'country', 'tier', ''],
  ];
  const notes = [
    observedAt === null ? 'There is no book yet.' : `The ${bookVerdict} book of ${observedAt}.`,
    ...(nextCursor === null ? [] : ['There are more: --limit, up to 1000, or `offerbook export offers`.']),
  ];
  return [formatTable(head, rows, [0, 1, 3, 5, 6, 7, 8, 9]), ...notes].join('\n');
}
