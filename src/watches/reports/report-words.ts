import { countOf } from '../../core/count-of.ts';
import { metrics } from '../../core/metric.ts';
import { minuteWords } from '../../core/time-words.ts';
import { alignUsd, formatUsd } from '../../core/usd-words.ts';
import type { Report, ReportBook, ReportItem } from './report.ts';

const bars = '▁▂▃▄▅▆▇█';

/** Returns values as steps of 0 to 7 between the lowest and the highest; 3 if all are equal; null for a gap. */
export function barSteps(values: readonly (number | null)[]): (number | null)[] {
  const known = values.filter((value) => value !== null);
  const [low, high] = [Math.min(...known), Math.max(...known)];
  return values.map((value) => {
    if (value === null) return null;
    return high > low ? Math.round(((value - low) / (high - low)) * (bars.length - 1)) : 3;
  });
}

/** Returns values as a line of bars; a gap is a space. */
export const sparkline = (values: readonly (number | null)[]): string =>
  barSteps(values)
    .map((step) => (step === null ? ' ' : bars[step]))
    .join('');

/** Returns how a price has moved, in words; empty if there is nothing to say. */
export function changeWords({ change, previousUsdPerHour }: ReportItem): string {
  if (change === 'new') return 'new';
  if (change === 'up') return `up from ${formatUsd(previousUsdPerHour)}/hour`;
  if (change === 'down') return `down from ${formatUsd(previousUsdPerHour)}/hour`;
  return change === 'same' ? 'unchanged' : '';
}

/** Describes a verdict. */
export function verdictWords({ verdict }: ReportItem): string {
  if (verdict === null) return 'no verdict';
  const { text, claim } = verdict;
  return claim === '' ? text : `${text}, ${claim}`;
}

/** Returns sentences about the state of the data, market by market. */
export function dataLines({ observedAt, books, since, unranked }: Report): string[] {
  if (observedAt === null) return ['There is no book yet.'];
  return [
    ...books.flatMap((book) => bookLines(book, books.length > 1 ? `${book.market}: ` : '')),
    ...unranked.map(({ reason, offers }) => `${countOf(offers, 'matching offer')} not ranked: ${reason}.`),
    since === null ? 'This is the first report.' : `Changes are since the report of ${minuteWords(since)}.`,
  ];
}

function bookLines(
  { observedAt, bookVerdict, dataAgeMinutes, coverage }: ReportBook,
  prefix: string,
): string[] {
  if (observedAt === null) return [`${prefix}there is no book yet.`];
  const partial = bookVerdict === 'partial' ? '; it is partial: offers may be missing' : '';
  return [
    `${prefix}Book (snapshot of all offers) of ${minuteWords(observedAt)}, ${ageWords(dataAgeMinutes)} old${partial}.`,
    `${prefix}Books of the last 7 days: ${coverage.complete} complete, ${coverage.partial} partial, ${coverage.failed} failed.`,
  ];
}

/** Returns the prefix of a line about one market: its name if the watch has several. */
export const marketPrefix = ({ watch }: Pick<Report, 'watch'>, market: string): string =>
  watch.markets.length > 1 ? `${market}: ` : '';

/** Describes an offer's location, with its market if the watch has several. */
export function placeWords(
  report: Pick<Report, 'watch'>,
  { market, type, verification, country }: ReportItem,
): string[] {
  const place = [type, verification ?? 'tier unknown', country ?? 'country unknown'];
  return report.watch.markets.length > 1 ? [market, ...place] : place;
}

/** Returns a sentence about what matches now. */
export const availabilityLine = ({
  observedAt,
  availability: { offers, gpus, machines, daysOfLast30 },
}: Report): string =>
  observedAt === null
    ? 'What matches now is unknown: there is no book yet.'
    : `${countOf(offers, 'offer')} ${offers === 1 ? 'matches' : 'match'} now (${countOf(gpus, 'GPU')} listed on ${countOf(machines, 'machine')}); offers matched on ${daysOfLast30} of the last 30 days.`;

/** Returns the heading of the offers that are gone. */
export const goneWords = 'No longer listed, or no longer matching, since the last report';

const ageWords = (minutes: number | null): string =>
  minutes === null
    ? 'of unknown age'
    : minutes < 120
      ? countOf(Math.round(minutes), 'minute')
      : countOf(Math.round(minutes / 60), 'hour');

/** An offer with its prices as its report shows them. */
export interface PricedItem {
  item: ReportItem;
  usdPerHour: string;
  usdPerGpuHour: string;
  allInUsdPerHour: string;
  /** With its unit; null: one of the other prices is what it is ranked by. */
  value: string | null;
}

/** Returns the offers of a report with prices that line up in each column. */
export function pricedItems({ items, by }: Report): PricedItem[] {
  const column = (of: (item: ReportItem) => number | null) => alignUsd(items.map(of));
  const [hour, gpu, allIn, value] = [
    column((item) => item.usdPerHour),
    column((item) => item.usdPerGpuHour),
    column((item) => item.allInUsdPerHour),
    column((item) => item.value),
  ];
  const isShown = ['usdPerHour', 'usdPerGpuHour', 'allInUsdPerHour'].includes(by);
  return items.map((item, place) => ({
    item,
    usdPerHour: `${hour[place]}/hour`,
    usdPerGpuHour: `${gpu[place]}/GPU-hour`,
    allInUsdPerHour: item.allInUsdPerHour === null ? 'all-in unknown' : `${allIn[place]}/hour all-in`,
    value: isShown ? null : `${value[place]}${metrics[by].shownUnit.replace('$', '')}`,
  }));
}
