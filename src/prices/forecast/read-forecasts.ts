import { setImmediate as letOthersRun } from 'node:timers/promises';
import type { PricingType } from '../../core/offer.ts';
import type { Db } from '../../database/connection.ts';
import { type ForecastMetric, forecastMetrics } from './forecast-metrics.ts';
import { forecastDays, type HorizonForecast, judgeHorizon } from './judge-forecast.ts';

export interface ForecastRequest {
  marketId: number;
  /** null: the market was never recorded. */
  scopeId: number | null;
  types: readonly PricingType[];
  /** Empty: one series over all models. */
  gpuNames: readonly string[];
  metric: ForecastMetric;
  now: Date;
}

export interface ForecastSeries {
  type: PricingType;
  /** null: all models. */
  gpuName: string | null;
  /** Midnight of the last closed UTC day with a value; null: there is none. */
  lastDay: Date | null;
  lastValue: number | null;
  horizons: HorizonForecast[];
}

const dayMs = 86_400_000;

/** Returns forecasts by model and type from the UTC days that are over. Source: docs/meaning.md#forecast. */
export async function readForecasts(db: Db, request: ForecastRequest): Promise<ForecastSeries[]> {
  const { marketId, scopeId, types, gpuNames, metric, now } = request;
  const before = new Date(Math.floor(now.getTime() / dayMs) * dayMs);
  const models: (string | null)[] = gpuNames.length === 0 ? [null] : [...gpuNames];
  const series: ForecastSeries[] = [];
  for (const type of types) {
    for (const gpuName of models) {
      const { read } = forecastMetrics[metric];
      const days = scopeId === null ? [] : await read(db, { marketId, scopeId, type, gpuName, before });
      const last = days.at(-1);
      const horizons: HorizonForecast[] = [];
      for (const each of forecastDays) {
        // A horizon of a year takes about ten milliseconds.
        await letOthersRun();
        horizons.push(judgeHorizon(days, each));
      }
      series.push({
        type,
        gpuName,
        lastDay: last === undefined ? null : new Date(last.day * dayMs),
        lastValue: last?.value ?? null,
        horizons,
      });
    }
  }
  return series;
}
