import { existsSync } from 'node:fs';
import packageJson from '../../../package.json' with { type: 'json' };
import type { ApiApp } from '../../core/http/api-app.ts';
import { programFile } from '../../core/program-file.ts';
import type { SharedPriceCache } from '../../prices/prices-deps.ts';
import { areActionsOn } from '../../rentals/actions-switch.ts';
import { createExpectedBooks } from '../expected-books.ts';
import { createActorOf } from '../market-actor.ts';
import { kindOf, prepareMarket } from '../open-market.ts';
import type { Runtime } from '../runtime.ts';
import type { ServiceWork } from '../service-work.ts';
import type { AppDeps } from './api-deps.ts';
import { createApp } from './app.ts';
import { proxiesAt } from './client-address.ts';

const webRoot = programFile('web/dist/');

/** The part of the service's work that its API uses. */
export type ApiWork = Pick<
  ServiceWork,
  'seeding' | 'isDiskFull' | 'crawlNow' | 'schedule' | 'deliver' | 'pollSoon'
> &
  Partial<Pick<ServiceWork, 'retryJob' | 'carryOutSoon'>>;

/** Returns the API of a runtime: the service listens with it, and a command calls it when no server is set. */
export function createServiceApp(
  runtime: Runtime,
  work: ApiWork,
  { priceCache, caller }: { priceCache?: SharedPriceCache; caller?: AppDeps['caller'] } = {},
): ApiApp {
  const { config } = runtime;
  const marketKind = kindOf(config);
  return createApp({
    sql: runtime.sql,
    readSql: runtime.readSql,
    ...(runtime.replica === null ? {} : { replica: runtime.replica }),
    log: runtime.log,
    now: runtime.now,
    publicUrl: config.publicUrl,
    sheetsUrl: config.sheetsUrl,
    trustedProxies: proxiesAt(config.trustedProxies),
    ...(config.headerSignIn === null ? {} : { headerSignIn: config.headerSignIn }),
    version: packageJson.version,
    defaultMarket: runtime.defaultMarket,
    otherMarkets: async () =>
      await Promise.all(runtime.crawledMarkets.slice(1).map(({ market }) => market())),
    rentingFees: new Map(
      runtime.crawledMarkets.map((crawled) => [
        crawled.name,
        prepareMarket(crawled.config).rentingFeePercent,
      ]),
    ),
    mode: runtime.mode,
    seeding: work.seeding,
    isDiskFull: async () => work.isDiskFull() || (await runtime.isDiskFull()),
    crawlNow: async (order) => ({ crawlIds: await work.crawlNow(order) }),
    schedule: work.schedule,
    notify: runtime.notify,
    deliver: work.deliver,
    actor: createActorOf(runtime),
    pollSoon: work.pollSoon,
    ...(work.carryOutSoon === undefined ? {} : { carryOutSoon: work.carryOutSoon }),
    ...(work.retryJob === undefined ? {} : { retryJob: work.retryJob }),
    maxDataAgeMinutes: config.maxDataAgeMinutes,
    processFigures: runtime.figures,
    // Anyone who reaches a loopback address is on this machine.
    openMetrics: /^(127\.|::1$|localhost$)/.test(config.host),
    actionsEnabled: areActionsOn(config) && marketKind.parts.includes('account'),
    marketKind,
    timeZone: config.timeZone,
    backups: config.backups,
    cacheAnswersMs: 1_000,
    expectedBooks: createExpectedBooks(runtime),
    webRoot: existsSync(webRoot) ? webRoot : null,
    ...(priceCache === undefined ? {} : { priceCache }),
    caller,
  });
}
