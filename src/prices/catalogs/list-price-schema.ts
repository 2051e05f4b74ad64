import { z } from '@hono/zod-openapi';

/** Fields of a GPU's cheapest list price in responses. */
export const listPriceFields = {
  provider: z.string(),
  region: z.string().openapi({ description: 'As the seller spells it; may be empty' }),
  numGpus: z.int(),
  usdPerHour: z.string().openapi({ description: 'US dollars of the whole machine, decimal text, exact' }),
  usdPerGpuHour: z.number(),
};
