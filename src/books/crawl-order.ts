import { z } from '@hono/zod-openapi';
import { marketParam } from '../core/http/query.ts';
import { pricingTypes } from '../core/offer.ts';

export const CrawlOrderSchema = z
  .strictObject({
    kind: z
      .enum(['offers', 'invoices', 'charges', 'instances'])
      .optional()
      .openapi({ description: 'What to read; default: offers' }),
    ...marketParam,
    type: z
      .enum(pricingTypes)
      .optional()
      .openapi({ description: 'For offers: one pricing type; default: all' }),
    all: z.boolean().optional().openapi({
      description: 'For invoices and charges: read the whole history again',
    }),
  })
  .openapi('CrawlOrder', { example: { kind: 'offers', type: 'on-demand' } });

/** A crawl requested by a person. */
export type CrawlOrder = z.infer<typeof CrawlOrderSchema>;
