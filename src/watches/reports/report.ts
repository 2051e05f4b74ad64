import type { RankingMetric } from '../../core/metric.ts';
import type { PricingType } from '../../core/offer.ts';
import type { HorizonForecast } from '../../prices/forecast/judge-forecast.ts';
import type { PriceChange } from '../../prices/index/index-change.ts';
import type { UnrankedOffers } from '../../prices/rankings/rankings.ts';
import type { VerdictSummary } from '../../prices/verdicts/verdict-words.ts';
import type { PriceDrops } from '../../prices/wait/price-drops.ts';
import type { Notice } from '../channels/notice.ts';
import { rankedBy } from './ranking-words.ts';
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
  /** By what its offers are ranked and which are considered, in words. */
  ranking: string;
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
  const kept = notice.data.report as Report;
  // A notice from before reports stated their ranking, or had several markets, may still wait or be sent again.
  const report = { ...kept, ranking: kept.ranking ?? rankedBy(kept.by) };
  return 'books' in kept ? report : ofOneMarket(report as OlderReport);
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
