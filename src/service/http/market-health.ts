import { z } from '@hono/zod-openapi';
import { maxAheadMs } from '../../books/landing/plausible-moment.sql.ts';
import type { Market } from '../../books/markets.sql.ts';
import { findScope, newestBooks } from '../../books/newest-books.sql.ts';
import { pricingTypes } from '../../core/offer.ts';
import type { ApiDeps } from './api-deps.ts';

const BookAgeSchema = z.object({ observedAt: z.string(), ageMinutes: z.int() });

export const MarketHealthSchema = z
  .object({
    market: z.string(),
    state: z
      .enum(['ready', 'no-complete-book', 'data-too-old', 'book-ahead'])
      .openapi({ description: '`ready`: its data is fresh, or it is a recorded market; else what is wrong' }),
    detail: z
      .string()
      .nullable()
      .openapi({ description: 'What is wrong, and what to do; null: nothing is wrong' }),
    lastCompleteBook: BookAgeSchema.nullable().openapi({ description: 'null: there is none' }),
    books: z
      .array(BookAgeSchema.extend({ type: z.enum(pricingTypes) }))
      .openapi({ description: 'The newest complete book of each pricing type; empty for a recorded market' }),
  })
  .openapi('MarketHealth');

/** A market's data age and problems. */
export type MarketHealth = z.infer<typeof MarketHealthSchema>;

type Deps = Pick<ApiDeps, 'sql' | 'now' | 'maxDataAgeMinutes' | 'seeding'>;
type Problem = Pick<MarketHealth, 'state' | 'detail'>;

const nothingWrong: Problem = { state: 'ready', detail: null };

/** Returns the health of a market by its newest complete books of the default scope. */
export async function readMarketHealth(deps: Deps, market: Market): Promise<MarketHealth> {
  const { sql, now } = deps;
  const scopeId = await findScope(sql, market.id);
  const newest = scopeId === null ? [] : await newestBooks(sql, scopeId);
  const books = newest
    .filter(({ verdict }) => verdict === 'complete')
    .map(({ type, observedAt }) => ({
      type,
      observedAt: observedAt.toISOString(),
      ageMinutes: Math.max(0, Math.floor((now().getTime() - observedAt.getTime()) / 60_000)),
    }));
  const youngest = books.toSorted((a, b) => a.observedAt.localeCompare(b.observedAt)).at(-1);
  const { observedAt, ageMinutes } = youngest ?? {};
  // A recorded market is never crawled, so its age has no meaning.
  const isCrawled = market.kind !== 'recorded';
  const problem = isCrawled
    ? (aheadOf(now(), market.name, books) ?? ageProblem(deps, market, books))
    : nothingWrong;
  return {
    market: market.name,
    ...problem,
    lastCompleteBook:
      observedAt === undefined || ageMinutes === undefined ? null : { observedAt, ageMinutes },
    books: isCrawled ? books : [],
  };
}

/** Returns the problem of a book ahead of the clock, which earlier versions accepted; newer crawls sort behind it. */
function aheadOf(now: Date, market: string, books: MarketHealth['books']): Problem | null {
  const ahead = books.find(({ observedAt }) => Date.parse(observedAt) > now.getTime() + maxAheadMs.live);
  if (ahead === undefined) return null;
  const detail =
    `The market ${market} has a book of ${ahead.type} offers dated ${ahead.observedAt}, ahead of the clock, which says ` +
    `${now.toISOString()}: newer books do not show until then. If the clock is wrong, correct it.`;
  return { state: 'book-ahead', detail };
}

/** Returns a problem unless every scheduled type that ever had a complete book has a fresh one. */
function ageProblem(deps: Deps, { name, kind }: Market, books: MarketHealth['books']): Problem {
  // Only a simulated market gets a history first.
  const seeding = kind === 'simulated' ? deps.seeding() : null;
  if (books.length === 0) {
    const detail =
      seeding === null
        ? `The market ${name} has no complete book yet: wait for the first crawl. If that fails, GET /api/crawls says why and \`offerbook doctor\` checks the market.`
        : firstHistory(name, seeding);
    return { state: 'no-complete-book', detail };
  }
  // `reserved` has no schedule, so its age is a person's choice.
  const old = books.filter(
    ({ type, ageMinutes }) => type !== 'reserved' && ageMinutes > deps.maxDataAgeMinutes,
  );
  if (old.length === 0) return nothingWrong;
  const ages = old.map(({ type, ageMinutes }) => `of ${type} offers is ${ageMinutes} minutes old`);
  const detail =
    seeding === null
      ? `The market ${name}: the last complete book ${ages.join(', ')}; MAX_DATA_AGE_MINUTES allows ${deps.maxDataAgeMinutes}. GET /api/crawls says why later crawls gave none.`
      : firstHistory(name, seeding);
  return { state: 'data-too-old', detail };
}

const firstHistory = (market: string, { done, total }: { done: number; total: number }): string =>
  `The market ${market} is getting its first history, book ${done} of ${total}: wait, the first crawl follows.`;
