import { z } from '@hono/zod-openapi';
import { moment } from '../../core/http/route-parts.ts';
import { pricingTypes } from '../../core/offer.ts';
import { verificationTiers } from '../../core/offer-fields.ts';
import { priceGrades } from './price-grade.ts';
import { verdictDays } from './verdicts.ts';

/** A verdict in words, in API responses. */
export const VerdictSummarySchema = z
  .object({
    grade: z.enum([...priceGrades, 'outlier', 'insufficient']),
    days: z.int().nullable().openapi({
      description: 'The window that it rests on: 30 days, else 90, else 7; null: none has enough history',
    }),
    text: z.string().openapi({
      description: 'The grade, and the model among whose machines it is one',
      example: 'very low among RTX 4090s',
    }),
    claim: z.string().openapi({
      description: 'What it rests on, briefly; empty: nothing',
      example: 'cheaper than 93% of verified ones in 30 days',
    }),
    sentence: z.string().openapi({
      description: 'All of it',
      example:
        'very low among RTX 4090s: cheaper than 93% of 1,204 daily prices of 208 verified ones in 30 days',
    }),
  })
  .openapi('VerdictSummary', {
    description: 'The verdict in words, the same on the page, in reports, feeds and commands',
  });

/** Whether a model's lowest price is low now, in API responses. */
export const PriceTimingSchema = z
  .object({
    grade: z.enum(priceGrades),
    days: z.int().openapi({ description: 'Days that it is compared with: 30, else 7' }),
    books: z.int().openapi({ description: 'Complete books of these days with a price' }),
    percentile: z.number().openapi({
      description:
        'Share of the time of these books in which the lowest price was below, an equal one counted half, 0 to 100',
    }),
    lowerPercent: z.number().openapi({ description: 'Share of that time in which it was lower' }),
    higherPercent: z.number().openapi({ description: 'Share of that time in which it was higher' }),
    medianUsdPerGpuHour: z
      .number()
      .openapi({ description: 'The usual lowest price: in half of that time it was at most this' }),
    last: z
      .object({
        usdPerGpuHour: z.number(),
        since: moment.openapi({ description: 'Its first book, among those compared' }),
        until: moment.openapi({ description: 'The first book after it' }),
      })
      .nullable()
      .openapi({
        description:
          'The last lowest price that held for three hours, give or take 1%, and differed from that of now by 1%, lower or higher; null: none did',
      }),
    text: z.string().openapi({ description: 'The grade in words', example: 'a good time to rent' }),
    claim: z.string().openapi({
      description: 'What it rests on',
      example: 'the lowest price was higher in 83% of the last 7 days',
    }),
    sentence: z.string().openapi({
      description: 'All of it',
      example:
        'a good time to rent: the lowest price was higher in 83% of the last 7 days (160 earlier books)',
    }),
  })
  .openapi('PriceTiming', {
    description: 'How the lowest price now stands among the lowest prices of the books before',
  });

/** A verdict in API responses. */
export const VerdictSchema = z
  .object({
    segment: z
      .object({
        level: z.enum(['verification', 'model']),
        type: z.enum(pricingTypes),
        gpuName: z.string(),
        verification: z.enum(verificationTiers).nullable(),
      })
      .openapi({ description: 'What the price is compared with; `model`: all tiers of the model' }),
    lowestInDays: z.int().nullable().openapi({
      description: "Whole UTC days since the segment's daily minimum was at or below it, outliers left out",
    }),
    windows: z.array(
      z.object({
        days: z.int().openapi({ enum: [...verdictDays] }),
        percentile: z.number().nullable().openapi({ description: '0: the cheapest; null: insufficient' }),
        claim: z
          .string()
          .openapi({ description: 'That in words; empty: insufficient', example: 'cheaper than 93%' }),
        status: z.enum(['ok', 'insufficient']),
        samples: z.int().openapi({ description: 'Pooled prices: one per machine and UTC day' }),
        machines: z.int(),
        hosts: z.int(),
        coverage: z.number().openapi({ description: "Share of the window's days with a complete book" }),
        missing: z.array(z.string()).openapi({ description: 'What is insufficient' }),
        pricedDays: z.int().openapi({
          description: "Of its whole UTC days before the book's day: those with a price, outliers left out",
        }),
        lowerDays: z.int().openapi({ description: 'Those of them whose lowest price was below it' }),
      }),
    ),
    comparableNow: z
      .object({
        percentile: z.number().nullable(),
        claim: z.string().openapi({ description: 'That in words', example: 'cheaper than 80%' }),
        offers: z.int(),
      })
      .openapi({ description: 'Among the offers of the same segment in the same book' }),
    summary: VerdictSummarySchema,
  })
  .openapi('Verdict');
