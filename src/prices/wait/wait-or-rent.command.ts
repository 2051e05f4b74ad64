import { Command } from 'commander';
import { countOf } from '../../core/count-of.ts';
import type { CommandContext } from '../../core/terminal/command-context.ts';
import { formatTable } from '../../core/terminal/table.ts';
import { timeWords } from '../../core/time-words.ts';
import { formatUsd } from '../../core/usd-words.ts';
import {
  addPriceOptions,
  noBook,
  type PriceOptions,
  priceQuery,
  shownFigure,
} from '../newest/price-options.ts';
import type { LowestVerdictsAnswer } from '../verdicts/verdicts.routes.ts';
import type { WaitOrRentAnswer } from './wait-or-rent.routes.ts';

interface WaitOptions extends PriceOptions {
  hours: string;
}

/** `offerbook wait-or-rent`. */
export function waitOrRentCommand(context: CommandContext): Command {
  const command = new Command('wait-or-rent').description(
    'show how often a cheaper offer came in time, and how long bids lasted',
  );
  return addPriceOptions(command, 'one')
    .option('--hours <hours>', 'hours until the work must begin, 1 to 168', '24')
    .addHelpText(
      'after',
      '\nExample:\n  offerbook wait-or-rent --gpu-name "RTX 4090" --hours 12 --filter minReliability=0.98',
    )
    .action(async (given: WaitOptions) => {
      await context.withApi(async (api) => {
        const answer = await api.getWaitOrRent({ ...priceQuery(given), hours: given.hours });
        if (given.json) {
          context.print(JSON.stringify(answer));
          return;
        }
        const isOfOneModel = given.gpuName?.length === 1;
        const { items } = isOfOneModel ? await api.listLowestVerdicts(priceQuery(given)) : { items: [] };
        context.print(describeWaits(answer, items, new Date()));
      });
    });
}

type MarketWait = WaitOrRentAnswer['others'][number];

type Verdicts = LowestVerdictsAnswer['items'];

/** Describes each market, under its name if there are several. */
function describeWaits({ others, ...first }: WaitOrRentAnswer, verdicts: Verdicts, now: Date): string {
  if (others.length === 0) return describeWait(first, verdicts, now);
  return [first, ...others]
    .map((wait) => `${wait.market}\n\n${describeWait(wait, verdicts, now)}`)
    .join('\n\n\n');
}

function describeWait(answer: MarketWait, verdicts: Verdicts, now: Date): string {
  const { market, observedAt, type, hours, priceNow, overall, similar, bidSurvival } = answer;
  if (observedAt === null) return noBook;
  const verdict = verdicts.find((each) => each.market === market && each.type === type);
  const price =
    priceNow === null
      ? 'No offer matches'
      : `Lowest all-in price of a matching ${type} offer: ${formatUsd(priceNow)}/hour`;
  const parts = [
    `${price}. Complete book of ${timeWords(observedAt, now)}.`,
    ...(verdict === undefined ? [] : describeTiming(verdict, now)),
    describeDrops(`Cheaper within ${hours} h, over the past year`, overall, hours),
    describeDrops('The same at similar prices', similar, hours),
    describeBids(bidSurvival.bids),
  ];
  return parts.join('\n\n');
}

/** Describes whether it is a good time to rent and what the lowest price was before, as the page does; empty: unknown. */
function describeTiming({ timing, lowest }: Verdicts[number], now: Date): string[] {
  if (timing === null || lowest === null) return [];
  const { text, claim, books, last, medianUsdPerGpuHour } = timing;
  const price = lowest.usdPerGpuHour;
  const [median, shown] = [formatUsd(medianUsdPerGpuHour), formatUsd(price)];
  const usual = `, usually ${median}${median === shown ? ', as now' : ''}`;
  const moved =
    last === null
      ? ''
      : `; it was ${formatUsd(last.usdPerGpuHour)} from ${timeWords(last.since, now)} to ${timeWords(last.until, now)}`;
  const share = claim.replace(/^the lowest price was (lower|higher) in/, 'it was $1 than now in');
  return [
    `Now is ${text}: the lowest price is ${shown}/GPU-hour; ${share}${usual}${moved} (${countOf(books, 'earlier book')}).`,
  ];
}

function describeDrops(
  title: string,
  { status, cases, neededCases, drops }: WaitOrRentAnswer['overall'],
  hours: number,
): string {
  if (status === 'insufficient') {
    return `${title}: not enough history. It takes ${neededCases} past periods of ${countOf(hours, 'hour')}; so far there ${cases === 1 ? 'is' : 'are'} ${cases}.`;
  }
  const rows = drops.map(({ percent, chance, medianHours }) => [
    ...[`${percent}% or more`, shownShare(chance)],
    medianHours === null ? 'never' : `${shownFigure(medianHours)} h`,
  ]);
  return `${title} (${cases} periods):\n${formatTable(['Cheaper by', 'Chance', 'Usual wait'], rows, [1, 2])}`;
}

function describeBids(bids: WaitOrRentAnswer['bidSurvival']['bids']): string {
  if (bids.length === 0) return 'Bids: no complete book of bids.';
  const rows = bids.map(({ hours, raisePercent, status, share, cases, unknown }) => [
    raisePercent === 0 ? 'minimum bid' : `minimum bid + ${raisePercent}%`,
    ...[`${hours} h`, status === 'ok' ? shownShare(share) : 'insufficient', cases, unknown],
  ]);
  const head = ['Bid', 'After', 'Not outbid', 'Bids followed', 'Unclear'];
  return `Bids that stayed at or above the minimum bid:\n${formatTable(head, rows, [1, 2, 3, 4])}`;
}

const shownShare = (share: number | null): string => (share === null ? '' : `${(100 * share).toFixed(0)}%`);
