import type { Context } from 'hono';
import { ApiProblem, badField } from '../../core/http/problem.ts';
import { readProfile } from '../../core/http/query.ts';
import { metrics } from '../../core/metric.ts';
import { formulaOf } from '../../core/price-formulas.ts';
import { bookHead, withNewestBooks } from '../newest/newest-offers-request.ts';
import type { PricesDeps } from '../prices-deps.ts';
import { rankAll } from '../rankings/rankings.ts';
import { presentRows } from './explain-answer.ts';
import type { AskedPrices } from './explain-params.ts';
import { explainRanking } from './explain-prices.ts';
import { agree, countOf, type Figures, leftOutWords, momentWords } from './explained-figures.ts';
import { type ExplanationAnswer, pageOf } from './explanation-schema.ts';

/** What a ranking is made of, and the rank of one listing, the first unless another is named. Throws the 404 of one not in it. */
export async function answerRanking(
  c: Context,
  deps: PricesDeps,
  asked: AskedPrices,
): Promise<ExplanationAnswer> {
  if (asked.at !== undefined)
    throw badField('at', 'is of books and buckets: a ranking is of the newest book');
  const answer = await withNewestBooks(c, deps, asked, async (request) => {
    const [explanation, ranks] = await Promise.all([
      explainRanking(deps, request, asked.by),
      rankAll(deps, request, asked.by),
    ]);
    if (explanation === 'superseded' || ranks === 'superseded') return 'superseded';
    return { ...explanation, ranked: ranks.valued };
  });
  if (answer === null) throw new ApiProblem(404, 'not-found', 'The market has no book of this type yet.');
  const { request, result } = answer;
  const { by, taken, rejected, ranked } = result;
  const listingId = Number(asked.listingId ?? ranked[0]?.offer.listingId ?? 0);
  const shown = ranked.findIndex(({ offer }) => offer.listingId === listingId);
  const place = taken.findIndex((row) => row.listingId === listingId);
  if (asked.listingId !== undefined && shown === -1) {
    throw new ApiProblem(404, 'not-found', 'The listing is not in this ranking of the newest book.');
  }
  const own = taken[place];
  const value: Figures = shown === -1 ? {} : { rank: shown + 1, value: ranked[shown]?.value ?? null };
  const recomputed = {
    ...{ ...result.recomputed, books: request.books.length },
    ...(own === undefined ? {} : { rank: place + 1, value: own.value }),
  };
  const { observedAt, bookVerdict } = bookHead(request.books);
  const { unit } = metrics[by];
  return {
    of: 'ranking',
    text: [
      `${countOf(taken.length, 'offer')} of the book of ${momentWords(new Date(observedAt ?? 0))}, the cheapest first by ${unit}. ${leftOutWords(rejected)}`,
      ...(own === undefined
        ? []
        : [
            `Rank ${place + 1}: ${countOf(place, 'offer')} come before it. Equals go by reliability, CPU cores and RAM.`,
          ]),
    ],
    value,
    agrees: agree(value, recomputed),
    ...{ from: observedAt, to: null, bookVerdict },
    ...{ figure: by, unit, formula: formulaOf(by, readProfile(asked)) },
    ...presentRows(
      pageOf(
        c,
        asked,
        { taken, rejected },
        request.books.map(({ id }) => id),
      ),
    ),
    recomputed,
    ...{ books: [], moreBooks: 0 },
  };
}
