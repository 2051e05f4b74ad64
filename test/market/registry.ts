import type { MarketKind } from '../../src/market/marketplace.ts';
import { marketKinds } from '../../src/market/registry.ts';

/** The kinds of the program, and those that exist in tests alone. */
export const testedKinds: readonly MarketKind[] = [...marketKinds];
