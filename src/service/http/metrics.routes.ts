import { createRoute, z } from '@hono/zod-openapi';
import type { Registry } from 'prom-client';
import type { ApiApp } from '../../core/http/api-app.ts';
import { problemResponses } from '../../core/http/problem.ts';
import { noQuery } from '../../core/http/route-parts.ts';
import { requireCredential } from '../sign-in/authenticate.ts';
import type { ApiDeps } from './api-deps.ts';
import { counter, gauge, type MetricFamily, renderMetrics } from './metric-families.ts';
import { createMetricReader } from './metric-readings.ts';
import { createSharedProbe } from './shared-probe.ts';

const path = '/metrics';

const route = createRoute({
  operationId: 'getMetrics',
  method: 'get',
  path,
  tags: ['health'],
  summary: 'Metrics for Prometheus; no token needed while the service listens on loopback',
  security: [{}, { token: [] }],
  request: { query: noQuery },
  responses: {
    200: { description: 'Text format 0.0.4', content: { 'text/plain': { schema: z.string() } } },
    ...problemResponses(400, 401, 403, 503),
  },
});

/**
 * `/metrics`: metrics of the database, read at each scrape so that every process reports the same, and of this process.
 * Without the database only the latter and `offerbook_database_up 0`.
 */
export function mountMetrics(app: ApiApp, deps: ApiDeps): void {
  if (!deps.openMetrics) app.use(path, requireCredential(deps));
  let collecting: Promise<Registry> | undefined;
  const read = createSharedProbe(createMetricReader(deps));
  app.openapi(route, async (c) => {
    // Created on the first scrape, because it watches the event loop from then on.
    collecting ??= collectOwn();
    const own = await collecting;
    const stored = await read().catch((error: unknown) => {
      deps.log.debug({ err: error }, 'metrics without those of the database');
      return null;
    });
    const families = [
      ...settingFamilies(deps),
      databaseUp(stored !== null),
      ...replicaFamilies(deps),
      ...(stored ?? []),
    ];
    const text = `${await renderMetrics(families)}\n${await own.metrics()}`;
    return c.text(text, 200, { 'content-type': own.contentType, 'Cache-Control': 'no-store' });
  });
}

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
