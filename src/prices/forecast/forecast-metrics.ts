import { formatUsd } from '../../core/usd-words.ts';
import { type DailyReader, readDailyIndex, readDailyMedians } from './daily-values.ts';
import type { ForecastWords } from './describe-forecast.ts';

const shownLevel = (value: number | null): string => (value === null ? '' : value.toFixed(2));

/** Metrics that can be forecast, by their names in requests. */
export const forecastMetrics = {
  median: { unit: 'USD/GPU/hour', inWords: formatUsd, nowWords: "today's price", read: readDailyMedians },
  index: { unit: '100 at its start', inWords: shownLevel, nowWords: "today's level", read: readDailyIndex },
} as const satisfies Record<string, ForecastWords & { unit: string; read: DailyReader }>;

export type ForecastMetric = keyof typeof forecastMetrics;
export const forecastMetricNames = Object.keys(forecastMetrics) as [ForecastMetric, ...ForecastMetric[]];
