import { createVerdictPools } from '../verdicts/verdict-pools.ts';
import { createKeptPast, type KeptPast } from '../wait/kept-past.ts';
import { createCurrentOffers } from './current-offers.ts';

/** What answers about the newest books share, so that each book is read and judged once in a process. */
export interface PriceCache {
  currentOffers: ReturnType<typeof createCurrentOffers>;
  poolsAt: ReturnType<typeof createVerdictPools>;
  keptPast: KeptPast;
}

export const createPriceCache = (): PriceCache => ({
  currentOffers: createCurrentOffers(),
  poolsAt: createVerdictPools(),
  keptPast: createKeptPast(),
});
