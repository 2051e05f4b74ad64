import { type ServerType, serve } from '@hono/node-server';
import { settleAdminToken } from './admin-token.ts';
import { createInsight } from './analytics/insight.ts';
import { createJokeTests } from './analytics/segment-medians.ts';
import type { Config } from './config.ts';
import { createLoginCode } from './db/credentials.ts';
import { UserError } from './domain/errors.ts';
import type { Log } from './domain/log.ts';
import { keepInsightWarm } from './insight-warmth.ts';
import { openRuntime, type Runtime } from './runtime.ts';
import { besideService, keepServiceAddress } from './service-address.ts';
import { createServiceApp } from './service-app.ts';
import { type ServiceWork, startServiceWork } from './service-work.ts';
import { createSheetsFetch } from './sheets-listener.ts';

const revivalMs = 5_000;

/** What was started and can be stopped. */
export interface Started {
  /** Where the embedded database lives when it is not below DATA_DIR; else null. */
  notice: string | null;
  /** Ends within 10 seconds; crawls that do not end by themselves go back to the queue. */
  stop: () => Promise<void>;
}

/** A service that listens. */
export interface Service extends Started {
  url: string;
  /** A one-time address that signs a browser in, valid for 10 minutes. */
  createLoginLink: () => Promise<string>;
  /** Where tokenised sheets and feeds alone are served; null: nowhere of their own. */
  sheetsPort: number | null;
}

/** Opens database and market, listens, then works by its schedules unless its role is `api`. */
export async function startService(config: Config, log: Log): Promise<Service> {
  return await startWith(config, log, async (runtime, work, started) => {
    await settleAdminToken(runtime);
    const { readSql, defaultMarket } = runtime;
    const insight = { ...createInsight(), jokeTests: createJokeTests(readSql) };
    const app = createServiceApp(runtime, work, { insight });
    const { server, port } = await listen(app.fetch, config);
    const sheets =
      config.sheetsPort === null
        ? null
        : await listen(createSheetsFetch(app), { ...config, port: config.sheetsPort }).catch(
            async (error) => {
              await closeServer(server);
              throw error;
            },
          );
    const endWarmth = keepInsightWarm({ sql: readSql, log, defaultMarket, insight });
    const url = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`;
    const publicUrl = config.isPublicUrlSet || config.port === port ? config.publicUrl : url;
    await keepServiceAddress(config, publicUrl, log);
    return {
      ...started,
      url,
      sheetsPort: sheets?.port ?? null,
      createLoginLink: async () =>
        `${publicUrl}/login?code=${await createLoginCode(runtime.sql, runtime.now())}`,
      stop: async () => {
        endWarmth();
        const listeners = [server, ...(sheets === null ? [] : [sheets.server])];
        await Promise.all([...listeners.map(closeServer), started.stop()]);
      },
    };
  });
}

/** Opens database and market and works by the schedules; it does not listen. */
export async function startWorkerService(config: Config, log: Log): Promise<Started> {
  return await startWith(await besideService(config), log, async (_, __, started) => started);
}

async function startWith<T>(
  config: Config,
  log: Log,
  begin: (runtime: Runtime, work: ServiceWork, started: Started) => Promise<T>,
): Promise<T> {
  const runtime = await openRuntime(config, log, { isService: true });
  const revival = keepDatabase(runtime);
  let work: ServiceWork | null = null;
  const stop = async (): Promise<void> => {
    clearInterval(revival);
    await work?.stop();
    await runtime.close();
  };
  try {
    // A market of another kind under that name is refused before anything listens; so is a simulator beside a live one.
    if ((await runtime.defaultMarket()).kind === 'simulated') await runtime.crawledMarket();
    work = await startServiceWork(runtime);
    return await begin(runtime, work, { notice: runtime.notice, stop });
  } catch (error) {
    await stop();
    throw error;
  }
}

/** An embedded server that was killed comes back within seconds; queries meanwhile fail and say so. */
function keepDatabase({ reviveDatabase, log }: Runtime): NodeJS.Timeout {
  return setInterval(() => {
    reviveDatabase().catch((error: unknown) => log.error({ err: error }, 'the database did not come back'));
  }, revivalMs).unref();
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
