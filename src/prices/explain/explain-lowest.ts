import { countOf } from '../../core/count-of.ts';
import { offerPrices } from '../newest/offer-prices.ts';
import type { PricesDeps } from '../prices-deps.ts';
import { isOutlier, outlierDays } from '../verdicts/segment-medians.ts';
import { usualByTier } from './daily-prices.ts';
import type { ExplainedModel } from './explain-answer.ts';
import { endOf } from './explain-prices.ts';
import { leftOutWords, momentWords } from './explained-figures.ts';
import type { ExplainedFigures } from './explanation-schema.ts';
import { priceRow, readNewestRows, splitRows } from './newest-rows.ts';
import { readHeld } from './read-held.ts';

const dayMs = 86_400_000;

/** Explains a model's lowest price in the newest book, without outliers by the usual price of their verification. */
export async function explainLowest(deps: PricesDeps, series: ExplainedModel): Promise<ExplainedFigures> {
  const { book, offers, rows } = await readNewestRows(deps, series);
  const at = book.observedAt.getTime();
  const range = { from: new Date(at - outlierDays * dayMs), to: new Date(at + 1) };
  const [outlierTest, { held, times }] = await Promise.all([
    deps.outlierTests(series, book.observedAt),
    readHeld(deps.sql, series, range),
  ]);
  const usual = usualByTier(held, times, at);
  const ends = new Map(offers.map((offer) => [offer.listingId, endOf(offer, book.observedAt)]));
  const { taken, rejected } = splitRows(
    rows.map((row) => {
      const usualUsdPerGpuHour = usual.get(row.verification) ?? null;
      const endsAt = ends.get(row.listingId) ?? null;
      return priceRow(row, { usualUsdPerGpuHour, endsAt }, (price) =>
        isOutlier(price, usualUsdPerGpuHour) === true ? 'outlier' : null,
      );
    }),
  );
  return {
    text: [
      `The cheapest of ${countOf(taken.length, 'offer')} in the book of ${momentWords(book.observedAt)}. ${leftOutWords(rejected)}`,
      `An outlier is below a quarter or above four times the usual price of its verification: the median over ${countOf(times.length, 'complete book')} of ${outlierDays} days.`,
    ],
    value: { lowest: offerPrices(offers, outlierTest).lowest },
    recomputed: { lowest: taken[0]?.usdPerGpuHour ?? null },
    unit: 'USD/GPU/hour',
    formula: pricedAt8Gb,
    taken,
    rejected,
  };
}

/** The formula of a price per GPU. */
export const pricedAt8Gb = '(baseUsdPerHour + storageUsdPerGbMonth × 8 / 720) / numGpus';
