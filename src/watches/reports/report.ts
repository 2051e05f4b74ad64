import type { RankingMetric } from '../../core/metric.ts';
import type { PricingType } from '../../core/offer.ts';
import type { HorizonForecast } from '../../prices/forecast/judge-forecast.ts';
import type { PriceChange } from '../../prices/index/index-change.ts';
import type { UnrankedOffers } from '../../prices/rankings/rankings.ts';
import type { VerdictSummary } from '../../prices/verdicts/verdict-words.ts';
import type { PriceDrops } from '../../prices/wait/price-drops.ts';
import type { Notice } from '../channels/notice.ts';
import type { ReportedOffer } from './watch-reports.sql.ts';

/** How an offer compares with the last report sent. */
export type ReportChange = 'new' | 'up' | 'down' | 'same';

/** One offer of a report, as listed; it contains text from outside. */
export interface ReportItem {
  /** Name of its market. */
  market: string;
  rank: number;
  offerId: number;
  listingId: string;
  machineId: number;
  hostId: number | null;
  gpuName: string;
  numGpus: number;
  type: PricingType;
  verification: string | null;
  country: string | null;
  reliability: number | null;
  /** The metric that it is ranked by. */
  value: number;
  usdPerHour: number;
  usdPerGpuHour: number;
  allInUsdPerHour: number | null;
  /** null: its segment has no median. */
  isOutlier: boolean | null;
  /** null: no verdict. */
  verdict: VerdictSummary | null;
  /** null: there is no previous report. */
  change: ReportChange | null;
  previousUsdPerHour: number | null;
  /** Link to its quote on the page, or to its listing if Offerbook does not rent in its market. */
  url: string;
  /** Whether Offerbook rents in its market. */
  canRent: boolean;
}

/** An offer of the last report that the newest book no longer has, or the watch no longer accepts. */
export interface GoneItem extends ReportedOffer {
  market: string;
}

/** Prices of one model and type over the last week. */
export interface ReportTrend {
  market: string;
  gpuName: string;
  type: PricingType;
  /** Median of each day, $/GPU-hour. */
  points: { t: string; median: number | null }[];
  /** Over 1, 7 and 27 days up to the newest day of the index. */
  changes: PriceChange[];
  /** Forecast of the median in 7 days. */
  forecast: HorizonForecast;
  /** Changes and forecast in words. */
  sentences: string[];
}

/** Whether waiting has paid off for a watch's offers. */
export interface ReportWait extends PriceDrops {
  market: string;
  /** Hours until the work must begin. */
  hours: number;
  type: PricingType;
  /** All fields in words. */
  sentence: string;
}

/** The newest book of one of a watch's markets, with its matches. */
export interface ReportBook extends WatchCounts {
  market: string;
  /** null: there is no book yet. */
  observedAt: string | null;
  bookVerdict: 'complete' | 'partial' | null;
  dataAgeMinutes: number | null;
  /** Books of the last 7 days. */
  coverage: ReportCoverage;
}

export interface ReportCoverage {
  books: number;
  complete: number;
  partial: number;
  failed: number;
}

/** The current matches of a watch, and on how many of the last 30 days it had any. */
export interface WatchCounts {
  offers: number;
  /** As listed. */
  gpus: number;
  machines: number;
  daysOfLast30: number;
}

/** The cheapest offers of a watch. Source: docs/meaning.md#watches-and-reports. */
export interface Report {
  watch: { id: string; name: string; market: string; markets: string[] };
  /** Moment of the report. */
  at: string;
  /** With several markets that of the oldest newest book; null: there is no book yet. */
  observedAt: string | null;
  /** With several markets the worst one. */
  bookVerdict: 'complete' | 'partial' | null;
  dataAgeMinutes: number | null;
  /** Books of the last 7 days, of all its markets. */
  coverage: ReportCoverage;
  /** Each of its markets, in the watch's order. */
  books: ReportBook[];
  by: RankingMetric;
  unit: string;
  /** Total over its markets. */
  availability: WatchCounts;
  /** Matching offers that are not ranked, by reason. */
  unranked: UnrankedOffers[];
  /** The previous report; null: there is none. */
  since: string | null;
  items: ReportItem[];
  gone: GoneItem[];
  trends: ReportTrend[];
  /** One per market with a book; empty if the watch names no models. */
  waits: ReportWait[];
  url: string;
}

/** Returns the report that a notice carries; null: none. */
export function reportOf(notice: Notice): Report | null {
  if (notice.kind !== 'report') return null;
  const report = notice.data.report as Report;
  // A notice from before reports had several markets may still wait or be sent again.
  return 'books' in report ? report : ofOneMarket(report as OlderReport);
}

type OlderReport = Omit<Report, 'books'> & { wait?: ReportWait | null };

function ofOneMarket({ wait, ...old }: OlderReport): Report {
  const { watch, items } = old;
  const { market } = watch;
  return {
    ...old,
    watch: { ...watch, markets: [market] },
    items: items.map((item) => ({ ...item, market, canRent: true })),
    books: [
      {
        ...old.availability,
        market,
        observedAt: old.observedAt,
        bookVerdict: old.bookVerdict,
        dataAgeMinutes: old.dataAgeMinutes,
        coverage: old.coverage,
      },
    ],
    unranked: [],
    waits: wait == null ? [] : [wait],
  };
}

/** Returns a price for people: 4 significant digits, no trailing zeros beyond cents. */
export function formatUsd(value: number | null): string {
  if (value === null) return '–';
  const digits = value === 0 ? 2 : Math.max(2, 3 - Math.floor(Math.log10(Math.abs(value))));
  return `${value < 0 ? '-' : ''}$${Math.abs(value)
    .toFixed(Math.min(digits, 8))
    .replace(/(\.\d\d\d*?)0+$/, '$1')}`;
}

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
  if (change === 'up') return `up from ${formatUsd(previousUsdPerHour)}`;
  if (change === 'down') return `down from ${formatUsd(previousUsdPerHour)}`;
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
    ...unranked.map(({ reason, offers }) => `${offers} matching offers are not ranked: ${reason}.`),
    since === null ? 'This is the first report.' : `Changes are since the report of ${minuteOf(since)} UTC.`,
  ];
}

function bookLines(
  { observedAt, bookVerdict, dataAgeMinutes, coverage }: ReportBook,
  prefix: string,
): string[] {
  if (observedAt === null) return [`${prefix}there is no book yet.`];
  const partial = bookVerdict === 'partial' ? ', a partial one: offers may be missing' : '';
  return [
    `${prefix}Book of ${minuteOf(observedAt)} UTC, ${ageWords(dataAgeMinutes)} old${partial}.`,
    `${prefix}Last 7 days: ${coverage.complete} complete, ${coverage.partial} partial, ${coverage.failed} failed books.`,
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
    : `${offers} offers match now (${gpus} GPUs listed on ${machines} machines); something matched on ${daysOfLast30} of the last 30 days.`;

const minuteOf = (iso: string): string => iso.slice(0, 16).replace('T', ' ');

const ageWords = (minutes: number | null): string =>
  minutes === null
    ? 'of unknown age'
    : minutes < 120
      ? `${Math.round(minutes)} minutes`
      : `${Math.round(minutes / 60)} hours`;
