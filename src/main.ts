import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { createAdaptorServer, type ServerType } from '@hono/node-server';
import { basePathOf } from './core/http/base-path.ts';
import type { Log } from './core/log.ts';
import { isServerFull, serverFullWords } from './database/server-full.ts';
import { createPriceCache } from './prices/newest/newest-offers-cache.ts';
import { createOutlierTests } from './prices/verdicts/segment-medians.ts';
import { settleAdminToken } from './service/admin-token.ts';
import { startCacheWarming } from './service/cache-warming.ts';
import type { Config } from './service/config.ts';
import { listenProblem, requireFreePorts } from './service/free-ports.ts';
import { createHealthFetch } from './service/http/health-listener.ts';
import { createServiceApp } from './service/http/service-app.ts';
import { createSheetsFetch } from './service/http/sheets-listener.ts';
import { becomeOnlyService } from './service/only-service.ts';
import { createReviver } from './service/revive-database.ts';
import { openRuntime, type Runtime } from './service/runtime.ts';
import { sealAddresses } from './service/seal-addresses.ts';
import { besideService, publishServiceAddress } from './service/service-address.ts';
import { type ServiceWork, startServiceWork } from './service/service-work.ts';
import { createLoginCode } from './service/sign-in/credentials.sql.ts';

const revivalMs = 5_000;
const startTries = 15;
const startPauseMs = 2_000;

/** A started part of the program that can be stopped. */
export interface Started {
  /** Where the embedded database lives if not below DATA_DIR; else null. */
  notice: string | null;
  /** Address that only serves health and metrics; null: there is none. */
  healthPort: number | null;
  /**
   * Stops within 10 seconds; crawls that do not end by then go back to the queue. The database closes after `closing`,
   * which ends the requests.
   */
  stop: (closing?: Promise<void>) => Promise<void>;
}

/** A service that listens. */
export interface Service extends Started {
  url: string;
  /** Returns a one-time address that signs a browser in, valid for 10 minutes. */
  createLoginLink: () => Promise<string>;
  /** Address that only serves sheets and feeds by their tokens; null: there is none. */
  sheetsPort: number | null;
}

/** Opens database and market, listens, then works on schedule unless its role is `api`. */
export async function startService(config: Config, log: Log): Promise<Service> {
  return await startWith(config, log, async (runtime, work, started) => {
    await settleAdminToken(runtime);
    const { readSql, defaultMarket } = runtime;
    const priceCache = { ...createPriceCache(), outlierTests: createOutlierTests(readSql) };
    const app = createServiceApp(runtime, work, { priceCache });
    const { listeners, close } = await listenAll(config, [
      { port: config.port, fetch: app.fetch },
      { port: config.sheetsPort, fetch: createSheetsFetch(app, basePathOf(config.sheetsUrl)) },
      { port: config.healthPort, fetch: createHealthFetch(app) },
    ]);
    const [listening, sheetsPort = null, healthPort = null] = listeners;
    const port = listening ?? config.port;
    const stopCacheWarming = startCacheWarming({ sql: readSql, log, defaultMarket, priceCache });
    const url = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`;
    const publicUrl = config.isPublicUrlSet || config.port === port ? config.publicUrl : url;
    await publishServiceAddress(config, publicUrl, log);
    return {
      ...started,
      url,
      sheetsPort,
      healthPort,
      createLoginLink: async () =>
        `${publicUrl}/login?code=${await createLoginCode(runtime.sql, runtime.now())}`,
      stop: async () => {
        stopCacheWarming();
        await started.stop(close());
      },
    };
  });
}

/** Opens database and market and works on schedule; it only listens on HEALTH_PORT. */
export async function startWorkerService(config: Config, log: Log): Promise<Started> {
  return await startWith(await besideService(config), log, async (runtime, work, started) => {
    const fetch = createHealthFetch(createServiceApp(runtime, work));
    const { listeners, close } = await listenAll(config, [{ port: config.healthPort, fetch }]);
    const [healthPort = null] = listeners;
    return { ...started, healthPort, stop: () => started.stop(close()) };
  });
}

/** Starts; while PostgreSQL has too few connections left for a start, it retries for half a minute. */
async function startWith<T>(config: Config, log: Log, begin: Begin<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await startOnce(config, log, begin);
    } catch (error) {
      if (!isServerFull(error) || tries === startTries) throw error;
      if (tries === 1) log.warn({}, `${serverFullWords} The start waits for free ones.`);
      await delay(startPauseMs);
    }
  }
}

type Begin<T> = (runtime: Runtime, work: ServiceWork, started: Started) => Promise<T>;

async function startOnce<T>(config: Config, log: Log, begin: Begin<T>): Promise<T> {
  const release = await becomeOnlyService(config);
  let runtime: Runtime;
  try {
    await requireFreePorts(config.host, portsOf(config));
    runtime = await openRuntime(config, log, { isService: true });
  } catch (error) {
    release();
    throw error;
  }
  // An embedded server that was killed comes back within seconds; queries meanwhile fail with a clear error.
  const revival = setInterval(createReviver(runtime.reviveDatabase, log), revivalMs).unref();
  let work: ServiceWork | null = null;
  const stop = async (closing?: Promise<void>): Promise<void> => {
    clearInterval(revival);
    await Promise.all([work?.stop(), closing]);
    await runtime.close();
    release();
  };
  try {
    // A market of another kind under the same name, or a simulator next to a live market, is refused before anything
    // listens.
    if ((await runtime.defaultMarket()).kind === 'simulated') await runtime.crawledMarket();
    await sealAddresses(runtime.sql, (await runtime.notify()).secrets, log);
    work = await startServiceWork(runtime);
    return await begin(runtime, work, { notice: runtime.notice, healthPort: null, stop });
  } catch (error) {
    await stop();
    throw error;
  }
}

const portsOf = ({ role, port, sheetsPort, healthPort }: Config): (number | null)[] =>
  role === 'worker' ? [healthPort] : [port, sheetsPort, healthPort];

/** Listens on every configured port, in the given order; if one is taken, closes the others. */
async function listenAll(
  config: Config,
  wanted: readonly { port: number | null; fetch: Parameters<typeof listen>[0] }[],
): Promise<{ listeners: (number | null)[]; close: () => Promise<void> }> {
  const servers: ServerType[] = [];
  const listeners: (number | null)[] = [];
  const close = async (): Promise<void> => void (await Promise.all(servers.map(closeServer)));
  for (const { port, fetch } of wanted) {
    if (port === null) {
      listeners.push(null);
      continue;
    }
    try {
      const opened = await listen(fetch, { ...config, port });
      servers.push(opened.server);
      listeners.push(opened.port);
    } catch (error) {
      await close();
      throw error;
    }
  }
  return { listeners, close };
}

/**
 * An unused connection is kept longer than web servers in front do, so that theirs is the end that closes: Caddy keeps
 * 2 minutes, nginx 1. A request that met a connection just closed here would be a 502 there.
 */
const keptConnectionsMs = 150_000;

/** So many clients may connect at once while requests are worked on; Node's 511 made Linux reset some of a thousand. */
const waitingConnections = 4_096;

async function listen(
  fetch: (request: Request) => Response | Promise<Response>,
  { host, port }: Config,
): Promise<{ server: ServerType; port: number }> {
  return await new Promise((resolve, reject) => {
    const server = createAdaptorServer({ fetch, serverOptions: { keepAliveTimeout: keptConnectionsMs } });
    server.once('error', (cause) => reject(listenProblem(host, port, cause)));
    server.listen({ host, port, backlog: waitingConnections }, () => {
      resolve({ server, port: (server.address() as AddressInfo).port });
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
