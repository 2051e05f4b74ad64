import { z } from 'zod';
import { pricingTypes } from '../core/offer.ts';

const common = {
  marketId: z.int(),
  cause: z.enum(['cron', 'watch', 'api']),
  /** ISO 8601; null: nobody's schedule. */
  tickAt: z.iso.datetime().nullable(),
  /** The crawl of the first attempt; later ones make their own. */
  crawlId: z.uuid(),
};

/** What a job of a `crawl-<type>` queue is to do. */
export const offersJob = z.object({
  ...common,
  scope: z.object({ name: z.string(), gpuNames: z.array(z.string()).nullable(), rentable: z.boolean() }),
  type: z.enum(pricingTypes),
});
export type OffersJob = Omit<z.infer<typeof offersJob>, 'scope'> & {
  scope: { name: string; gpuNames: readonly string[] | null; rentable: boolean };
};

/** What a job of the other queues is to do. */
export const plainJob = z.object({
  ...common,
  kind: z.enum(['invoices', 'charges', 'instances']),
  /** Of invoices and charges: the whole history again. @default false */
  all: z.boolean().optional(),
});
export type PlainJob = z.infer<typeof plainJob>;
