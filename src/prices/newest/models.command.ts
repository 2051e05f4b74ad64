import { Command, Option } from 'commander';
import { pricingTypes } from '../../core/offer.ts';
import type { CommandContext } from '../../core/terminal/command-context.ts';
import { marketOption } from '../../core/terminal/market-option.ts';
import { timeWords } from '../../core/time-words.ts';
import { formatPrice } from '../../core/usd-words.ts';
import { changeWords } from '../index/describe-changes.ts';
import type { MarketAnswer } from './market.routes.ts';
import { marketTable } from './market-table.ts';
import { noBook } from './price-options.ts';

interface ModelsOptions {
  type?: string;
  market?: string[];
  json?: true;
}

/** `offerbook models`. */
export function modelsCommand(context: CommandContext): Command {
  return new Command('models')
    .description('list GPU models with current price, change and supply')
    .addOption(new Option('--type <type>', 'pricing type (default: on-demand)').choices(pricingTypes))
    .addOption(marketOption())
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  offerbook models --type bid')
    .action(async ({ type, market, json }: ModelsOptions) => {
      await context.withApi(async (api) => {
        const answer = await api.getMarketOverview({ type, market });
        context.print(
          json ? JSON.stringify(answer) : describeModels(answer, { now: new Date(), asked: market }),
        );
      });
    });
}

function describeModels(
  { observedAt, bookVerdict, items }: MarketAnswer,
  { now, asked }: { now: Date; asked: readonly string[] | undefined },
): string {
  if (observedAt === null) return noBook;
  const rows = items.map((item) => [
    item.gpuName,
    item.offers,
    item.gpus,
    formatPrice(item.median),
    formatPrice(item.lowest),
    ...item.changes.map(changeWords),
    formatPrice(item.bidMedian),
    item.changes.find(({ days }) => days === 7)?.words ?? '',
  ]);
  const head = [
    'Model',
    'Offers',
    'GPUs',
    'Median $/GPU-hour',
    'Lowest $/GPU-hour',
    '1-day change',
    '7-day change',
    '27-day change',
    'Bid median $/GPU-hour',
    'In 7 days',
  ];
  const markets = items.map(({ market }) => market);
  const table = marketTable(head, rows, { markets, asked, numbers: [1, 2, 3, 4, 5, 6, 7, 8] });
  const book = `${bookVerdict === 'complete' ? 'Complete' : 'Partial'} book of ${timeWords(observedAt, now)}.`;
  return `${table}\n${book} Changes compare the same machines (like for like); ? marks one smaller than twice its error.`;
}
