import type { Market } from '../../books/markets.sql.ts';
import { findScope, newestBooks } from '../../books/newest-books.sql.ts';
import type { PricingType } from '../../core/offer.ts';
import { percentileCont } from '../../core/percentile.ts';
import {
  type BookSummary,
  type ModelSummary,
  summarizeMarket,
  summaryDays,
} from '../../prices/newest/market-summary.ts';
import { seriesVersion } from '../../prices/verdicts/segment-prices.sql.ts';
import type { ApiDeps } from './api-deps.ts';
import { gauge, type MetricFamily, renderMetrics } from './metric-families.ts';

/** Models of a market with series of their own; all others share the name `other`. */
const maxModels = 30;
const otherModels = 'other';

/** 0 is the lowest price. */
const quantiles = [0, 0.1, 0.25, 0.5, 0.75, 0.9];
const maxAttempts = 5;

/** The figures of the newest complete books, as text that scrapes repeat until another book lands. */
export interface MarketFigures {
  text: string;
  books: { market: string; type: PricingType; observedAt: Date }[];
}

interface Summarized {
  version: string;
  market: string;
  books: BookSummary[];
}

/** Creates `readMarketFigures(markets)`, which summarizes each newest complete book once. */
export function createMarketFigures(deps: ApiDeps): (markets: readonly Market[]) => Promise<MarketFigures> {
  const kept = new Map<number, Summarized>();
  let last: { of: readonly Summarized[]; figures: MarketFigures } | null = null;
  return async (markets) => {
    const read: Summarized[] = [];
    for (const market of markets) {
      const summarized = await summarize(deps, market, kept.get(market.id));
      if (summarized === null) continue;
      kept.set(market.id, summarized);
      read.push(summarized);
    }
    if (last?.of.length === read.length && last.of.every((each, place) => each === read[place]))
      return last.figures;
    const books = read.flatMap(({ market, books: own }) =>
      own.map(({ book: { type, observedAt } }) => ({ market, type, observedAt })),
    );
    last = { of: read, figures: { books, text: await renderMetrics(marketFamilies(read)) } };
    return last.figures;
  };
}

/** Returns a market's summaries, `known` ones while its books are the same; null: it has no complete book. */
async function summarize(
  deps: ApiDeps,
  { id: marketId, name: market }: Market,
  known: Summarized | undefined,
): Promise<Summarized | null> {
  const scopeId = await findScope(deps.sql, marketId);
  if (scopeId === null) return null;
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const books = await newestBooks(deps.sql, scopeId);
    // Late books change the history that verdicts compare with.
    const versions = await Promise.all(books.map(({ type }) => seriesVersion(deps.sql, { scopeId, type })));
    const version = [...books.map(({ id }) => id), ...versions].join(' ');
    if (known?.version === version) return known;
    const summaries = await summarizeMarket(deps, { marketId, scopeId }, { books, maxModels });
    if (summaries !== 'superseded') return { version, market, books: summaries };
  }
  return known ?? null;
}

type Samples = MetricFamily['samples'];
type Labels = Samples[number][0];

function marketFamilies(read: readonly Summarized[]): MetricFamily[] {
  const models = read.flatMap(({ market, books }) =>
    books.flatMap(({ book: { type }, models: own }) =>
      own.map((model) => ({
        model,
        labels: { market, type, gpu_name: model.gpuName ?? otherModels },
      })),
    ),
  );
  const ofModels = (samples: (model: ModelSummary, labels: Labels) => Samples): Samples =>
    models.flatMap(({ model, labels }) => samples(model, labels));
  // Prices of different models together would mean nothing.
  const ofNamed: typeof ofModels = (samples) =>
    ofModels((model, labels) => (model.gpuName === null ? [] : samples(model, labels)));
  const ofTiers = (of: 'offers' | 'gpus' | 'machines'): Samples =>
    ofModels(({ tiers }, labels) =>
      tiers.map((tier) => [{ ...labels, verification: tier.verification ?? 'unknown' }, tier[of]]),
    );
  return [
    gauge(
      'offerbook_market_price_usd_per_gpu_hour',
      'Quantiles of the price per GPU and hour with 8 GB of storage; quantile 0 is the lowest, verification all is every tier',
      ofNamed(({ tiers, prices }, labels) =>
        [{ verification: 'all', prices }, ...tiers].flatMap(({ verification, prices: own }) =>
          quantiles.map((quantile) => [
            { ...labels, verification: verification ?? 'unknown', quantile: String(quantile) },
            percentileCont(own, quantile),
          ]),
        ),
      ),
    ),
    gauge(
      'offerbook_market_lowest_price_usd_per_gpu_hour',
      'Lowest price per GPU and hour that is not an outlier',
      ofNamed(({ lowest }, labels) => [[labels, lowest]]),
    ),
    gauge('offerbook_market_offers', 'Offers', ofTiers('offers')),
    gauge('offerbook_market_gpus', 'GPUs as listed: overlapping offers count each', ofTiers('gpus')),
    gauge('offerbook_market_machines', 'Different machines', ofTiers('machines')),
    gauge(
      'offerbook_market_physical_gpus',
      'GPUs, each once, however many offers list it',
      ofModels(({ physicalGpus }, labels) => [[labels, physicalGpus]]),
    ),
    gauge(
      'offerbook_market_verdict_offers',
      `Offers by the verdict on their price over ${summaryDays} days`,
      ofModels(({ grades }, labels) =>
        Object.entries(grades).map(([verdict, offers]) => [{ ...labels, verdict }, offers]),
      ),
    ),
  ];
}
