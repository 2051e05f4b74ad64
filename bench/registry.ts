import type { Figure } from './figure.ts';
import { measureCachedTrend } from './figures/cached-trend.ts';
import { measureExports } from './figures/exports.ts';
import { measureFirstMinutes } from './figures/first-minutes.ts';
import { measureGrowth } from './figures/growth.ts';
import { measureHistory } from './figures/history.ts';
import { measureIngest } from './figures/ingest.ts';
import { measureIngestMemory } from './figures/ingest-memory.ts';
import { measureLakeYear } from './figures/lake-year.ts';
import { measureMetricsScrape } from './figures/metrics-scrape.ts';
import { measureOutlook } from './figures/outlook.ts';
import { measurePage } from './figures/page.ts';
import { measurePageViews } from './figures/page-views.ts';
import { measurePriceIndex } from './figures/price-index.ts';
import { measureRankings } from './figures/rankings.ts';
import { measureSimulator } from './figures/simulator.ts';
import { measureWatches } from './figures/watches.ts';

/** Every group of figures by the name for `npm run bench -- NAME`. */
export const figures: Readonly<Record<string, Figure>> = {
  history: measureHistory,
  growth: measureGrowth,
  outlook: measureOutlook,
  'price-index': measurePriceIndex,
  ingest: measureIngest,
  'ingest-memory': measureIngestMemory,
  exports: measureExports,
  'cached-trend': measureCachedTrend,
  'lake-year': measureLakeYear,
  rankings: measureRankings,
  'metrics-scrape': measureMetricsScrape,
  simulator: measureSimulator,
  watches: measureWatches,
  page: measurePage,
  'page-views': measurePageViews,
  'first-minutes': measureFirstMinutes,
};
