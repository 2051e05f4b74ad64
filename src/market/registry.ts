import { clore } from './clore/clore.ts';
import type { MarketKind } from './marketplace.ts';
import type { RecordReader } from './offer-reading.ts';
import { vast, vastRecords } from './vast/vast.ts';

/** Every kind of marketplace. A new one is a folder and a line here. */
export const marketKinds: readonly MarketKind[] = [vast, clore];

/** The kind of a market whose settings state none, and of the built-in simulator. */
export const defaultKind: MarketKind = vast;

/** Reads recorded books and the simulator's responses: records of the default kind. */
export const records: RecordReader = vastRecords;
