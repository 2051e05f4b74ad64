import { clore } from './clore/clore.ts';
import type { MarketKind } from './marketplace.ts';
import { vast } from './vast/vast.ts';

/** Every kind of marketplace, the one of settings without a kind first. A new one is a folder and a line here. */
export const marketKinds: readonly MarketKind[] = [vast, clore];
