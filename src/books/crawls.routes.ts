import { createRoute, z } from '@hono/zod-openapi';
import type { ApiApp } from '../core/http/api-app.ts';
import { readPage } from '../core/http/cursor.ts';
import { badField, orNoSuch, problemResponses } from '../core/http/problem.ts';
import { marketsParam, pageParams } from '../core/http/query.ts';
import { requireRole } from '../core/http/require-role.ts';
import { byId, jsonAnswer, jsonContent, moment, noQuery, pageOf } from '../core/http/route-parts.ts';
import { pricingTypes } from '../core/offer.ts';
import { findWaitingCrawl, type WaitingCrawl } from '../jobs/jobs.sql.ts';
import type { BooksDeps } from './books-deps.ts';
import { chooseMarkets } from './choose-market.ts';
import { explainCertificate } from './coverage-words.ts';
import { findCrawl, isOffersCrawl, type ListedCrawl, listCrawls } from './crawl-history.sql.ts';
import { CrawlOrderSchema } from './crawl-order.ts';

const outcomes = ['complete', 'partial', 'failed', 'unchanged'] as const;
const type = z.enum(pricingTypes);

const CoverageCertificateSchema = z
  .object({
    pages: z.int(),
    rowsPerPage: z.array(z.int()),
    pageLimit: z.int().nullable(),
    rows: z.int(),
    accepted: z.int(),
    rowCap: z.int().nullable(),
    duplicates: z.int(),
    movedRows: z.int(),
    rejected: z.record(z.string(), z.int()),
    leftOut: z.record(z.string(), z.int()),
    doubtfulPrices: z.array(z.object({ offerId: z.int(), amounts: z.record(z.string(), z.number()) })),
    replacedCharacters: z.int(),
    retries: z.int(),
    throttles: z.int(),
    durationMs: z.number(),
    estimatedMissingShare: z.number().nullable(),
    missingShareAtMost: z.number().nullable(),
    estimate: z.enum(['agreed', 'chapman', 'recapture']).nullable(),
    passes: z.array(
      z.object({
        kind: z.enum(['full', 'sample', 'probe']),
        part: z.string().nullable(),
        pages: z.int(),
        rows: z.int(),
        unseen: z.int(),
      }),
    ),
    endConfirmed: z.boolean(),
    apart: z.enum(['tiers', 'models']).nullable(),
    paging: z.enum(['id', 'price', 'whole', 'none']),
  })
  .openapi('CoverageCertificate');

const BillingCertificateSchema = z
  .object({
    pages: z.int(),
    rows: z.int(),
    firstTotal: z.int().nullable(),
    lastTotal: z.int().nullable(),
    rejected: z.record(z.string(), z.int()),
    repeated: z.int(),
    moved: z.string().nullable(),
    parts: z.int(),
    unprovedParts: z.int(),
    restarts: z.int(),
    miscounted: z.int(),
    replacedCharacters: z.int(),
    retries: z.int(),
    throttles: z.int(),
    durationMs: z.number(),
    kept: z
      .object({
        entries: z.int(),
        added: z.int(),
        changed: z.int(),
        returned: z.int(),
        missed: z.int(),
        disappeared: z.int(),
      })
      .nullable()
      .openapi({ description: 'Changes by the sync; null: nothing was stored' }),
  })
  .openapi('BillingCertificate');

const CrawlSchema = z
  .object({
    id: z.string(),
    market: z.string().optional().openapi({ description: 'Only if several markets were requested' }),
    kind: z.string(),
    scope: z.string(),
    type: type.nullable(),
    cause: z.enum(['cron', 'command', 'api', 'watch', 'import', 'seed']),
    state: z.enum(['queued', 'running', 'ended']),
    startedAt: moment.nullable().openapi({ description: 'null while it is queued' }),
    endedAt: moment.nullable(),
    outcome: z.enum(outcomes).nullable().openapi({ description: 'null until it has ended' }),
    reason: z.string().nullable(),
    certificate: z
      .union([CoverageCertificateSchema, BillingCertificateSchema])
      .nullable()
      .openapi({ description: 'For offers the first form, for invoices and charges the second' }),
    book: z
      .object({
        id: z.string(),
        observedAt: moment,
        startedAt: moment,
        verdict: z.enum(['complete', 'partial']).openapi({ description: 'Coverage of the book' }),
        reason: z.string().nullable(),
        proof: z.enum(['proved', 'declared']),
        offers: z.int(),
      })
      .nullable()
      .openapi({ description: 'The book that it stored' }),
    explanation: z.array(z.string()).openapi({
      description:
        'What was requested, what came and what may be missing, in sentences; empty for kinds other than offers',
    }),
  })
  .openapi('Crawl');

