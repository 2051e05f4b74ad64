import { escapeMarkdown } from '../escape.ts';
import { notRentedWords } from '../quote-link.ts';
import {
  availabilityLine,
  changeWords,
  dataLines,
  formatUsd,
  marketPrefix,
  placeWords,
  type Report,
  type ReportItem,
  sparkline,
  verdictWords,
} from './report.ts';

const whole = ({ numGpus, gpuName }: { numGpus: number; gpuName: string }): string =>
  `${numGpus}× ${gpuName}`;

/** Returns a report as plain text with lines up to about 100 characters. */
export function renderReportText(report: Report): string {
  const items = report.items.flatMap((item) => {
    const place = placeWords(report, item).join(', ');
    const change = changeWords(item);
    const isForeign = !item.canRent && report.watch.markets.length > 1;
    return [
      `${item.rank}. ${whole(item)}  ${formatUsd(item.usdPerHour)}/h  (${formatUsd(item.usdPerGpuHour)} per GPU, all-in ${formatUsd(item.allInUsdPerHour)}/h)`,
      `   ${place}; offer ${item.offerId}, machine ${item.machineId}${change === '' ? '' : `; ${change}`}`,
      `   ${verdictWords(item)}; ${item.url}`,
      ...(isForeign ? [`   ${notRentedWords(item.market)}`] : []),
    ];
  });
  return [
    availabilityLine(report),
    '',
    ...(items.length === 0 ? (report.observedAt === null ? [] : ['No offer matches.']) : items),
    ...(report.gone.length === 0
      ? []
      : [
          '',
          'Gone since:',
          ...report.gone.map(
            (gone) =>
              `- ${marketPrefix(report, gone.market)}${whole(gone)} at ${formatUsd(gone.usdPerHour)}/h (offer ${gone.offerId})`,
          ),
        ]),
    ...(report.trends.length === 0
      ? []
      : [
          '',
          'Median $/GPU-hour, last 7 days:',
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
  const cell = escapeMarkdown;
  const isPlural = report.watch.markets.length > 1;
  const row = (item: ReportItem): string =>
    `| ${[
      String(item.rank),
      cell(whole(item)),
      cell(formatUsd(item.usdPerHour)),
      cell(formatUsd(item.usdPerGpuHour)),
      cell(formatUsd(item.allInUsdPerHour)),
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
    ...(report.items.length === 0
      ? report.observedAt === null
        ? []
        : ['No offer matches\\.']
      : [
          `| # | offer | $/hour | $/GPU-hour | all-in $/hour | ${isPlural ? 'market, ' : ''}type, tier, country | verdict | change | offer | machine |`,
          '|--:|---|--:|--:|--:|---|---|---|--:|--:|',
          ...report.items.map(row),
        ]),
    ...(report.gone.length === 0
      ? []
      : [
          '',
          'Gone since:',
          '',
          ...report.gone.map(
            (gone) =>
              `- ${cell(`${marketPrefix(report, gone.market)}${whole(gone)} at ${formatUsd(gone.usdPerHour)}/h (offer ${gone.offerId})`)}`,
          ),
        ]),
    ...(report.trends.length === 0
      ? []
      : [
          '',
          'Median $/GPU-hour, last 7 days:',
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
  return `${sparkline(medians)} ${formatUsd(known[0] ?? null)} → ${formatUsd(known.at(-1) ?? null)}`;
}
