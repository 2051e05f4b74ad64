import { z } from '@hono/zod-openapi';
import { chooseMarket } from '../books/choose-market.ts';
import { isTimeZone } from '../core/calendar-date.ts';
import { badField } from '../core/http/problem.ts';
import { marketParam } from '../core/http/query.ts';
import { readMomentParam } from '../core/http/time-range.ts';
import { takeSpendMoment } from '../rentals/spend-moment.sql.ts';
import type { SpendDeps } from './spend-deps.ts';
import { isNamedZone, type SpendScope } from './spend-grouping.ts';
import { monthStart } from './spend-month.ts';

/** The time zone of spend; its name must mean the same to Node and the database. */
export const spendZone = z
  .string()
  .refine((name) => isTimeZone(name) && isNamedZone(name), 'must be a time zone like Europe/Berlin');

/** Parameters of every read of spend. */
export const spendParams = {
  ...marketParam,
  from: z.string().optional().openapi({
    description:
      'Inclusive: an instant with its zone, or a date. Default: the month before the one that `to` ends',
  }),
  to: z.string().optional().openapi({
    description: 'Exclusive: an instant with its zone, or a date. Default: the end of the current month',
  }),
  timeZone: spendZone.default('UTC').openapi({
    description: 'Time zone of days, weeks, months and dates',
    default: 'UTC',
  }),
  asOf: z.string().optional().openapi({
    description: 'Answer with what was known then: an instant with its zone. Default: now',
  }),
};

type Asked = z.output<z.ZodObject<typeof spendParams>>;

/** Returns the scope that a request describes, and the market's name. Throws a 400 for a wrong range. */
export async function readSpendScope(
  deps: SpendDeps,
  asked: Asked,
): Promise<SpendScope & { market: string }> {
  const market = await chooseMarket(deps, asked.market);
  // A bill that is being stored now will be dated before `now` but is not visible yet.
  const now = await takeSpendMoment(deps.sql, market.id, deps.now);
  return { marketId: market.id, market: market.name, ...readSpendRange(asked, now) };
}

/** Returns the requested range, by default the current month and the previous one. */
function readSpendRange(asked: Omit<Asked, 'market'>, now: Date): Omit<SpendScope, 'marketId'> {
  const { timeZone } = asked;
  const asOf = readMomentParam('asOf', asked.asOf, timeZone) ?? now;
  if (asOf > now) throw badField('asOf', 'must not be in the future');
  const to = readMomentParam('to', asked.to, timeZone) ?? monthStart(asOf, timeZone, 1);
  const from =
    readMomentParam('from', asked.from, timeZone) ?? monthStart(new Date(to.getTime() - 1), timeZone, -1);
  if (from >= to) throw badField('from', `must be before \`to\` (${to.toISOString()})`);
  return { from, to, timeZone, asOf };
}
