import { Command, Option } from 'commander';
import { defaultRanking, rankingMetrics } from '../../core/metric.ts';
import type { CommandContext } from '../../core/terminal/command-context.ts';
import { formatTable } from '../../core/terminal/table.ts';
import { addPriceOptions, type PriceOptions, priceQuery, shownPrice } from '../newest/price-options.ts';
import type { RankingsAnswer } from './rankings.routes.ts';

interface RankOptions extends PriceOptions {
  by?: string;
  limit?: string;
}

export function rankCommand(context: CommandContext): Command {
  return addPriceOptions(
    new Command('rank').description('offers of the newest book, the cheapest first, with verdicts'),
  )
    .addOption(new Option('--by <figure>', `default: ${defaultRanking}`).choices(rankingMetrics))
    .option('--limit <offers>', 'default: 20')
    .addHelpText(
      'after',
      '\nExample:\n  offerbook rank --gpu-name "RTX 4090" --by allInUsdPerHour --profile downGb=200 runningHours=10',
    )
    .action(async (given: RankOptions) => {
      const { by, limit = '20', json } = given;
      await context.withApi(async ({ request }) => {
        const answer = await request<RankingsAnswer>('/api/rankings', {
          query: { ...priceQuery(given), by, limit },
        });
        context.print(json ? JSON.stringify(answer) : describeRanking(answer));
      });
    });
}

type Ranked = RankingsAnswer['items'][number];

function describeRanking({ observedAt, bookVerdict, by, items, unranked }: RankingsAnswer): string {
  const rows = items.map((item) => [
    ...[item.rank, item.offerId, item.gpuName, item.numGpus, item.type],
    ...[shownPrice(item.value), shownPrice(item.usdPerHour)],
    ...[item.country ?? '', item.verification ?? '', shownVerdict(item)],
  ]);
  const head = ['rank', 'offer', 'model', 'GPUs', 'type', by, 'USD/hour', 'country', 'tier', 'verdict'];
  const notes = [
    observedAt === null ? 'There is no book yet.' : `The ${bookVerdict} book of ${observedAt}.`,
    ...unranked.map(({ reason, offers }) => `${offers} not ranked: ${reason}.`),
  ];
  return [formatTable(head, rows, [0, 1, 3, 5, 6]), ...notes].join('\n');
}

/** The longest window with a percentile; without one what there is now, labelled so. */
function shownVerdict({ isOutlier, verdict }: Ranked): string {
  const words = isOutlier === true ? ['outlier price'] : [];
  const window = verdict?.windows.filter(({ status }) => status === 'ok').at(-1);
  if (verdict !== null && window?.percentile != null) {
    words.push(`cheaper than ${Math.round(100 - window.percentile)} % of ${window.days} days`);
    if (verdict.lowestInDays !== null && verdict.lowestInDays > 0) {
      words.push(`lowest in ${verdict.lowestInDays} days`);
    }
  } else if (verdict?.comparableNow.percentile != null) {
    const { percentile, offers } = verdict.comparableNow;
    words.push(`too little history; cheaper than ${Math.round(100 - percentile)} % of ${offers} offers now`);
  }
  return words.join(', ');
}
