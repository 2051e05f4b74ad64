import { z } from '@hono/zod-openapi';

/** Fields of the cheapest list price of a GPU, as answers have it. */
export const listPriceFields = {
  provider: z.string(),
  region: z.string().openapi({ description: 'As the seller spells it; may be empty' }),
  numGpus: z.int(),
  usdPerHour: z.string().openapi({ description: 'US dollars of the whole machine, decimal text, exact' }),
  usdPerGpuHour: z.number(),
};
