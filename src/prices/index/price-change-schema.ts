import { z } from '@hono/zod-openapi';
import { changeStatuses } from './index-change.ts';

const percent = z.number().nullable();

/** A change split into prices and mix, in API responses. */
export const PriceChangeSchema = z
  .object({
    days: z.int(),
    percent: percent.openapi({ description: 'Like for like; null: no comparable day' }),
    stderrPercent: percent,
    medianPercent: percent.openapi({ description: "The median's change between the same days" }),
    mixPercent: percent.openapi({
      description: 'Percentage points that come from a different mix of machines',
    }),
    status: z.enum(changeStatuses),
    words: z.string().openapi({ description: 'What it means: `prices steady, cheap ones are taken`' }),
  })
  .openapi('PriceChange');
