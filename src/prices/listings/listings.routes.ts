import { createRoute, z } from '@hono/zod-openapi';
import { findScope, newestMoment } from '../../books/newest-books.sql.ts';
import type { ApiApp } from '../../core/http/api-app.ts';
import { fieldSchemas } from '../../core/http/offer-schema.ts';
import { orNoSuch, problemResponses } from '../../core/http/problem.ts';
import { profileParams, rangeParams, readProfile } from '../../core/http/query.ts';
import { jsonAnswer, moment, noQuery } from '../../core/http/route-parts.ts';
import { readRange } from '../../core/http/time-range.ts';
import { pricingTypes } from '../../core/offer.ts';
import { allInUsdPerHour, usdPerHour } from '../../core/price.ts';
import type { PricesDeps } from '../prices-deps.ts';
import { judgeNewest } from '../verdicts/judge-newest.ts';
import {
  JudgedOfferSchema,
  ListedPriceSchema,
  presentJudged,
  presentListed,
} from '../verdicts/judged-offer-schema.ts';
import { readListingHistory } from './listing-history.ts';
import { findLatestOffer, findListing, type Listing, shownAttributes } from './listings.sql.ts';

/** Maximum entries of each list in a response, newest first. */
const maxEntries = 1000;

const figure = z.number().nullable();
const end = moment.nullable().openapi({ description: 'null: ongoing' });

const identity = {
  id: z.string(),
  market: z.string(),
  machineId: z.int(),
  hostId: z.int().nullable().openapi({ description: 'As last seen' }),
  gpuName: z.string(),
  numGpus: z.int(),
  type: z.enum(pricingTypes),
  ordinal: z.int().openapi({ description: 'Its place among otherwise equal listings, from 1' }),
};

const ListingSchema = z
  .object({
    ...identity,
    observedAt: moment.nullable().openapi({ description: 'Its newest book; null: only other scopes saw it' }),
    bookVerdict: z.enum(['complete', 'partial']).nullable(),
    offerId: z.int().nullable().openapi({ description: 'As last seen' }),
    newest: JudgedOfferSchema.nullable().openapi({
      description: 'As in the newest complete book, with its verdict; null: that does not list it',
    }),
    lowestVerified: ListedPriceSchema.nullable().openapi({
      description: 'The lowest price of its model and type on a verified machine there, without outliers',
    }),
    raw: z
      .record(z.string(), z.unknown())
      .nullable()
      .openapi({ description: 'The newest offer as the marketplace sent it, including unknown fields' }),
  })
  .openapi('Listing');

/** The answer of `GET /api/listings/{id}`. */
export type ListingAnswer = z.infer<typeof ListingSchema>;

const ListingHistorySchema = z
  .object({
    listingId: z.string(),
    from: moment,
    to: moment,
    priceIntervals: z.array(
      z.object({
        from: moment,
        to: end,
        usdPerHour: figure.openapi({ description: "With the profile's storage" }),
        usdPerGpuHour: figure,
        allInUsdPerHour: figure.openapi({
          description: 'For the profile; null: a price component was unknown',
        }),
        baseUsdPerHour: z.number(),
        storageUsdPerGbMonth: figure,
        inetDownUsdPerGb: figure,
        inetUpUsdPerGb: figure,
        minBidUsdPerHour: figure,
        discountedUsdPerHour: figure,
        discountRate: figure,
      }),
    ),
    presence: z.array(z.object({ from: moment, to: moment, open: z.boolean() })),
    episodes: z.array(
      z.object({
        startedAt: moment,
        lastSeenAt: moment,
        endedAt: end,
        endedBy: z.enum(['gone', 'repriced', 'chunkTaken']).nullable(),
        listedForSeconds: z.number(),
        lastAskUsdPerGpuHour: figure,
        rented: z.boolean().nullable().openapi({ description: 'null: not crawled; see CRAWL_RENTED' }),
        clearingUsdPerGpuHour: figure,
      }),
    ),
    attributes: z.array(
      z.object({
        from: z.string().openapi({ format: 'date' }),
        to: z.string().nullable().openapi({ format: 'date', description: 'null: still in force' }),
        ...fieldSchemas(shownAttributes),
      }),
    ),
    truncated: z
      .boolean()
      .openapi({ description: `A list had more than ${maxEntries} entries: these are the newest` }),
  })
  .openapi('ListingHistory');

/** The answer of `GET /api/listings/{id}/history`. */
export type ListingHistoryAnswer = z.infer<typeof ListingHistorySchema>;

const params = z.object({ id: z.string().regex(/^[1-9]\d{0,8}$/) });
const tags = ['prices'];

