import type { z } from '@hono/zod-openapi';
import { numberParam } from '../../core/http/query.ts';
import type { AskedPrices } from './explain-params.ts';
import type { AskedRange } from './explained-figures.ts';

/** What names an hour of the week. */
export const explainPatternParams = {
  weekday: numberParam('Of `week`: 1 is Monday; with `hour`, default: the cheapest', {
    min: 1,
    max: 7,
    whole: true,
  }),
  hour: numberParam('Of `week`: 0 to 23', { min: 0, max: 23, whole: true }),
};

/** What figures of one market's prices are asked by, those over a range too. */
export type AskedPatterns = AskedPrices & AskedRange & z.output<z.ZodObject<typeof explainPatternParams>>;
