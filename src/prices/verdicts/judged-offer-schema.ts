import { z } from '@hono/zod-openapi';
import { verificationTiers } from '../../core/offer-fields.ts';
import type { JudgedOffer } from './judge-newest.ts';
import { VerdictSchema } from './verdict-schema.ts';

const listed = {
  listingId: z.string(),
  verification: z.enum(verificationTiers).nullable(),
  usdPerGpuHour: z.number().openapi({ description: 'With 8 GB of storage; for a bid the minimum bid' }),
};

/** The price of an offer in a newest book. */
export const ListedPriceSchema = z.object(listed).openapi('ListedPrice');

/** An offer of a newest book with its verdict. */
export const JudgedOfferSchema = z
  .object({
    ...listed,
    offerId: z.int(),
    machineId: z.int(),
    numGpus: z.int(),
    maxDurationHours: z
      .number()
      .nullable()
      .openapi({ description: 'Hours from the book until its host ends the offer; null: not stated' }),
    verdict: VerdictSchema.nullable().openapi({ description: 'null: the book is not complete' }),
  })
  .openapi('JudgedOffer');

/** Returns the price as API responses have it. */
export function presentListed(judged: JudgedOffer | null): z.infer<typeof ListedPriceSchema> | null {
  if (judged === null) return null;
  const { offer, usdPerGpuHour } = judged;
  return { listingId: String(offer.listingId), verification: offer.verification, usdPerGpuHour };
}

/** Returns the offer as API responses have it. */
export function presentJudged(judged: JudgedOffer | null): z.infer<typeof JudgedOfferSchema> | null {
  const price = presentListed(judged);
  if (judged === null || price === null) return null;
  const { offer, verdict } = judged;
  return {
    ...price,
    offerId: offer.offerId,
    machineId: offer.machineId,
    numGpus: offer.numGpus,
    maxDurationHours: offer.maxDurationHours,
    verdict,
  };
}
