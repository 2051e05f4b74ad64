import { z } from '@hono/zod-openapi';
import { pricingTypes } from '../../core/offer.ts';
import { verificationTiers } from '../../core/offer-fields.ts';
import { verdictDays } from './verdicts.ts';

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
    pricedDays: z.int().openapi({
      description: "Of the 30 UTC days before the book's day: those with a price, outliers left out",
    }),
    lowerDays: z.int().openapi({ description: 'Those of them whose lowest price was below it' }),
    windows: z.array(
      z.object({
        days: z.int().openapi({ enum: [...verdictDays] }),
        percentile: z.number().nullable().openapi({ description: '0: the cheapest; null: insufficient' }),
        status: z.enum(['ok', 'insufficient']),
        samples: z.int().openapi({ description: 'Pooled prices: one per machine and UTC day' }),
        machines: z.int(),
        hosts: z.int(),
        coverage: z.number().openapi({ description: "Share of the window's days with a complete book" }),
        missing: z.array(z.string()).openapi({ description: 'What is insufficient' }),
      }),
    ),
    comparableNow: z
      .object({ percentile: z.number().nullable(), offers: z.int() })
      .openapi({ description: 'Among the offers of the same segment in the same book' }),
  })
  .openapi('Verdict');