const listingRoute = createRoute({
  operationId: 'getListing',
  method: 'get',
  path: '/api/listings/{id}',
  tags,
  summary: 'A listing with its newest offer',
  request: { params, query: noQuery },
  responses: {
    200: jsonAnswer('The listing', ListingSchema),
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

const historyRoute = createRoute({
  operationId: 'getListingHistory',
  method: 'get',
  path: '/api/listings/{id}/history',
  tags,
  summary: "A listing's prices, presence and episodes",
  request: { params, query: z.strictObject({ ...rangeParams, ...profileParams }) },
  responses: {
    200: jsonAnswer('Its history', ListingHistorySchema),
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

/** `/api/listings`. */
export function mountListings(app: ApiApp, deps: PricesDeps): void {
  const { sql, now } = deps;
  app.openapi(listingRoute, async (c) => {
    const { listing, scopeId } = await readListing(sql, c.req.valid('param').id);
    const { marketId, type, gpuName } = listing;
    const [offer, { newest, lowestVerified }] = await Promise.all([
      scopeId === null ? null : findLatestOffer(sql, { listingId: listing.id, scopeId }),
      judgeNewest(deps, { marketId, scopeId, type, gpuName }, ({ listingId }) => listingId === listing.id),
    ]);
    const { id, marketId: _, ...rest } = listing;
    return c.json(
      {
        id: String(id),
        ...rest,
        hostId: offer?.hostId ?? null,
        observedAt: offer?.observedAt.toISOString() ?? null,
        bookVerdict: offer?.bookVerdict ?? null,
        offerId: offer?.offerId ?? null,
        newest: presentJudged(newest),
        lowestVerified: presentListed(lowestVerified),
        raw: offer === null || offer.raw === null ? null : (JSON.parse(offer.raw) as Record<string, unknown>),
      },
      200,
    );
  });
  app.openapi(historyRoute, async (c) => {
    const asked = c.req.valid('query');
    const { listing, scopeId } = await readListing(sql, c.req.valid('param').id);
    const newest = scopeId === null ? null : await newestMoment(sql, scopeId, [listing.type]);
    const { from, to } = readRange(asked, newest, now());
    const history =
      scopeId === null
        ? { priceIntervals: [], presence: [], episodes: [], attributes: [] }
        : await readListingHistory(sql, listing, scopeId);
    const touches = (begin: Date, finish: Date | null) => begin < to && (finish === null || finish >= from);
    const day = (at: Date) => at.toISOString().slice(0, 10);
    const profile = readProfile(asked);
    const lists = {
      priceIntervals: history.priceIntervals
        .filter((interval) => touches(interval.from, interval.to))
        .map(({ listingId: _, previousBookAt: __, numGpus, from: begin, to: finish, ...components }) => {
          const price = usdPerHour(components, profile.storageGb);
          return {
            from: begin.toISOString(),
            to: finish?.toISOString() ?? null,
            usdPerHour: price,
            usdPerGpuHour: price === null ? null : price / numGpus,
            allInUsdPerHour: allInUsdPerHour(components, profile),
            ...components,
          };
        }),
      presence: history.presence
        .filter((span) => touches(span.firstAt, span.lastAt))
        .map(({ firstAt, lastAt, open }) => ({
          from: firstAt.toISOString(),
          to: lastAt.toISOString(),
          open,
        })),
      episodes: history.episodes
        .filter((episode) => touches(episode.startedAt, episode.endedAt))
        .map(({ listingId: _, startedAt, lastSeenAt, endedAt, ...episode }) => ({
          ...episode,
          startedAt: startedAt.toISOString(),
          lastSeenAt: lastSeenAt.toISOString(),
          endedAt: endedAt?.toISOString() ?? null,
        })),
      attributes: history.attributes.filter(
        (row) => row.from <= day(to) && (row.to === null || row.to > day(from)),
      ),
    };
    const truncated = Object.values(lists).some(({ length }) => length > maxEntries);
    const { priceIntervals, presence, episodes, attributes } = lists;
    return c.json(
      {
        listingId: String(listing.id),
        from: from.toISOString(),
        to: to.toISOString(),
        priceIntervals: priceIntervals.slice(-maxEntries),
        presence: presence.slice(-maxEntries),
        episodes: episodes.slice(-maxEntries),
        attributes: attributes.slice(-maxEntries),
        truncated,
      },
      200,
    );
  });
}

async function readListing(
  sql: PricesDeps['sql'],
  id: string,
): Promise<{ listing: Listing; scopeId: number | null }> {
  const listing = orNoSuch(await findListing(sql, Number(id)), 'listing');
  return { listing, scopeId: await findScope(sql, listing.marketId) };
}
