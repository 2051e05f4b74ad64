import { defaultProfile } from '../../src/core/metric.ts';
import type { Sql } from '../../src/database/connection.ts';
import { backtestRule } from '../../src/watches/rules/backtest.ts';
import type { Bench, Measurement } from '../figure.ts';
import {
  booksPerDay,
  type MadeHistory,
  makeHistory,
  marketOf,
  retentionOf,
} from '../history/make-history.ts';
import { filteredTrend, forecastOf, indexOf, shifted, trendOf, waitOf } from '../history/trend-paths.ts';
import { holdOf } from '../longest-hold.ts';
import { openApi, quantile } from '../open-api.ts';

const fullListings = 2_000;
/** The same in a quick run, because only one row per day is read. */
const days = 365;
const fullRequests = 300;
/** Requests that read every presence interval of a year. */
const fullWaits = 40;
/** Tests of a rule on every book of a month. */
const fullTests = 6;

/**
 * A real year of one model at a time: its index, its forecasts compared with the trend that they are based on, and whether
 * waiting has paid off compared with a filtered trend of the same year, which reads as much.
 */
export async function measureOutlook(bench: Bench): Promise<Measurement[]> {
  const listings = bench.sized(fullListings);
  return await bench.withDatabase(async (sql) => {
    const history = await makeHistory(sql, { listings, days, retention: retentionOf(bench) }, bench.note);
    const { ask, timeAll, timeInTurn } = await openApi(sql, marketOf(history), history.to);
    const [requests, waits] = [bench.sized(fullRequests), bench.sized(fullWaits)];
    bench.note(`outlook: ${requests} years of indexes and forecasts, ${waits} of waits`);
    const year = (of: (history: MadeHistory, at: number) => string) => (at: number) =>
      `${of(history, at)}&from=${shifted(history, 0, at)}`;
    const index = await timeAll(year(indexOf), requests);
    const ofForecasts = [year(trendOf), (at: number) => forecastOf(history, at)];
    const [trend = [], forecast = []] = await timeInTurn(ofForecasts, requests);
    const ofWaits = [(at: number) => filteredTrend(history, 0, at), (at: number) => waitOf(history, at, 24)];
    const [filtered = [], wait = []] = await timeInTurn(ofWaits, waits);
    const kept = await timeAll((at) => waitOf(history, 0, 1 + (at % 168)), requests);
    const every = history.gpuNames.map((name) => `gpuName=${encodeURIComponent(name)}`).join('&');
    const held = await holdOf(async () => void (await ask(`/api/forecast?${every}`)));
    const heldByWaits = await holdOf(
      async () => void (await ask(waitOf(history, 0, 24, 'minReliability=0.9'))),
    );
    const tests: Awaited<ReturnType<typeof holdOf>>[] = [];
    for (let at = 0; at < fullTests; at += 1) tests.push(await holdOf(() => testRule(sql, history)));
    // The largest model comes again after all others.
    const months = await timeAll(
      (at) => filteredTrend(history, days - 30, history.gpuNames.length * (1 + at)),
      fullTests,
    );
    const sizes = [
      { what: 'listings', count: history.counts.listings, atLeast: listings },
      { what: 'books', count: history.counts.books, atLeast: days * booksPerDay },
      { what: 'days of one index', count: await countDays(ask, year(indexOf)(0)), atLeast: days },
    ];
    const row = (
      name: string,
      value: number,
      yardstick: number | null,
      ...details: string[]
    ): Measurement => ({
      ...{ name, value, unit: 'ms', yardstick, sizes, details },
    });
    const p95 = (times: readonly number[]): number => quantile(times, 0.95);
    const usual = (times: readonly number[]): string =>
      `median ${quantile(times, 0.5).toFixed(1)} ms over ${times.length} requests`;
    return [
      row('index-year-p95', p95(index), null, usual(index)),
      row('forecast-year-p95', p95(forecast), p95(trend), usual(forecast)),
      row(
        'forecast-held',
        held.heldMs,
        null,
        `${history.gpuNames.length} models in ${held.ms.toFixed(0)} ms`,
      ),
      row('wait-year-p95', p95(wait), p95(filtered), usual(wait)),
      row('wait-kept-p95', p95(kept), null, `other hours of a question that was asked; ${usual(kept)}`),
      row(
        'rule-past',
        quantile(
          tests.map(({ ms }) => ms),
          0.5,
        ),
        quantile(months, 0.5),
        `30 days of the largest model, ${tests.length} times`,
      ),
      row('rule-past-held', Math.max(...tests.map(({ heldMs }) => heldMs)), null),
      row('wait-held', heldByWaits.heldMs, null, `the largest model in ${heldByWaits.ms.toFixed(0)} ms`),
    ];
  });
}

/** Tests a rule on the last 30 days of the largest model. */
async function testRule(
  sql: Sql,
  { marketId, scopeId, gpuNames: [name = ''], to }: MadeHistory,
): Promise<void> {
  const { books } = await backtestRule(sql, {
    ...{ marketId, from: new Date(to.getTime() - 30 * 86_400_000), to },
    watch: { filters: { gpuName: [name], minReliability: 0.9 }, profile: defaultProfile, scopeId },
    rule: {
      ...{ kind: 'priceBelow', params: { metric: 'usdPerGpuHour', usd: 0.5 }, of: { m: 1, n: 1 } },
      ...{ hysteresisPercent: 0, cooldownMinutes: 0, rearm: 'leave', dailyCap: null },
    },
  });
  if (books !== 30 * booksPerDay) throw new Error(`the rule was tested on ${books} books`);
}

async function countDays(ask: <T>(path: string) => Promise<T>, path: string): Promise<number> {
  return (await ask<{ series: { points: unknown[] }[] }>(path)).series[0]?.points.length ?? 0;
}
