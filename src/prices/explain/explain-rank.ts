import type { Context } from 'hono';
import { countOf } from '../../core/count-of.ts';
import { ApiProblem, badField } from '../../core/http/problem.ts';
import { readProfile } from '../../core/http/query.ts';
import { metrics, type UsageProfile } from '../../core/metric.ts';
import { allInUsdPerHour, usdPerHour } from '../../core/price.ts';
import { formulaOf } from '../../core/price-formulas.ts';
import { bookHead, type MarketOffersRequest, withNewestBooksOf } from '../newest/newest-offers-request.ts';
import type { PricesDeps } from '../prices-deps.ts';
import { rankAllOf } from '../rankings/market-rankings.ts';
import type { ValuedOffer } from '../rankings/rankings.ts';
import { presentRows } from './explain-answer.ts';
import type { AskedPrices } from './explain-params.ts';
import { type ExplainedRow, explainRanking } from './explain-prices.ts';
import { agree, type Figures, leftOutWords, momentWords } from './explained-figures.ts';
import { type ExplanationAnswer, pageOf } from './explanation-schema.ts';

/**
 * Explains a ranking of one or several markets and the rank of one listing, by default the first. Throws a 404 if it is
 * not ranked.
 */
export async function answerRanking(
  c: Context,
  deps: PricesDeps,
  asked: Omit<AskedPrices, 'market'> & { market: string[] | undefined },
): Promise<ExplanationAnswer> {
  if (asked.at !== undefined)
    throw badField('at', 'cannot be used here: a ranking is always of the newest book');
  const answer = await withNewestBooksOf(c, deps, asked, async (requests) => {
    const [explanation, ranked] = await Promise.all([
      explainRanking(deps, requests, asked.by),
      rankAllOf(deps, requests, asked.by),
    ]);
    return explanation === 'superseded' || ranked === 'superseded'
      ? 'superseded'
      : { ...explanation, ranked: ranked.valued };
  });
  if (answer === null) throw new ApiProblem(404, 'not-found', 'The market has no book of this type yet.');
  const { requests, result } = answer;
  const books = requests.flatMap((request) => request.books);
  const { by, taken, rejected, ranked } = result;
  const listingId = Number(asked.listingId ?? ranked[0]?.offer.listingId ?? 0);
  const shown = ranked.findIndex(({ offer }) => offer.listingId === listingId);
  const place = taken.findIndex((row) => row.listingId === listingId);
  if (asked.listingId !== undefined && shown === -1) {
    throw new ApiProblem(404, 'not-found', 'The listing is not in this ranking of the newest book.');
  }
  const own = taken[place];
  const profile = readProfile(asked);
  const found = ranked[shown];
  const value: Figures =
    found === undefined ? {} : { rank: shown + 1, value: found.value, ...shownPrices(found.offer, profile) };
  const recomputed = {
    ...result.recomputed,
    books: books.length,
    ...(own === undefined ? {} : { rank: place + 1, value: own.value, ...plainPrices(own, profile) }),
  };
  const { observedAt, bookVerdict } = bookHead(books);
  const { unit, label } = metrics[by];
  return {
    of: 'ranking',
    text: [
      `${countOf(taken.length, 'offer')} of ${bookWords(requests)} ${momentWords(new Date(observedAt ?? 0))}, the lowest ${label} first. ${leftOutWords(rejected)}`,
      ...(own === undefined
        ? []
        : [
            `Rank ${place + 1}: ${countOf(place, 'offer')} ${place === 1 ? 'comes' : 'come'} before it. Ties are broken by reliability, CPU cores and RAM.`,
          ]),
    ],
    value,
    agrees: agree(value, recomputed),
    from: observedAt,
    to: null,
    bookVerdict,
    figure: by,
    unit,
    formula: formulaOf(by, profile),
    ...presentRows(
      pageOf(
        c,
        asked,
        { taken, rejected },
        books.map(({ id }) => id),
      ),
    ),
    recomputed,
    books: [],
    moreBooks: 0,
  };
}

/** Returns an offer's prices that rankings show beside the metric. */
function shownPrices(offer: ValuedOffer['offer'], profile: UsageProfile): Figures {
  const price = usdPerHour(offer, profile.storageGb);
  return {
    usdPerHour: price,
    usdPerGpuHour: price === null ? null : price / offer.numGpus,
    allInUsdPerHour: allInUsdPerHour(offer, profile),
  };
}

/** Recomputes these prices by the documented formulas. */
function plainPrices(row: ExplainedRow, profile: UsageProfile): Figures {
  const { storageGb, downGb, upGb, runningHours, stoppedHours } = profile;
  const { baseUsdPerHour, storageUsdPerGbMonth: storage, inetDownUsdPerGb, inetUpUsdPerGb } = row;
  if (storage === null) return { usdPerHour: null, usdPerGpuHour: null, allInUsdPerHour: null };
  const diskUsdPerHour = (storage * storageGb) / 720;
  const traffic =
    inetDownUsdPerGb === null || inetUpUsdPerGb === null
      ? null
      : inetDownUsdPerGb * downGb + inetUpUsdPerGb * upGb;
  return {
    usdPerHour: baseUsdPerHour + diskUsdPerHour,
    usdPerGpuHour: (baseUsdPerHour + diskUsdPerHour) / row.numGpus,
    allInUsdPerHour:
      traffic === null
        ? null
        : baseUsdPerHour + diskUsdPerHour * (1 + stoppedHours / runningHours) + traffic / runningHours,
  };
}

/** Describes a ranking's books by their moment; with several markets, the oldest. */
const bookWords = (requests: readonly MarketOffersRequest[]): string =>
  requests.length === 1
    ? 'the book of'
    : `the newest books of ${requests.map(({ market }) => market).join(' and ')}, the oldest of`;
