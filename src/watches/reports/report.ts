import type { RankingMetric } from '../../core/metric.ts';
import type { PricingType } from '../../core/offer.ts';
import type { HorizonForecast } from '../../prices/forecast/judge-forecast.ts';
import type { PriceChange } from '../../prices/index/index-change.ts';
import type { PriceDrops } from '../../prices/wait/price-drops.ts';
import type { Notice } from '../channels/notice.ts';

/** How an offer compares with the last report sent. */
export type ReportChange = 'new' | 'up' | 'down' | 'same';

/** The position of a price in its segment's history. */
export interface ReportVerdict {
  days: number;
  /** 0 is the cheapest; null: not enough history. */
  percentile: number | null;
  /** `ok`, or what is missing. */
  status: string;
}

/** One offer of a report, as listed; it contains text from outside. */
export interface ReportItem {
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
  verdict: ReportVerdict | null;
  /** null: there is no previous report. */
  change: ReportChange | null;
  previousUsdPerHour: number | null;
  /** Link to its quote on the page. */
  url: string;
}

/** An offer of the last report that the newest book no longer has, or the watch no longer accepts. */
export interface GoneItem {
  offerId: number;
  machineId: number;
  gpuName: string;
  numGpus: number;
  usdPerHour: number;
}

/** Prices of one model and type over the last week. */
export interface ReportTrend {
  gpuName: string;
  type: PricingType;
  /** Median of each day, $/GPU-hour. */
  points: { t: string; median: number | null }[];
  /** Over 1, 7 and 27 days up to the newest day of the index. */
  changes: PriceChange[];
  /** Of the median in 7 days. */
  forecast: HorizonForecast;
  /** Both in words. */
  sentences: string[];
}

/** Whether waiting has paid for what a watch looks for. */
export interface ReportWait extends PriceDrops {
  /** Until the work must begin. */
  hours: number;
  type: PricingType;
  /** All of it in words. */
  sentence: string;
}

/** The cheapest offers of a watch. Source: docs/meaning.md#watches-and-reports. */
export interface Report {
  watch: { id: string; name: string; market: string };
  /** Moment of the report. */
  at: string;
  /** null: there is no book yet. */
  observedAt: string | null;
  bookVerdict: 'complete' | 'partial' | null;
  dataAgeMinutes: number | null;
  /** Books of the last 7 days. */
  coverage: { books: number; complete: number; partial: number; failed: number };
  by: RankingMetric;
  unit: string;
  /** Offers, listed GPUs and machines that match now. */
  availability: { offers: number; gpus: number; machines: number; daysOfLast30: number };
  /** The previous report; null: there is none. */
  since: string | null;
  items: ReportItem[];
  gone: GoneItem[];
  trends: ReportTrend[];
  /** null: the watch names no models, or there is no book yet. */
  wait: ReportWait | null;
  url: string;
}

/** Returns the report that a notice carries; null: none. */
export const reportOf = (notice: Notice): Report | null =>
  notice.kind === 'report' ? (notice.data.report as Report) : null;

/** Returns a price for people: 4 significant digits, no trailing zeros beyond cents. */
export function formatUsd(value: number | null): string {
  if (value === null) return '–';
  const digits = value === 0 ? 2 : Math.max(2, 3 - Math.floor(Math.log10(Math.abs(value))));
  return `$${value.toFixed(Math.min(digits, 8)).replace(/(\.\d\d\d*?)0+$/, '$1')}`;
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

/** A verdict in words. */
export function verdictWords({ verdict, isOutlier }: ReportItem): string {
  const words =
    verdict === null
      ? 'no verdict'
      : verdict.percentile === null
        ? `no verdict (${verdict.status})`
        : `percentile ${Math.round(verdict.percentile)} of ${verdict.days} days`;
  return isOutlier === true ? `${words}, looks like an outlier` : words;
}

/** Returns sentences about the state of the data. */
export function dataLines({ observedAt, bookVerdict, dataAgeMinutes, coverage, since }: Report): string[] {
  if (observedAt === null) return ['There is no book yet.'];
  const partial = bookVerdict === 'partial' ? ', a partial one: offers may be missing' : '';
  return [
    `Book of ${minuteOf(observedAt)} UTC, ${ageWords(dataAgeMinutes)} old${partial}.`,
    `Last 7 days: ${coverage.complete} complete, ${coverage.partial} partial, ${coverage.failed} failed books.`,
    since === null ? 'This is the first report.' : `Changes are since the report of ${minuteOf(since)} UTC.`,
  ];
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
