import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type ServerType, serve } from '@hono/node-server';
import packageJson from '../package.json' with { type: 'json' };
import { readAdminToken } from './admin-token.ts';
import { createApp } from './api/app.ts';
import type { Config } from './config.ts';
import { hasCrawled, newestRunStart } from './db/crawl-runs.ts';
import { createLoginCode, ensureAdminToken } from './db/credentials.ts';
import { UserError } from './domain/errors.ts';
import type { Log } from './domain/log.ts';
import { startCron } from './jobs/cron.ts';
import { type CrawlAsk, crawledTypes, openRuntime, type Runtime } from './runtime.ts';

const webRoot = fileURLToPath(new URL('../web/dist/', import.meta.url));
/** A first crawl at start only when the newest is older than this. */
const freshMs = 3_600_000;
const revivalMs = 5_000;

/** A running service. */
export interface Service {
  url: string;
  /** A one-time address that signs a browser in, valid for 10 minutes. */
  createLoginLink: () => Promise<string>;
  /** Where the embedded database lives when it is not below DATA_DIR; else null. */
  notice: string | null;
  stop: () => Promise<void>;
}

/** Opens database and market, listens, then seeds, crawls and follows the schedule in the background. */
export async function startService(config: Config, log: Log): Promise<Service> {
  const runtime = await openRuntime(config, log);
  const stopping = new AbortController();
  const work = createBackgroundWork(runtime, stopping.signal);
  try {
    await ensureAdminToken(runtime.sql, await readAdminToken(config));
    const app = createApp({
      sql: runtime.sql,
      log,
      now: runtime.now,
      publicUrl: config.publicUrl,
      version: packageJson.version,
      defaultMarket: runtime.defaultMarket,
      mode: runtime.mode,
      seeding: work.seeding,
      crawlNow: async (type) =>
        await work.crawl({ types: type === undefined ? crawledTypes : [type], cause: 'api' }),
      maxDataAgeMinutes: config.maxDataAgeMinutes,
      actionsEnabled: false,
      webRoot: existsSync(webRoot) ? webRoot : null,
    });
    const { server, port } = await listen(app.fetch, config);
    const cron = config.crawlOffers === null ? null : scheduleCrawls(runtime, work, config.crawlOffers);
    const revival = keepDatabase(runtime);
    work.start();
    const url = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`;
    const publicUrl = config.port === port ? config.publicUrl : url;
    return {
      url,
      notice: runtime.notice,
      createLoginLink: async () =>
        `${publicUrl}/login?code=${await createLoginCode(runtime.sql, runtime.now())}`,
      stop: async () => {
        stopping.abort(new UserError('the service is stopping'));
        clearInterval(revival);
        await closeServer(server);
        await cron?.stop();
        await work.finished();
        await runtime.close();
      },
    };
  } catch (error) {
    stopping.abort(error);
    await runtime.close();
    throw error;
  }
}

/** An embedded server that was killed comes back within seconds; queries meanwhile fail and say so. */
function keepDatabase({ reviveDatabase, log }: Runtime): NodeJS.Timeout {
  return setInterval(() => {
    reviveDatabase().catch((error: unknown) => log.error({ err: error }, 'the database did not come back'));
  }, revivalMs).unref();
}

interface BackgroundWork {
  seeding: () => { done: number; total: number } | null;
  /** Queues a crawl behind the one under way; resolves when its runs are known. */
  crawl: (ask: Omit<CrawlAsk, 'signal'>) => Promise<{ runIds: string[] }>;
  start: () => void;
  finished: () => Promise<void>;
}

function createBackgroundWork(runtime: Runtime, signal: AbortSignal): BackgroundWork {
  const { log } = runtime;
  let progress: { done: number; total: number } | null = null;
  let last: Promise<unknown> = Promise.resolve();

  const crawl: BackgroundWork['crawl'] = async (ask) => {
    const { runIds, done } = await runtime.crawl({ ...ask, signal });
    last = Promise.all([last, done]);
    return { runIds };
  };
  const begin = async (): Promise<void> => {
    if ((await runtime.mode()) === 'simulated' && !(await wasCrawled(runtime))) {
      progress = { done: 0, total: 0 };
      await runtime.seed((done, total) => {
        progress = { done, total };
      }, signal);
      progress = null;
    }
    if ((await runtime.mode()) !== 'replay' && !signal.aborted && !(await isFresh(runtime))) {
      const { done } = await runtime.crawl({ types: crawledTypes, cause: 'cron', signal });
      await done;
    }
  };
  return {
    seeding: () => progress,
    crawl,
    start: () => {
      last = begin().catch((error: unknown) => {
        progress = null;
        if (!signal.aborted) log.error({ err: error }, 'the first books could not be stored');
      });
    },
    finished: async () => {
      await last;
    },
  };
}

const wasCrawled = async ({ sql, defaultMarket }: Runtime): Promise<boolean> =>
  await hasCrawled(sql, (await defaultMarket()).id);

async function isFresh({ sql, defaultMarket, now }: Runtime): Promise<boolean> {
  const newest = await newestRunStart(sql, (await defaultMarket()).id);
  return newest !== null && now().getTime() - newest.getTime() < freshMs;
}

function scheduleCrawls(runtime: Runtime, work: BackgroundWork, expression: string) {
  const { log, config } = runtime;
  return startCron({ name: 'offers', expression, timeZone: config.timeZone, log }, async () => {
    if ((await runtime.mode()) === 'replay' || work.seeding() !== null) return;
    await work.crawl({ types: crawledTypes, cause: 'cron' });
  });
}

async function listen(
  fetch: (request: Request) => Response | Promise<Response>,
  { host, port }: Config,
): Promise<{ server: ServerType; port: number }> {
  return await new Promise((resolve, reject) => {
    const server = serve({ fetch, hostname: host, port }, (info) => resolve({ server, port: info.port }));
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const reason = cause.code === 'EADDRINUSE' ? 'another program uses it' : (cause.code ?? cause.message);
      reject(
        new UserError(`${host}:${port} cannot be listened on (${reason}): set HOST and PORT.`, { cause }),
      );
    });
  });
}

async function closeServer(server: ServerType): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    if ('closeAllConnections' in server) setTimeout(() => server.closeAllConnections(), 1_000).unref();
    if ('closeIdleConnections' in server) server.closeIdleConnections();
  });
}
