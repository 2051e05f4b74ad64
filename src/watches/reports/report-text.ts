import { metrics } from '../../core/metric.ts';
import { alignUsd } from '../../core/usd-words.ts';
import { escapeMarkdown } from '../escape.ts';
import { notRentedWords } from '../quote-link.ts';
import type { Report } from './report.ts';
import {
  availabilityLine,
  changeWords,
  dataLines,
  goneWords,
  marketPrefix,
  type PricedItem,
  placeWords,
  pricedItems,
  sparkline,
  verdictWords,
} from './report-words.ts';

const whole = ({ numGpus, gpuName }: { numGpus: number; gpuName: string }): string =>
  `${numGpus}× ${gpuName}`;

/** The prices that stand beside that of the whole offer. */
const pricesBeside = ({ usdPerGpuHour, allInUsdPerHour, value }: Omit<PricedItem, 'item'>): string[] => [
  usdPerGpuHour,
  allInUsdPerHour,
  ...(value === null ? [] : [value]),
];

const pricesOfGone = ({ gone }: Report): string[] => alignUsd(gone.map(({ usdPerHour }) => usdPerHour));

/** Returns a report as plain text with lines up to about 100 characters. */
export function renderReportText(report: Report): string {
  const gonePrices = pricesOfGone(report);
  const items = pricedItems(report).flatMap(({ item, ...prices }) => {
    const place = placeWords(report, item).join(', ');
    const change = changeWords(item);
    const isForeign = !item.canRent && report.watch.markets.length > 1;
    return [
      `${item.rank}. ${whole(item)}  ${prices.usdPerHour}  (${pricesBeside(prices).join(', ')})`,
      `   ${place}; offer ${item.offerId}, machine ${item.machineId}${change === '' ? '' : `; ${change}`}`,
      `   ${verdictWords(item)}; ${item.url}`,
      ...(isForeign ? [`   ${notRentedWords(item.market)}`] : []),
    ];
  });
  return [
    availabilityLine(report),
    report.ranking,
    '',
    ...(items.length === 0 ? (report.observedAt === null ? [] : ['No offer matches.']) : items),
    ...(report.gone.length === 0
      ? []
      : [
          '',
          `${goneWords}:`,
          ...report.gone.map(
            (gone, place) =>
              `- ${marketPrefix(report, gone.market)}${whole(gone)} at ${gonePrices[place]}/hour (offer ${gone.offerId})`,
          ),
        ]),
    ...(report.trends.length === 0
      ? []
      : [
          '',
          'Median of all offers of the model, $/GPU-hour, last 7 days:',
          ...report.trends.flatMap((trend) => [
            `${marketPrefix(report, trend.market)}${trend.gpuName}, ${trend.type}: ${trendLine(trend)}`,
            ...trend.sentences.map((sentence) => `   ${sentence}`),
          ]),
        ]),
    ...(report.waits.length === 0 ? [] : ['', ...report.waits.map(({ sentence }) => sentence)]),
    '',
    ...dataLines(report),
    report.url,
  ].join('\n');
}

/** Returns a report as Markdown with a table. */
export function renderReportMarkdown(report: Report): string {
  const gonePrices = pricesOfGone(report);
  const cell = escapeMarkdown;
  const isPlural = report.watch.markets.length > 1;
  const ranked = pricedItems(report)[0]?.value == null ? null : metrics[report.by].label;
  const row = ({ item, ...prices }: PricedItem): string =>
    `| ${[
      String(item.rank),
      cell(whole(item)),
      cell(prices.usdPerHour),
      ...pricesBeside(prices).map(cell),
      cell(
        [...(isPlural ? [item.market] : []), item.type, item.verification ?? '–', item.country ?? '–'].join(
          ', ',
        ),
      ),
      cell(verdictWords(item)),
      cell(changeWords(item)),
      `[${item.offerId}](<${item.url}>)`,
      String(item.machineId),
    ].join(' | ')} |`;
  return [
    cell(availabilityLine(report)),
    '',
    cell(report.ranking),
    '',
    ...(report.items.length === 0
      ? report.observedAt === null
        ? []
        : ['No offer matches\\.']
      : [
          `| # | GPUs | whole offer | per GPU | all-in | ${ranked === null ? '' : `${ranked} | `}${isPlural ? 'market, ' : ''}type, tier, country | verdict | change | offer | machine |`,
          `|--:|---|--:|--:|--:|${ranked === null ? '' : '--:|'}---|---|---|--:|--:|`,
          ...pricedItems(report).map(row),
        ]),
    ...(report.gone.length === 0
      ? []
      : [
          '',
          `${goneWords}:`,
          '',
          ...report.gone.map(
            (gone, place) =>
              `- ${cell(`${marketPrefix(report, gone.market)}${whole(gone)} at ${gonePrices[place]}/hour (offer ${gone.offerId})`)}`,
          ),
        ]),
    ...(report.trends.length === 0
      ? []
      : [
          '',
          'Median of all offers of the model, $/GPU-hour, last 7 days:',
          '',
          ...report.trends.map((trend) => {
            const sentences = trend.sentences.map((sentence) => `  \n  ${cell(sentence)}`).join('');
            return `- ${cell(`${marketPrefix(report, trend.market)}${trend.gpuName}, ${trend.type}`)}: ${cell(trendLine(trend))}${sentences}`;
          }),
        ]),
    ...report.waits.flatMap(({ sentence }) => ['', cell(sentence)]),
    '',
    ...dataLines(report).map((line) => `${cell(line)}  `),
    `<${report.url}>`,
  ].join('\n');
}

/** Bars, then the first and the last median. */
function trendLine({ points }: { points: { median: number | null }[] }): string {
  const medians = points.map(({ median }) => median);
  const known = medians.filter((median) => median !== null);
  if (known.length === 0) return 'no complete book';
  return `${sparkline(medians)} ${alignUsd([known[0] ?? null, known.at(-1) ?? null]).join(' → ')}`;
}
