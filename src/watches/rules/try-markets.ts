import { usdPerHour } from '../../core/price.ts';
import type { Db } from '../../database/connection.ts';
import type { TriedWatch } from '../watch-of-offers.ts';
import { backtestRule } from './backtest.ts';
import type { RuleFields } from './rule.ts';
import type { BacktestAnswer } from './rule-answers.ts';

/** A rule tested on the past of one market of its watch. */
type TriedMarket = Awaited<ReturnType<typeof backtestRule>> & { market: string };

/** Tests a rule on each market of its watch separately, as it is judged live. */
export async function tryMarkets(
  db: Db,
  watch: TriedWatch,
  rule: RuleFields,
  range: { from: Date; to: Date },
): Promise<TriedMarket[]> {
  const tried: TriedMarket[] = [];
  for (const { market, marketId, scopeId } of watch.places) {
    const found = await backtestRule(db, { marketId, watch: { ...watch, scopeId }, rule, ...range });
    tried.push({ ...found, market });
  }
  return tried;
}

/** Returns the response: all firings in order, and what the rule sees now in each market. */
export function describeTried(
  tried: readonly TriedMarket[],
  storageGb: number,
): Omit<BacktestAnswer, 'from' | 'to' | 'unit' | 'watch'> {
  const markets = tried.map(({ market, books, now }) => ({
    market,
    books,
    now: now === null ? null : { ...now, at: now.at.toISOString() },
  }));
  const firings = tried
    .flatMap(({ market, firings: own }) => own.map((firing) => ({ ...firing, market })))
    .sort((a, b) => a.at.getTime() - b.at.getTime());
  const [first = null, ...others] = markets.flatMap(({ market, now }) =>
    now === null ? [] : [{ ...now, market }],
  );
  const begins = tried.flatMap(({ firstAt }) => firstAt?.getTime() ?? []);
  return {
    firstAt: begins.length === 0 ? null : new Date(Math.min(...begins)).toISOString(),
    books: markets.reduce((sum, { books }) => sum + books, 0),
    now:
      first === null
        ? null
        : others.reduce((best, now) => (isLower(now.value, best.value) ? now : best), first),
    markets,
    count: firings.filter(({ capped }) => !capped).length,
    firings: firings.map(({ market, at, bookId, value, baseline, previous, capped, offer }) => ({
      market,
      at: at.toISOString(),
      bookId: String(bookId),
      value,
      baseline,
      previous,
      capped,
      offer:
        offer === null
          ? null
          : {
              listingId: String(offer.listingId),
              machineId: offer.machineId,
              gpuName: offer.gpuName,
              numGpus: offer.numGpus,
              usdPerHour: usdPerHour(offer, storageGb),
            },
    })),
  };
}

const isLower = (a: number | null, b: number | null): boolean => a !== null && (b === null || a < b);
