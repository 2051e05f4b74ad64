import { createRoute, z } from '@hono/zod-openapi';
import type { ApiApp } from '../../core/http/api-app.ts';
import { fieldSchemas } from '../../core/http/offer-schema.ts';
import { problemResponses } from '../../core/http/problem.ts';
import { requireRole } from '../../core/http/require-role.ts';
import { jsonAnswer, jsonBody, moment, noQuery } from '../../core/http/route-parts.ts';
import { ListedPriceSchema } from '../../prices/verdicts/judged-offer-schema.ts';
import { VerdictSchema } from '../../prices/verdicts/verdict-schema.ts';
import type { Actor } from '../actor.ts';
import { actorFor } from '../agent.ts';
import type { RentalsDeps } from '../rentals-deps.ts';
import { makeQuoteId } from './quote-id.ts';
import { quoteRequest } from './quote-request.ts';
import { QuoteBodySchema } from './rent-body.ts';
import type { RentRequest } from './rent-request.ts';

const usd = z.string().nullable();

/** What is shown of the machine beside its price. */
const machineFields = [
  ...(['gpuRamMb', 'cpuCores', 'cpuCoresEffective', 'cpuRamMb', 'diskSpaceGb'] as const),
  ...(['inetDown', 'inetUp', 'cudaMaxGood', 'datacenter'] as const),
] as const;

const QuotedOfferSchema = z
  .looseObject({
    offerId: z.int(),
    machineId: z.int(),
    hostId: z.int().nullable(),
    gpuName: z.string(),
    numGpus: z.int(),
    type: z.string(),
    country: z.string().nullable(),
    reliability: z.number().nullable(),
    verification: z.string().nullable(),
    inetDownUsdPerGb: z.number().nullable(),
    inetUpUsdPerGb: z.number().nullable(),
    ...fieldSchemas(machineFields),
  })
  .openapi({ description: "The market's current offer" });

export const QuoteSchema = z
  .object({
    quoteId: z.string().nullable().openapi({
      description:
        'For renting at this price or less within 60 seconds; null: the price is unknown, or this process has no SECRETS_KEY',
    }),
    at: moment,
    offerId: z.int(),
    offer: QuotedOfferSchema,
    usdPerHour: usd.openapi({ description: 'Whole machine with disk and a new volume; caps compare this' }),
    baseUsdPerHour: usd,
    storageUsdPerHour: usd,
    volumeUsdPerHour: usd.openapi({ description: 'For a new volume' }),
    stoppedUsdPerDay: usd.openapi({ description: 'For the disk while it is stopped' }),
    bidUsdPerHour: usd,
    minBidUsdPerHour: z.number().nullable(),
    allInUsd: usd.openapi({ description: "For the request's profile, including traffic" }),
    allInUsdPerHour: usd,
    endsAt: z.string().nullable().openapi({ format: 'date-time', description: "When the host's offer ends" }),
    isVm: z.boolean().nullable(),
    verdict: VerdictSchema.nullable().openapi({
      description: 'Of the price in the newest complete book; null: that does not list the offer',
    }),
    listed: ListedPriceSchema.nullable().openapi({ description: 'The price that the verdict judges' }),
    lowestVerified: ListedPriceSchema.nullable().openapi({
      description: 'The lowest price of its model and type on a verified machine there, without outliers',
    }),
    warnings: z.array(z.object({ kind: z.string(), message: z.string() })),
    problems: z.array(z.string()).openapi({ description: 'Why the request could not be sent' }),
    instance: z.looseObject({ image: z.string().nullable(), diskGb: z.number() }).openapi({
      description: 'What would be sent, merged with the template; names of environment variables only',
    }),
    sources: z
      .record(z.string(), z.enum(['request', 'template', 'both', 'neither']))
      .openapi({ description: 'Where each field of `instance` comes from' }),
    guards: z.array(
      z.object({
        guard: z.string(),
        limit: z.string().nullable(),
        value: z.string().nullable(),
        message: z.string(),
      }),
    ),
    refusal: z
      .object({ kind: z.string(), message: z.string() })
      .nullable()
      .openapi({ description: 'Why the rental would be refused, apart from guards' }),
    wouldRent: z.boolean(),
  })
  .openapi('Quote');

/** The answer of `POST /api/quotes`. */
export type QuoteAnswer = z.infer<typeof QuoteSchema>;

const route = createRoute({
  operationId: 'createQuote',
  method: 'post',
  path: '/api/quotes',
  tags: ['acting'],
  summary: 'What a rental would cost and send, and what would prevent it; nothing is sent',
  request: {
    query: noQuery,
    body: jsonBody(QuoteBodySchema),
  },
  responses: {
    200: jsonAnswer('The quote', QuoteSchema),
    ...problemResponses(400, 401, 403, 409, 410, 502, 503),
  },
});

/** `POST /api/quotes`. */
export function mountQuotes(app: ApiApp, deps: RentalsDeps): void {
  app.openapi(route, async (c) => {
    const { name: by } = requireRole(c, 'operator');
    const request = JSON.parse(JSON.stringify(c.req.valid('json'))) as RentRequest;
    return c.json(await answerQuote(await actorFor(c, deps), request, { by, signal: c.req.raw.signal }), 200);
  });
}

/** Returns the quote of a request for the API. */
export async function answerQuote(
  actor: Actor,
  request: RentRequest,
  asked: { by: string; signal: AbortSignal },
): Promise<QuoteAnswer> {
  const quote = await quoteRequest(actor, request, asked);
  const { usdPerHour } = QuoteSchema.shape;
  const priced = { ...quote, usdPerHour: usdPerHour.parse(quote.usdPerHour) };
  return QuoteSchema.parse({ ...quote, quoteId: makeQuoteId(actor, priced) });
}
