import { findScope } from '../books/newest-books.sql.ts';
import { noFilter } from '../core/offer-filter.ts';
import type { Db } from '../database/connection.ts';
import type { BidSurvival } from '../prices/wait/bid-survival.ts';
import { readBidSurvival } from '../prices/wait/wait-or-rent.ts';
import { filtersOfChoice } from './fitting-offers.ts';
import type { PlacedChoice } from './order.ts';

/** How long past bids as high as the first bid of a choice have lasted. Source: docs/meaning.md#bid-survival. */
export interface BidChance extends BidSurvival {
  /** Index of the choice. */
  choice: number;
}

/** Returns them for each choice that bids; none without a complete book of bids. */
export async function readBidChances(
  db: Db,
  { marketId, choices, diskGb }: { marketId: number; choices: readonly PlacedChoice[]; diskGb: number },
): Promise<BidChance[]> {
  const whole = await findScope(db, marketId);
  const found: BidChance[] = [];
  for (const [choice, placed] of choices.entries()) {
    const { bid, watch } = placed;
    const place = watch.places.find((each) => each.marketId === marketId);
    const scopeId = whole ?? place?.scopeId;
    if (bid === undefined || scopeId === undefined) continue;
    const { gpuName = [], type: _, ...conditions } = filtersOfChoice(watch.filters, placed, diskGb);
    const filter = { ...noFilter, ...conditions };
    const { profile } = watch;
    const request = { marketId, scopeId, type: 'bid' as const, gpuNames: gpuName, filter, profile };
    const { bids } = await readBidSurvival(db, request);
    // Those counted lie some percent above the minimum: the next lower one applies.
    const raise = Math.max(
      ...bids.flatMap(({ raisePercent }) => (raisePercent <= bid.abovePercent ? [raisePercent] : [])),
    );
    for (const each of bids) if (each.raisePercent === raise) found.push({ choice, ...each });
  }
  return found;
}
