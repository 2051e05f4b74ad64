import type { z } from '@hono/zod-openapi';
import { numberParam } from '../../core/http/query.ts';
import type { AskedPrices } from './explain-params.ts';
import type { AskedRange } from './explained-figures.ts';

/** Parameters that identify an hour of the week. */
export const explainPatternParams = {
  weekday: numberParam('Of `week`: 1 is Monday; with `hour`, default: the cheapest', {
    min: 1,
    max: 7,
    whole: true,
  }),
  hour: numberParam('Of `week`: 0 to 23', { min: 0, max: 23, whole: true }),
};

/** A request for an explanation of one market's prices, optionally over a range. */
export type AskedPatterns = AskedPrices & AskedRange & z.output<z.ZodObject<typeof explainPatternParams>>;
