import { readDailyIndex } from './daily-index.ts';
import { readDailyMedians } from './daily-medians.ts';
import type { DailyReader } from './daily-values.ts';

/** What can be forecast, by its name in requests: one line a metric. */
export const forecastMetrics = {
  median: { unit: 'USD/GPU/hour', read: readDailyMedians },
  index: { unit: '100 at its start', read: readDailyIndex },
} as const satisfies Record<string, { unit: string; read: DailyReader }>;

export type ForecastMetric = keyof typeof forecastMetrics;
export const forecastMetricNames = Object.keys(forecastMetrics) as [ForecastMetric, ...ForecastMetric[]];
