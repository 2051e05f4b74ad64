import { hash } from 'node:crypto';
import { OpenAPIHono } from '@hono/zod-openapi';
import type { Context, MiddlewareHandler, Next } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { compress } from 'hono/compress';
import { etag } from 'hono/etag';
import { getPath } from 'hono/utils/url';
import { mountCrawls } from '../../books/crawls.routes.ts';
import { mountMarkets } from '../../books/markets.routes.ts';
import { UserError } from '../../core/errors.ts';
import type { ApiApp, ApiEnv } from '../../core/http/api-app.ts';
import { basePathOf, withoutBase } from '../../core/http/base-path.ts';
import { ApiProblem, answerProblem } from '../../core/http/problem.ts';
import { rejectInvalid, requireJson } from '../../core/http/validation.ts';
import { defaultKind } from '../../market/registry.ts';
import { mountOrders } from '../../orders/orders.routes.ts';
import { mountCatalogs } from '../../prices/catalogs/catalogs.routes.ts';
import { mountForecast } from '../../prices/forecast/forecast.routes.ts';
import { mountPriceIndex } from '../../prices/index/price-index.routes.ts';
import { mountListings } from '../../prices/listings/listings.routes.ts';
import { mountMarket } from '../../prices/newest/market.routes.ts';
import { createPriceCache } from '../../prices/newest/newest-offers-cache.ts';
import { mountOffers } from '../../prices/newest/offers.routes.ts';
import { mountBlocklist } from '../../prices/rankings/blocklist.routes.ts';
import { mountRankingGroups } from '../../prices/rankings/ranking-groups.routes.ts';
import { mountRankings } from '../../prices/rankings/rankings.routes.ts';
import { mountPatterns } from '../../prices/trends/patterns.routes.ts';
import { mountTrends } from '../../prices/trends/trends.routes.ts';
import { createOutlierTests } from '../../prices/verdicts/segment-medians.ts';
import { mountVerdicts } from '../../prices/verdicts/verdicts.routes.ts';
import { mountWaitOrRent } from '../../prices/wait/wait-or-rent.routes.ts';
import { mountActions } from '../../rentals/actions.routes.ts';
import { mountInstanceDetail } from '../../rentals/instances/instance-detail.routes.ts';
import { mountInstances } from '../../rentals/instances/instances.routes.ts';
import { mountLimits } from '../../rentals/instances/limits.routes.ts';
import { mountReplacement } from '../../rentals/instances/replacement.routes.ts';
import { mountMachineRecord } from '../../rentals/record/machine-record.routes.ts';
import { mountQuotes } from '../../rentals/rent/quotes.routes.ts';
import { mountRentals } from '../../rentals/rent/rentals.routes.ts';
import { mountTemplates } from '../../rentals/templates/templates.routes.ts';
import { mountVolumes } from '../../rentals/volumes/volumes.routes.ts';
import { mountBalances } from '../../spend/balances.routes.ts';
import { mountBudgets } from '../../spend/budgets/budgets.routes.ts';
import { mountProjection } from '../../spend/budgets/projection.routes.ts';
import { mountSpendChecks } from '../../spend/reconciliation/spend-checks.routes.ts';
import { mountSpend } from '../../spend/spend.routes.ts';
import { mountChannelKinds } from '../../watches/channels/channel-kinds.routes.ts';
import { mountChannels } from '../../watches/channels/channels.routes.ts';
import { mountDeliveries } from '../../watches/channels/deliveries.routes.ts';
import { mountPushKey } from '../../watches/channels/push-key.routes.ts';
import { mountReplay } from '../../watches/channels/replay.routes.ts';
import { isFeedPath, mountFeeds } from '../../watches/feeds.routes.ts';
import { mountWatchReports } from '../../watches/reports/watch-reports.routes.ts';
import { mountAlerts } from '../../watches/rules/alerts.routes.ts';
import { mountRules } from '../../watches/rules/rules.routes.ts';
import { mountWatches } from '../../watches/watches.routes.ts';
import { mountOlder } from '../deletion/older.routes.ts';
import { mountStoredBooks } from '../deletion/stored-books.routes.ts';
import { mountExports } from '../exports/exports.routes.ts';
import { mountSheets } from '../exports/sheets.routes.ts';
import { mountMcp } from '../mcp/mcp.routes.ts';
import { requireCredential, sessionCookieOf } from '../sign-in/authenticate.ts';
import { createCredentialWatch } from '../sign-in/credential-watch.ts';
import { findCredential } from '../sign-in/credentials.sql.ts';
import { createGuessLimit } from '../sign-in/guess-limit.ts';
import { mountLogin } from '../sign-in/login.routes.ts';
import { readPerson } from '../sign-in/read-person.ts';
import { createRefusedSignIns } from '../sign-in/refused-sign-ins.ts';
import { mountSession } from '../sign-in/session.routes.ts';
import { createLastUses } from '../sign-in/sign-in-audit.sql.ts';
import { requireScope } from '../sign-in/token-scope.ts';
import { mountTokens } from '../sign-in/tokens.routes.ts';
import { cacheAnswers } from './answer-cache.ts';
import type { ApiDeps, AppDeps } from './api-deps.ts';
import { clientAddress, noProxies } from './client-address.ts';
import { describeWebhooks } from './description/describe-webhooks.ts';
import { createErrorHandler } from './error-handler.ts';
import { mountEvents } from './events.routes.ts';
import { mountExplain } from './explain.routes.ts';
import { mountFailedJobs } from './failed-jobs.routes.ts';
import { mountHealth } from './health.routes.ts';
import { loggedPath } from './logged-path.ts';
import { mountMetrics } from './metrics.routes.ts';
import { describeSecurity } from './openapi-document.ts';
import { requireOwnHost } from './own-host.ts';
import { mountPage } from './page.routes.ts';
import { mountReference } from './reference.routes.ts';
import { securityHeaders } from './security-headers.ts';
import { mountStatus } from './status.routes.ts';
import { createRequestDurations, traceRequests } from './trace-requests.ts';

