import type { MarketKind } from '../../src/market/marketplace.ts';
import { marketKinds } from '../../src/market/registry.ts';
import { fileMarket } from './file/file-market.ts';

/** The kinds of the program, and those that exist in tests alone. */
export const testedKinds: readonly MarketKind[] = [...marketKinds, fileMarket];
