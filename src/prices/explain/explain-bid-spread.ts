import { countOf } from '../../core/count-of.ts';
import { medianOf } from '../../core/percentile.ts';
import { bidSpreadPercent, offerPrices } from '../newest/offer-prices.ts';
import type { PricesDeps } from '../prices-deps.ts';
import type { ExplainedModel } from './explain-answer.ts';
import { pricedAt8Gb } from './explain-lowest.ts';
import { type Figures, leftOutWords, momentWords } from './explained-figures.ts';
import type { ExplainedFigures } from './explanation-schema.ts';
import { type NewestRows, priceRow, readNewestRows, splitRows } from './newest-rows.ts';

/** Explains how far the median minimum bid is below the median, from the offers of both newest books. */
export async function explainBidSpread(deps: PricesDeps, series: ExplainedModel): Promise<ExplainedFigures> {
  const [asked, bids] = await Promise.all([
    readNewestRows(deps, series),
    readNewestRows(deps, { ...series, type: 'bid' }),
  ]);
  const each = [asked, bids].map(({ book: { type }, rows }) =>
    splitRows(rows.map((row) => priceRow(row, { type }, () => null))),
  );
  const shownMedian = ({ offers }: NewestRows) => offerPrices(offers, () => null).median;
  const [shown, shownBid] = [shownMedian(asked), shownMedian(bids)];
  const [median = null, bidMedian = null] = each.map(({ taken }) => medianOfRows(taken));
  const rejected = each.flatMap((rows) => rows.rejected);
  const wordsOf = ({ book: { type, observedAt } }: NewestRows, rows: readonly Figures[] = []): string =>
    `${countOf(rows.length, 'offer')} in the ${type} book of ${momentWords(observedAt)}`;
  return {
    text: [
      `Medians of ${wordsOf(asked, each[0]?.taken)} and of ${wordsOf(bids, each[1]?.taken)}. ${leftOutWords(rejected)}`,
    ],
    value: { bidSpreadPercent: bidSpreadPercent(shown, shownBid), median: shown, bidMedian: shownBid },
    recomputed: {
      bidSpreadPercent: median === null || bidMedian === null ? null : 100 * (1 - bidMedian / median),
      median,
      bidMedian,
    },
    unit: '% of the median',
    formula: `100 × (1 − bidMedian / median), prices ${pricedAt8Gb}`,
    taken: each.flatMap((rows) => rows.taken),
    rejected,
  };
}

const medianOfRows = (rows: readonly Figures[]): number | null =>
  medianOf(rows.map(({ usdPerGpuHour }) => Number(usdPerGpuHour)));