const maxBodyBytes = 64 * 1024;
const cachedPaths = new Set(
  ['trends', 'rankings', 'market', 'patterns', 'index', 'forecast', 'wait-or-rent'].map(
    (name) => `/api/${name}`,
  ),
);

/** Returns the HTTP API and the page as one app, to be served or called with `request()`. Does nothing by itself. */
export function createApp(given: AppDeps): ApiApp {
  const basePath = basePathOf(given.publicUrl);
  // A requester within this process lasts as long as the process.
  const addressOf = (c: Context): string | null => clientAddress(c, given.trustedProxies ?? noProxies);
  const guesses = createGuessLimit({ now: given.now, addressOf, noteRefusal: createRefusedSignIns(given) });
  const lastUses = createLastUses(given);
  const noteUse: ApiDeps['noteUse'] = async (credential, c) =>
    await lastUses(credential, addressOf(c)).catch((error: unknown) =>
      given.log.debug({ err: error }, 'the last use of a token could not be noted'),
    );
  const deps: ApiDeps = {
    ...given,
    ...(given.priceCache ?? newPriceCache(given.readSql ?? given.sql)),
    rentsIn: async () => await rentMarketOf(given),
    notify: given.notify ?? noChannels,
    deliver: given.deliver ?? (async () => {}),
    actor: given.actor ?? noActor,
    pollSoon: given.pollSoon ?? (async () => {}),
    carryOutSoon: given.carryOutSoon ?? (async () => {}),
    guesses,
    addressOf,
    noteUse,
    findReader: async (c, secret) => {
      const found = await guesses.check(
        c,
        { secret, way: 'link' },
        async () => await findCredential(given.sql, secret, 'token', given.now()),
      );
      if (found !== null) await noteUse(found, c);
      // A feed shows every market of its watch.
      return found?.scope === undefined ? found : null;
    },
    credentials: given.caller === undefined ? createCredentialWatch(given) : { watch: () => () => {} },
  };
  // Reads through this connection are independent: none writes, and none depends on an earlier one.
  const reads: ApiDeps = { ...deps, sql: given.readSql ?? given.sql };
  const app: ApiApp = new OpenAPIHono<ApiEnv>({
    defaultHook: rejectInvalid(() => app),
    getPath: (request) => withoutBase(getPath(request), basePath),
  });
  app.onError(createErrorHandler(deps.log));
  app.notFound((c) =>
    answerProblem(c, new ApiProblem(404, 'not-found', 'No such address or method: /api/docs lists all.')),
  );
  const requests = createRequestDurations();
  app.use(
    traceRequests(requests),
    securityHeaders(deps.publicUrl),
    requireOwnHost([deps.publicUrl, ...(deps.sheetsUrl === undefined ? [] : [deps.sheetsUrl])]),
    cacheAnswers(cachedPaths, deps.cacheAnswersMs ?? 0, (c) => readPerson(c, deps)?.name ?? ''),
    logRequests(deps),
    compress(),
    tagAnswers(),
  );
  app.use(
    '/api/*',
    bodyLimit({ maxSize: maxBodyBytes, onError: refuseBody }),
    revalidate(),
    authenticate(deps),
    requireJson(),
    requireScope(app, deps),
  );
  app.use('/mcp', bodyLimit({ maxSize: maxBodyBytes, onError: refuseBody }), authenticate(deps));
  describeSecurity(app, sessionCookieOf(given.publicUrl));
  mountHealth(app, deps);
  mountMetrics(app, { ...deps, readSql: reads.sql }, requests);
  mountStatus(app, deps);
  mountFailedJobs(app, deps);
  mountTrends(app, reads);
  mountRankings(app, reads);
  mountRankingGroups(app, reads);
  mountOffers(app, reads);
  mountListings(app, reads);
  mountMarket(app, reads);
  mountExplain(app, reads, deps);
  mountPatterns(app, reads);
  mountPriceIndex(app, reads);
  mountForecast(app, reads);
  mountWaitOrRent(app, reads);
  mountVerdicts(app, reads);
  mountCatalogs(app, deps);
  mountBlocklist(app, deps);
  mountCrawls(app, deps);
  mountMarkets(app, deps);
  mountStoredBooks(app, deps);
  mountOlder(app, deps);
  mountWatches(app, deps);
  mountSpend(app, deps);
  mountBalances(app, deps);
  mountSpendChecks(app, deps);
  mountBudgets(app, deps);
  mountProjection(app, deps);
  mountExports(app, deps);
  mountSheets(app, deps);
  mountTemplates(app, deps);
  mountTokens(app, deps);
  mountQuotes(app, deps);
  mountInstances(app, deps);
  mountInstanceDetail(app, deps);
  mountReplacement(app, deps);
  mountLimits(app, deps);
  mountRentals(app, deps);
  mountMachineRecord(app, reads);
  mountActions(app, deps);
  mountEvents(app, deps);
  mountVolumes(app, deps);
  mountChannelKinds(app, deps);
  mountPushKey(app, deps);
  mountChannels(app, deps);
  mountDeliveries(app, deps);
  mountReplay(app, deps);
  mountRules(app, deps);
  mountAlerts(app, deps);
  mountWatchReports(app, deps);
  mountFeeds(app, deps);
  mountOrders(app, deps);
  mountMcp(app, deps);
  mountSession(app, deps);
  mountReference(app, deps.version, basePath);
  mountLogin(app, deps);
  app.all('/api/*', () => {
    throw new ApiProblem(404, 'not-found', 'No such address or method: /api/docs lists all.');
  });
  mountPage(app, deps.webRoot, basePath);
  describeWebhooks(app);
  return app;
}

