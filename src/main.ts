import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type ServerType, serve } from '@hono/node-server';
import packageJson from '../package.json' with { type: 'json' };
import { readAdminToken } from './admin-token.ts';
import { createApp } from './api/app.ts';
import { type BackgroundWork, createBackgroundWork } from './background-work.ts';
import type { Config } from './config.ts';
import { createLoginCode, ensureAdminToken } from './db/credentials.ts';
import { UserError } from './domain/errors.ts';
import type { Log } from './domain/log.ts';
import { startCron } from './jobs/cron.ts';
import { crawledTypes, openRuntime, type Runtime } from './runtime.ts';

const webRoot = fileURLToPath(new URL('../web/dist/', import.meta.url));
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
    // A market of another kind under that name is refused before anything listens.
    await runtime.defaultMarket();
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

function scheduleCrawls(runtime: Runtime, work: BackgroundWork, expression: string) {
  const { log, config } = runtime;
  return startCron({ name: 'offers', expression, timeZone: config.timeZone, log }, async () => {
    if ((await runtime.mode()) === 'replay' || work.seeding() !== null) return;
    await (await work.crawl({ types: crawledTypes, cause: 'cron' })).done;
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
