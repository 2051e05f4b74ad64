import { z } from 'zod';
import { pricingTypes } from '../core/offer.ts';

const common = {
  marketId: z.int(),
  cause: z.enum(['cron', 'watch', 'api']),
  /** ISO 8601; null: not scheduled. */
  tickAt: z.iso.datetime().nullable(),
  /** The crawl of the first attempt; later attempts have their own. */
  crawlId: z.uuid(),
};

/** Data of a job in a `crawl-<type>` queue. */
export const offersJob = z.object({
  ...common,
  scope: z.object({ name: z.string(), gpuNames: z.array(z.string()).nullable(), rentable: z.boolean() }),
  type: z.enum(pricingTypes),
});
export type OffersJob = Omit<z.infer<typeof offersJob>, 'scope'> & {
  scope: { name: string; gpuNames: readonly string[] | null; rentable: boolean };
};

/** Data of a job in the other queues. */
export const plainJob = z.object({
  ...common,
  kind: z.enum(['invoices', 'charges', 'instances']),
  /** For invoices and charges: read the whole history again. @default false */
  all: z.boolean().optional(),
});
export type PlainJob = z.infer<typeof plainJob>;
