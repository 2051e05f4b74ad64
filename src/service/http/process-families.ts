import type { Histogram } from '../../core/histogram.ts';
import type { PartLoad, PoolLoad } from '../../database/pool-load.ts';
import type { ApiDeps } from './api-deps.ts';
import { counter, gauge, type MetricFamily } from './metric-families.ts';
import { renderHistogram } from './render-histogram.ts';

/** A worker looks for jobs every second; after this long without it is not up. */
const maxLookAgeMs = 15_000;

/** Returns what the answering process knows of its connections and its work. */
export function processFamilies({ sql, readSql, now, processFigures: figures }: ApiDeps): MetricFamily[] {
  const primary = sql.load?.();
  const replica = readSql === undefined || readSql === sql ? undefined : readSql.load?.();
  return [
    ...poolFamilies([
      ...(primary === undefined ? [] : [['primary', primary] as const]),
      // While the replica is down its reads go through the pool of the primary.
      ...(replica === undefined || replica === primary ? [] : [['replica', replica] as const]),
    ]),
    ...(figures === undefined
      ? []
      : [
          gauge('offerbook_process_info', 'Always 1; the label is the role', [[{ role: figures.role }, 1]]),
          gauge('offerbook_worker_up', 'Whether this process looks for jobs', [
            [{}, figures.role === 'api' ? null : isRecent(figures.lookedAt, now())],
          ]),
          counter(
            'offerbook_landed_rows_total',
            'Offers of the stored books',
            [...figures.landedRows.values()].map(({ labels, rows }) => [labels, rows]),
          ),
        ]),
  ];
}

/** Returns how long the requests, jobs and landings of this process took, as text. */
export function processHistograms({ processFigures: figures }: ApiDeps, requests: Histogram): string[] {
  return [
    renderHistogram('offerbook_http_request_duration_seconds', 'How long responses took', requests),
    ...(figures === undefined
      ? []
      : [
          renderHistogram('offerbook_job_duration_seconds', 'How long jobs took', figures.jobs),
          renderHistogram(
            'offerbook_landing_duration_seconds',
            'How long storing books took',
            figures.landings,
          ),
        ]),
  ];
}

const isRecent = (at: Date | null, now: Date): number =>
  Number(at !== null && now.getTime() - at.getTime() <= maxLookAgeMs);

function poolFamilies(pools: readonly (readonly [database: string, load: PoolLoad])[]): MetricFamily[] {
  const ofParts = (value: (part: PartLoad) => number): MetricFamily['samples'] =>
    pools.flatMap(([database, { queries, transactions }]) => [
      [{ database, part: 'queries' }, value(queries)] as const,
      [{ database, part: 'transactions' }, value(transactions)] as const,
    ]);
  const known = (samples: MetricFamily['samples']): MetricFamily['samples'] =>
    samples.filter(([, value]) => value !== null && Number.isFinite(value));
  return [
    gauge(
      'offerbook_pool_open',
      'Open connections of this process',
      pools.map(([database, { open }]) => [{ database }, open]),
    ),
    gauge(
      'offerbook_pool_max',
      'Connections that a part of the pool may open',
      known(ofParts(({ max }) => max)),
    ),
    gauge(
      'offerbook_pool_busy',
      'Connections in use',
      ofParts(({ busy }) => busy),
    ),
    gauge(
      'offerbook_pool_waiting',
      'What waits for a connection',
      ofParts(({ waiting }) => waiting),
    ),
  ];
}
