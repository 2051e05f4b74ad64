import { hash } from 'node:crypto';
import { OpenAPIHono } from '@hono/zod-openapi';
import type { Context, MiddlewareHandler, Next } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { compress } from 'hono/compress';
import { etag } from 'hono/etag';
import { secureHeaders } from 'hono/secure-headers';
import { createInsight } from '../analytics/insight.ts';
import { createJokeTests } from '../analytics/segment-medians.ts';
import { UserError } from '../domain/errors.ts';
import { mountActions } from './actions.ts';
import { mountAlerts } from './alerts.ts';
import { keepAnswers } from './answer-cache.ts';
import { requireCredential, sessionCookie } from './auth.ts';
import { mountBalances } from './balances.ts';
import { mountBlocklist } from './blocklist.ts';
import { mountBudgets } from './budgets.ts';
import { mountChannels } from './channels.ts';
import { mountCrawls } from './crawls.ts';
import { createCredentialWatch } from './credential-watch.ts';
import { mountDeadLetters } from './dead-letters.ts';
import { mountDeliveries } from './deliveries.ts';
import type { ApiApp, ApiDeps, ApiEnv, AppDeps } from './deps.ts';
import { createErrorHandler } from './error-handler.ts';
import { mountEvents } from './events.ts';
import { mountExplain } from './explain.ts';
import { mountExports } from './exports.ts';
import { isFeedPath, mountFeeds } from './feeds.ts';
import { createGuessLimit } from './guess-limit.ts';
import { mountHealth } from './health.ts';
import { mountInstances } from './instances.ts';
import { mountListings } from './listings.ts';
import { loggedPath } from './logged-path.ts';
import { mountLogin } from './login.ts';
import { mountMarket } from './market.ts';
import { mountMetrics } from './metrics.ts';
import { mountOffers } from './offers.ts';
import { describeSecurity } from './openapi-document.ts';
import { requireOwnHost } from './own-host.ts';
import { mountPage } from './page.ts';
import { mountPatterns } from './patterns.ts';
import { ApiProblem, answerProblem } from './problem.ts';
import { mountQuotes } from './quotes.ts';
import { mountRankingGroups } from './ranking-groups.ts';
import { mountRankings } from './rankings.ts';
import { mountReference } from './reference.ts';
import { mountRentals } from './rentals.ts';
import { mountRules } from './rules.ts';
import { mountSession } from './session.ts';
import { mountSheets } from './sheets.ts';
import { mountSpend } from './spend.ts';
import { mountSpendChecks } from './spend-checks.ts';
import { mountStatus } from './status.ts';
import { mountStoredBooks } from './stored-books.ts';
import { mountTemplates } from './templates.ts';
import { mountTokens } from './tokens.ts';
import { mountTrends } from './trends.ts';
import { rejectInvalid, requireJson } from './validation.ts';
import { mountVolumes } from './volumes.ts';
import { mountWatchReports } from './watch-reports.ts';
import { mountWatches } from './watches.ts';

const maxBodyBytes = 64 * 1024;
const keptPaths = new Set(['/api/trends', '/api/rankings', '/api/market', '/api/patterns']);

