import { z } from '@hono/zod-openapi';
import { moment } from '../../core/http/route-parts.ts';
import { pricingTypes } from '../../core/offer.ts';
import { HorizonSchema } from '../../prices/forecast/forecast.routes.ts';
import { PriceChangeSchema } from '../../prices/index/price-change-schema.ts';
import { VerdictSummarySchema } from '../../prices/verdicts/verdict-schema.ts';
import { DropsSchema } from '../../prices/wait/wait-or-rent.routes.ts';

const figure = z.number().nullable();
/** null: there is no book yet. */
export const bookVerdict = z.enum(['complete', 'partial']).nullable();

const coverage = z.object({ books: z.int(), complete: z.int(), partial: z.int(), failed: z.int() });
/** The matches of a watch. */
export const counts = { offers: z.int(), gpus: z.int(), machines: z.int(), daysOfLast30: z.int() };

/** What every offer of a report names. */
const listed = {
  market: z.string(),
  offerId: z.int(),
  machineId: z.int(),
  gpuName: z.string(),
  numGpus: z.int(),
  usdPerHour: z.number(),
};

/** The cheapest offers of a watch, as answers and webhooks carry them. */
export const ReportSchema = z
  .object({
    watch: z.object({ id: z.string(), name: z.string(), market: z.string(), markets: z.array(z.string()) }),
    at: moment,
    observedAt: moment.nullable().openapi({
      description: 'Of the newest book, with several markets the oldest of these; null: there is no book yet',
    }),
    bookVerdict: bookVerdict.openapi({ description: 'With several markets the worst one' }),
    dataAgeMinutes: figure,
    coverage: coverage.openapi({ description: 'Of the last 7 days, of all its markets' }),
    books: z
      .array(
        z.object({
          market: z.string(),
          observedAt: moment.nullable(),
          bookVerdict,
          dataAgeMinutes: figure,
          coverage,
          ...counts,
        }),
      )
      .openapi({ description: 'Each market separately' }),
    by: z.string(),
    unit: z.string(),
    ranking: z.string().openapi({
      description: 'By what its offers are ranked and which are considered, in words',
      example:
        'Ranked by price per GPU ($/GPU-hour), cheapest first. Considered: RTX 4090, on-demand, verified, prices with 8 GB of disk.',
    }),
    availability: z.object(counts),
    unranked: z
      .array(z.object({ reason: z.string(), offers: z.int() }))
      .openapi({ description: 'Matching offers that are not ranked' }),
    since: moment.nullable().openapi({ description: 'When the previous report was sent; null: never' }),
    items: z.array(
      z.object({
        ...listed,
        rank: z.int(),
        listingId: z.string(),
        hostId: z.int().nullable(),
        type: z.string(),
        verification: z.string().nullable(),
        country: z.string().nullable(),
        reliability: figure,
        value: z.number(),
        usdPerGpuHour: z.number(),
        allInUsdPerHour: figure,
        isOutlier: z.boolean().nullable(),
        verdict: z.object(VerdictSummarySchema.shape).nullable(),
        change: z.enum(['new', 'up', 'down', 'same']).nullable(),
        previousUsdPerHour: figure,
        url: z.string(),
        canRent: z.boolean().openapi({ description: 'Whether Offerbook rents in its market' }),
      }),
    ),
    gone: z.array(z.object(listed)),
    trends: z.array(
      z.object({
        market: z.string(),
        gpuName: z.string(),
        type: z.string(),
        points: z.array(z.object({ t: moment, median: figure })),
        changes: z.array(PriceChangeSchema),
        forecast: HorizonSchema.openapi({ description: 'Of the median in 7 days' }),
        sentences: z.array(z.string()).openapi({ description: 'Changes and forecast in words' }),
      }),
    ),
    waits: z
      .array(
        DropsSchema.extend({
          market: z.string(),
          hours: z.int(),
          type: z.enum(pricingTypes),
          sentence: z.string(),
        }),
      )
      .openapi({ description: 'Whether waiting has paid off, by market; empty: the watch names no models' }),
    url: z.string(),
  })
  .openapi('WatchReport');
