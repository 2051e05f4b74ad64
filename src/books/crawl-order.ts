import { z } from '@hono/zod-openapi';
import { pricingTypes } from '../core/offer.ts';

export const CrawlOrderSchema = z
  .strictObject({
    kind: z
      .enum(['offers', 'invoices', 'charges', 'instances'])
      .optional()
      .openapi({ description: 'What to read; offers where it is left out' }),
    type: z
      .enum(pricingTypes)
      .optional()
      .openapi({ description: 'Of offers: one pricing type; without it all' }),
    all: z.boolean().optional().openapi({
      description: 'Of invoices and charges: the whole history again, not only what may have changed',
    }),
  })
  .openapi('CrawlOrder');

/** A crawl requested by a person. */
export type CrawlOrder = z.infer<typeof CrawlOrderSchema>;
