import { createVerdictPools } from '../verdicts/verdict-pools.ts';
import { createKeptPast, type KeptPast } from '../wait/kept-past.ts';
import { createCurrentOffers } from './current-offers.ts';

/** Shared by responses about the newest books, so that a process reads and judges each book once. */
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
