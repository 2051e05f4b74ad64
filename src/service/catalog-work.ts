import { z } from 'zod';
import { UserError } from '../core/errors.ts';
import type { Schedule } from '../jobs/scheduler.ts';
import type { JobEnd, JobHandler } from '../jobs/worker.ts';
import { newestImport } from '../prices/catalogs/catalogs.sql.ts';
import { createFetchText } from '../prices/catalogs/fetch-text.ts';
import { importCatalog } from '../prices/catalogs/import-catalog.ts';
import type { Runtime } from './runtime.ts';

const catalogJob = z.object({ provider: z.string() });

type CatalogRuntime = Pick<Runtime, 'sql' | 'now' | 'config' | 'log'>;

/** Returns the schedules of catalog fetches; none while FETCH_CATALOGS is off. */
export function catalogSchedules({ sql, config }: Pick<Runtime, 'sql' | 'config'>): Schedule[] {
  const { fetchCatalogs: cron, timeZone, catalogs } = config;
  if (cron === null) return [];
  return [...catalogs.keys()].map((provider) => ({
    key: `catalog|${provider}`,
    queue: 'fetch-catalogs' as const,
    cron,
    timeZone,
    everyMinutes: null,
    jobData: () => ({ provider }),
    newestCrawl: () => newestImport(sql, provider),
  }));
}

/** Fetches current catalogs; one that cannot be read is retried, and then becomes a failed job. */
export function createCatalogHandler({ sql, now, config, log }: CatalogRuntime): JobHandler {
  const fetchText = createFetchText({ allowPrivate: config.webhookAllowPrivate });
  const read = async (provider: string, signal: AbortSignal): Promise<JobEnd> => {
    const source = config.catalogs.get(provider);
    // The settings no longer name the seller.
    if (source === undefined) return { kind: 'done' };
    try {
      const request = { source, provider, asOf: null, replace: false, signal };
      const { prices, changedPrices } = await importCatalog({ sql, now, fetchText }, request);
      log.info({ provider, prices, changedPrices }, 'a catalog was read');
      return { kind: 'done' };
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      log.warn({ provider, reason: error.message }, 'a catalog could not be read');
      return { kind: 'again', reason: error.message };
    }
  };
  return async (jobs, signal) => {
    const ends = new Map<string, JobEnd>();
    for (const { id, data } of jobs) ends.set(id, await read(catalogJob.parse(data).provider, signal));
    return ends;
  };
}
