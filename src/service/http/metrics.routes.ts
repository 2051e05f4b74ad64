import { createRoute, z } from '@hono/zod-openapi';
import type { Registry } from 'prom-client';
import type { Histogram } from '../../core/histogram.ts';
import type { ApiApp } from '../../core/http/api-app.ts';
import type { Credential } from '../../core/http/credential.ts';
import { problemResponses } from '../../core/http/problem.ts';
import { noQuery } from '../../core/http/route-parts.ts';
import { requireCredential } from '../sign-in/authenticate.ts';
import { readAccountFigures } from './account-families.ts';
import type { ApiDeps } from './api-deps.ts';
import { createMarketFigures, type MarketFigures } from './market-families.ts';
import { counter, gauge, type MetricFamily, renderMetrics } from './metric-families.ts';
import { ageAt, createMetricReader, listCrawledMarkets } from './metric-readings.ts';
import { processFamilies, processHistograms } from './process-families.ts';
import { createSharedProbe } from './shared-probe.ts';
import { createSlowReading } from './slow-reading.ts';

const path = '/metrics';

const route = createRoute({
  operationId: 'getMetrics',
  method: 'get',
  path,
  tags: ['health'],
  summary:
    'Metrics for Prometheus; while the service listens on loopback, only those of the account need a token',
  security: [{}, { token: [] }],
  request: { query: noQuery },
  responses: {
    200: { description: 'Text format 0.0.4', content: { 'text/plain': { schema: z.string() } } },
    ...problemResponses(400, 401, 403, 503),
  },
});

/** How long a scrape waits for figures that replace those in memory. */
const refreshPatienceMs = 25;

const forwardedHeaders = ['x-forwarded-for', 'forwarded', 'via'] as const;

/**
 * `/metrics`: the state of the service, read from the database at each scrape so that every process reports the same,
 * figures of the market and the account, kept in memory, and metrics of this process. Figures of the account need a
 * token even where the rest needs none. Without the database only the last, and `offerbook_database_up 0`.
 */
export function mountMetrics(app: ApiApp, deps: ApiDeps, requests: Histogram): void {
  const prove = requireCredential(deps);
  app.use(path, async (c, next) => {
    // Through a proxy on this machine anybody could ask.
    const isProxied = forwardedHeaders.some((name) => c.req.header(name) !== undefined);
    const isOpen = deps.openMetrics === true && !isProxied && c.req.header('authorization') === undefined;
    return isOpen ? await next() : await prove(c, next);
  });
  let collecting: Promise<Registry> | undefined;
  const read = createSharedProbe(createMetricReader(deps));
  const readFigures = createMarketFigures(deps);
  const readMarket = createSlowReading(async () => await readFigures(await listCrawledMarkets(deps)), {
    retentionMs: 0,
    refreshPatienceMs,
  });
  const readAccount = createSlowReading(async () => await readAccountFigures(deps), {
    retentionMs: 30_000,
    refreshPatienceMs,
  });
  const orNull = async <T>(reading: Promise<T>): Promise<T | null> =>
    await reading.catch((error: unknown) => {
      deps.log.debug({ err: error }, 'metrics without those of the database');
      return null;
    });
  app.openapi(route, async (c) => {
    // Created on the first scrape, because it watches the event loop from then on.
    collecting ??= collectOwn();
    const own = await collecting;
    const mayReadAccount = (c.get('credential') as Credential | undefined) !== undefined;
    const startedAt = performance.now();
    const timed = read().then((families) => [...families, databaseTime(performance.now() - startedAt)]);
    const [stored, market, account] = await Promise.all([
      orNull(timed),
      orNull(readMarket()),
      mayReadAccount ? orNull(readAccount()) : null,
    ]);
    const families = [
      ...settingFamilies(deps),
      databaseUp(stored !== null),
      ...replicaFamilies(deps),
      ...processFamilies(deps),
      ...(stored ?? []),
      ...(market === null ? [] : [bookAges(market, deps.now())]),
    ];
    const parts = [
      await renderMetrics(families),
      ...processHistograms(deps, requests),
      market?.text,
      account,
      await own.metrics(),
    ];
    const text = parts.filter((part) => part !== undefined && part !== null && part !== '').join('\n');
    return c.text(text, 200, { 'content-type': own.contentType, 'Cache-Control': 'no-store' });
  });
}

const databaseTime = (elapsedMs: number): MetricFamily =>
  gauge('offerbook_database_read_seconds', 'How long the database took for this scrape', [
    [{}, elapsedMs / 1_000],
  ]);

/** Figures in memory may be older than the newest book, so they have an age of their own. */
const bookAges = ({ books }: MarketFigures, now: Date): MetricFamily =>
  gauge(
    'offerbook_market_book_age_seconds',
    'Age of the book that the figures of the market come from',
    books.map(({ market, type, observedAt }) => [{ market, type }, ageAt(now)(observedAt)]),
  );

async function collectOwn(): Promise<Registry> {
  const { collectDefaultMetrics, Registry } = await import('prom-client');
  const register = new Registry();
  collectDefaultMetrics({ register });
  return register;
}

const settingFamilies = ({ version, maxDataAgeMinutes }: ApiDeps): MetricFamily[] => [
  gauge('offerbook_build_info', 'Always 1; the label is the version', [[{ version }, 1]]),
  gauge('offerbook_max_data_age_seconds', 'Age of a complete book from which it is too old', [
    [{}, maxDataAgeMinutes * 60],
  ]),
];

function replicaFamilies({ replica }: ApiDeps): MetricFamily[] {
  if (replica === undefined) return [];
  const { isUp, lagSeconds, fallbackReads } = replica();
  return [
    gauge('offerbook_replica_up', 'Whether reads go to the replica', [[{}, isUp ? 1 : 0]]),
    gauge('offerbook_replica_lag_seconds', 'Since the newest change of the primary that the replica has', [
      [{}, lagSeconds],
    ]),
    counter(
      'offerbook_replica_fallback_reads_total',
      'Reads meant for the replica that went to the primary',
      [[{}, fallbackReads]],
    ),
  ];
}

const databaseUp = (isUp: boolean): MetricFamily =>
  gauge('offerbook_database_up', 'Whether the database answered this scrape', [[{}, isUp ? 1 : 0]]);