/** The default market, where its kind has an account. */
const rentMarketOf = async ({ marketKind = defaultKind, defaultMarket }: AppDeps): Promise<string | null> =>
  marketKind.parts.includes('account') ? (await defaultMarket()).name : null;

const noActor = async (): Promise<never> => {
  throw new UserError(
    'A recorded market has no account: set MARKET_URL and MARKET_API_KEY to act on a live one.',
  );
};

const noChannels = async (): Promise<never> => {
  throw new Error('this app was made without channels');
};

/** Responses carry an ETag of their content, except files and events, which are streamed. */
function tagAnswers(): MiddlewareHandler {
  const tag = etag();
  const isStream = (path: string): boolean => path.startsWith('/api/exports/') || path === '/api/events';
  return async (c, next) => (isStream(c.req.path) ? await next() : await tag(c, () => tagContent(c, next)));
}

/** Implemented here, because the library copies each body three times for its tag. */
async function tagContent(c: Context, next: Next): Promise<void> {
  await next();
  if (c.req.method !== 'GET' || c.res.status !== 200 || c.res.headers.has('ETag')) return;
  const body = await c.res.arrayBuffer();
  c.res = new Response(body, c.res);
  c.res.headers.set('ETag', `"${hash('sha1', new Uint8Array(body))}"`);
}

const newPriceCache = (sql: AppDeps['sql']) => ({
  ...createPriceCache(),
  outlierTests: createOutlierTests(sql),
});

/** Every path below /api needs a credential, except the one that begins a session. */
function authenticate(deps: ApiDeps): MiddlewareHandler<ApiEnv> {
  const required = requireCredential(deps);
  return async (c, next) =>
    (c.req.path === '/api/session' && c.req.method === 'POST') || isFeedPath(c.req.path)
      ? await next()
      : await required(c, next);
}

// The query is not logged: it may be a login code or a feed's token.
function logRequests({ log, now }: ApiDeps): MiddlewareHandler {
  return async (c, next) => {
    const start = now().getTime();
    await next();
    const fields = { method: c.req.method, path: loggedPath(c.req.path), status: c.res.status };
    log.debug({ ...fields, durationMs: now().getTime() - start }, 'request');
  };
}

/** Browsers keep responses but revalidate them each time. */
function revalidate(): MiddlewareHandler {
  return async (c, next) => {
    await next();
    if (!c.res.headers.has('Cache-Control')) c.header('Cache-Control', 'private, no-cache');
  };
}

function refuseBody(): never {
  throw new ApiProblem(
    413,
    'body-too-large',
    `The body is larger than ${maxBodyBytes / 1024} KB: send less.`,
  );
}
