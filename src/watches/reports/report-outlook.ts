import { findScope } from '../../books/newest-books.sql.ts';
import type { PricingType } from '../../core/offer.ts';
import type { Sql } from '../../database/connection.ts';
import { describeHorizon } from '../../prices/forecast/describe-forecast.ts';
import { forecastMetrics } from '../../prices/forecast/forecast-metrics.ts';
import { judgeForecasts } from '../../prices/forecast/judge-forecast.ts';
import { readForecasts } from '../../prices/forecast/read-forecasts.ts';
import { changeSentences } from '../../prices/index/describe-changes.ts';
import { describeChanges } from '../../prices/index/index-change.ts';
import { readIndex } from '../../prices/index/read-index.ts';
import { describeWait } from '../../prices/wait/describe-wait.ts';
import type { KeptPast } from '../../prices/wait/kept-past.ts';
import { readWaitOrRent } from '../../prices/wait/wait-or-rent.ts';
import { typesOfWatch, type Watch } from '../watch.ts';
import type { WatchBooks } from '../watch-books.ts';
import type { ReportTrend, ReportWait } from './report.ts';

const dayMs = 86_400_000;
const forecastDays = 7;
const waitHours = 24;

/** Returns like-for-like changes and forecasts of a model, from the whole market's books up to a moment. */
export async function readOutlook(
  sql: Sql,
  { marketId, type, gpuName }: { marketId: number; type: PricingType; gpuName: string },
  { observedAt, now }: { observedAt: Date; now: Date },
): Promise<Pick<ReportTrend, 'changes' | 'forecast' | 'sentences'>> {
  const scopeId = await findScope(sql, marketId);
  const range = {
    from: new Date(observedAt.getTime() - forecastDays * dayMs),
    to: new Date(observedAt.getTime() + 1),
  };
  const { changes } =
    scopeId === null
      ? { changes: describeChanges(null, () => null) }
      : await readIndex(sql, { scopeId, type, gpuName, ...range }, now);
  const asked = { marketId, scopeId, types: [type], gpuNames: [gpuName], metric: 'median', now } as const;
  const [series] = await readForecasts(sql, asked);
  const horizons = series?.horizons ?? judgeForecasts([]);
  const forecast = horizons.find(({ days }) => days === forecastDays);
  if (forecast === undefined) throw new Error('no forecast is made for 7 days');
  return {
    changes,
    forecast,
    sentences: [
      ...changeSentences(changes),
      describeHorizon(forecast, forecastMetrics.median, {
        lastDay: series?.lastDay ?? null,
        now,
        lead: 'Median in',
      }),
    ],
  };
}

/** Returns whether waiting has paid off for a watch that names models; null: it names none. */
export async function readWait(
  sources: { sql: Sql; keptPast: KeptPast },
  watch: Watch,
  { market, marketId, gpuNames, filter, profile }: WatchBooks,
): Promise<ReportWait | null> {
  const [type] = typesOfWatch(watch.filters);
  if (gpuNames.length === 0 || type === undefined) return null;
  // From the books of the whole market, as on the page.
  const scopeId = await findScope(sources.sql, marketId);
  const { overall, observedAt } = await readWaitOrRent(
    { sql: sources.sql, keptPast: sources.keptPast },
    { marketId, scopeId, type, gpuNames, filter, profile, hours: waitHours },
  );
  return {
    market,
    hours: waitHours,
    type,
    ...overall,
    sentence: `Wait or rent (${watch.markets.length > 1 ? `${market}, ` : ''}${type})? ${describeWait(overall, waitHours, observedAt)}`,
  };
}