/** The answer of `GET /api/crawls/{id}`. */
export type CrawlAnswer = z.infer<typeof CrawlSchema>;

const list = createRoute({
  operationId: 'listCrawls',
  method: 'get',
  path: '/api/crawls',
  tags: ['crawls'],
  summary: 'Crawls with their certificates, the newest first',
  request: {
    query: z.strictObject({
      ...marketsParam,
      type: type.optional(),
      outcome: z.enum(outcomes).optional(),
      ...pageParams,
    }),
  },
  responses: {
    200: jsonAnswer('A page of crawls', pageOf(CrawlSchema, 'Crawls')),
    ...problemResponses(400, 401, 403, 503),
  },
});

const read = createRoute({
  operationId: 'getCrawl',
  method: 'get',
  path: '/api/crawls/{id}',
  tags: ['crawls'],
  summary: 'One crawl',
  request: byId,
  responses: {
    200: jsonAnswer('The crawl', CrawlSchema),
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

const start = createRoute({
  operationId: 'startCrawl',
  method: 'post',
  path: '/api/crawls',
  tags: ['crawls'],
  summary: 'Crawl a market now, ahead of the schedule; needs the role operator',
  request: {
    query: noQuery,
    body: {
      content: jsonContent(CrawlOrderSchema),
    },
  },
  responses: {
    202: jsonAnswer(
      'The crawls that were queued, or were queued or running already',
      z.object({ crawlIds: z.array(z.string()) }).openapi('CrawlOrdered'),
    ),
    ...problemResponses(400, 401, 403, 409, 502, 503),
  },
});

/** `/api/crawls`. */
export function mountCrawls(app: ApiApp, deps: BooksDeps): void {
  app.openapi(list, async (c) => {
    const { market: names, type = null, outcome = null, limit } = c.req.valid('query');
    const marketIds = (await chooseMarkets(deps, names)).map(({ id }) => id);
    const page = await readPage(c, limit, {
      after: z.uuid(),
      read: (after, count) => listCrawls(deps.sql, { marketIds, type, outcome, after, limit: count }),
      keyOf: ({ id }) => id,
    });
    const show = marketIds.length > 1 ? presentOfMarkets : present;
    return c.json({ ...page, items: page.items.map(show) }, 200);
  });
  app.openapi(read, async (c) => {
    const { id } = c.req.valid('param');
    const crawl = await findCrawl(deps.sql, id);
    const waiting = crawl === null ? await findWaitingCrawl(deps.sql, id) : null;
    if (waiting !== null) return c.json(presentWaiting(waiting), 200);
    return c.json(present(orNoSuch(crawl, 'crawl')), 200);
  });
  app.openapi(start, async (c) => {
    requireRole(c, 'operator');
    const order = c.req.valid('json');
    const { kind = 'offers' } = order;
    const isBill = kind === 'invoices' || kind === 'charges';
    if (order.type !== undefined && kind !== 'offers') throw badField('type', 'applies to offers only');
    if (order.all !== undefined && !isBill) throw badField('all', 'applies to invoices and charges only');
    const { crawlIds } = await deps.crawlNow(order);
    return c.json({ crawlIds }, 202);
  });
}

const presentOfMarkets = (crawl: ListedCrawl): CrawlAnswer => {
  const { id, ...rest } = present(crawl);
  return { id, market: crawl.market, ...rest };
};

function present(listed: ListedCrawl): CrawlAnswer {
  const { market: _, ...crawl } = listed;
  const { startedAt, endedAt, book } = crawl;
  return {
    ...crawl,
    state: endedAt === null ? 'running' : 'ended',
    startedAt: startedAt.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
    book: book && {
      ...book,
      observedAt: book.observedAt.toISOString(),
      startedAt: book.startedAt.toISOString(),
    },
    explanation: isOffersCrawl(listed) ? explainCertificate(listed) : [],
  };
}

function presentWaiting({ crawlId, kind, scopeName, type: waitingFor, cause }: WaitingCrawl): CrawlAnswer {
  return {
    id: crawlId,
    kind,
    scope: scopeName,
    type: waitingFor,
    cause,
    state: 'queued',
    startedAt: null,
    endedAt: null,
    outcome: null,
    reason: null,
    certificate: null,
    book: null,
    explanation: ['It waits for its turn.'],
  };
}