/** The HTTP API and the page as one app, to be served or asked with `request()`. Touches nothing by itself. */
export function createApp(given: AppDeps): ApiApp {
  const deps: ApiDeps = {
    ...{ ...given, ...(given.insight ?? newInsight(given.readSql ?? given.sql)) },
    notify: given.notify ?? noChannels,
    deliver: given.deliver ?? (async () => {}),
    actor: given.actor ?? noActor,
    pollSoon: given.pollSoon ?? (async () => {}),
    // Who asks from within this process is there as long as it is.
    guesses: createGuessLimit(given),
    credentials: given.caller === undefined ? createCredentialWatch(given) : { watch: () => () => {} },
  };
  // Of what is read from here nothing is written, and no request depends on what the one before it wrote.
  const reads: ApiDeps = { ...deps, sql: given.readSql ?? given.sql };
  const app = new OpenAPIHono<ApiEnv>({ defaultHook: rejectInvalid });
  app.onError(createErrorHandler(deps.log));
  app.notFound((c) =>
    answerProblem(c, new ApiProblem(404, 'not-found', 'There is nothing under this address and method.')),
  );
  app.use(
    requireOwnHost([deps.publicUrl, ...(deps.sheetsUrl === undefined ? [] : [deps.sheetsUrl])]),
    keepAnswers(keptPaths, deps.keepAnswersMs ?? 0),
    logRequests(deps),
    compress(),
    tagAnswers(),
    securityHeaders(),
  );
  app.use(
    '/api/*',
    bodyLimit({ maxSize: maxBodyBytes, onError: refuseBody }),
    revalidate(),
    authenticate(deps),
    requireJson(),
  );
  describeSecurity(app, sessionCookie);
  mountHealth(app, deps);
  mountMetrics(app, deps);
  mountStatus(app, deps);
  mountDeadLetters(app, deps);
  mountTrends(app, reads);
  mountRankings(app, reads);
  mountRankingGroups(app, reads);
  mountOffers(app, reads);
  mountListings(app, reads);
  mountMarket(app, reads);
  mountExplain(app, reads, deps);
  mountPatterns(app, reads);
  mountBlocklist(app, deps);
  mountCrawls(app, deps);
  mountStoredBooks(app, deps);
  mountWatches(app, deps);
  mountSpend(app, deps);
  mountBalances(app, deps);
  mountSpendChecks(app, deps);
  mountBudgets(app, deps);
  mountExports(app, deps);
  mountSheets(app, deps);
  mountTemplates(app, deps);
  mountTokens(app, deps);
  mountQuotes(app, deps);
  mountInstances(app, deps);
  mountRentals(app, deps);
  mountActions(app, deps);
  mountEvents(app, deps);
  mountVolumes(app, deps);
  mountChannels(app, deps);
  mountDeliveries(app, deps);
  mountRules(app, deps);
  mountAlerts(app, deps);
  mountWatchReports(app, deps);
  mountFeeds(app, deps);
  mountSession(app, deps);
  mountReference(app, deps.version);
  mountLogin(app, deps);
  app.all('/api/*', () => {
    throw new ApiProblem(404, 'not-found', 'There is nothing under this address and method.');
  });
  mountPage(app, deps.webRoot);
  return app;
}

const noActor = async (): Promise<never> => {
  throw new UserError('Nothing can be done to an account here: the market is a recorded one.');
};

const noChannels = async (): Promise<never> => {
  throw new Error('this app was made without channels');
};

/** Answers carry an ETag of their content; files and events are streamed, and would have to be held for one. */
function tagAnswers(): MiddlewareHandler {
  const tag = etag();
  const isStream = (path: string): boolean => path.startsWith('/api/exports/') || path === '/api/events';
  return async (c, next) => (isStream(c.req.path) ? await next() : await tag(c, () => tagContent(c, next)));
}

/** Here, because the library copies each body three times for its tag. */
async function tagContent(c: Context, next: Next): Promise<void> {
  await next();
  if (c.req.method !== 'GET' || c.res.status !== 200 || c.res.headers.has('ETag')) return;
  const body = await c.res.arrayBuffer();
  c.res = new Response(body, c.res);
  c.res.headers.set('ETag', `"${hash('sha1', new Uint8Array(body))}"`);
}

const newInsight = (sql: AppDeps['sql']) => ({ ...createInsight(), jokeTests: createJokeTests(sql) });

/** Every path below /api needs a credential, but the one that begins a session. */
function authenticate(deps: ApiDeps): MiddlewareHandler<ApiEnv> {
  const required = requireCredential(deps);
  return async (c, next) =>
    (c.req.path === '/api/session' && c.req.method === 'POST') || isFeedPath(c.req.path)
      ? await next()
      : await required(c, next);
}

// Queries stay out of the log: a login code or a feed's token is one.
function logRequests({ log, now }: ApiDeps): MiddlewareHandler {
  return async (c, next) => {
    const start = now().getTime();
    await next();
    const fields = { method: c.req.method, path: loggedPath(c.req.path), status: c.res.status };
    log.debug({ ...fields, durationMs: now().getTime() - start }, 'request');
  };
}

/** Browsers keep answers but ask each time whether they still hold. */
function revalidate(): MiddlewareHandler {
  return async (c, next) => {
    await next();
    if (!c.res.headers.has('Cache-Control')) c.header('Cache-Control', 'private, no-cache');
  };
}

function securityHeaders(): MiddlewareHandler {
  const common = {
    defaultSrc: ["'self'"],
    objectSrc: ["'none'"],
    baseUri: ["'none'"],
    frameAncestors: ["'none'"],
    formAction: ["'self'"],
  };
  const options = { strictTransportSecurity: false, xFrameOptions: 'DENY' };
  const strict = secureHeaders({ ...options, contentSecurityPolicy: common });
  // The reference's interface sets styles inline and draws icons from data addresses.
  const relaxed = secureHeaders({
    ...options,
    contentSecurityPolicy: {
      ...common,
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", 'data:'],
    },
  });
  return async (c, next) => await (c.req.path === '/api/docs' ? relaxed(c, next) : strict(c, next));
}

function refuseBody(): never {
  throw new ApiProblem(413, 'body-too-large', `The body is over ${maxBodyBytes / 1024} KB.`);
}
