import type { PricingType } from '../core/offer.ts';
import type { RecordedBook } from '../core/recorded-book.ts';
import type { OfferSource } from './offer-source.ts';
import { createOfferTable, type OfferRow, type OfferTable } from './offer-table.ts';

/** Fields that recording added to a row and the marketplace never served. */
const envelope = new Set(['rental_type', 'scraped_at']);

interface Replayed {
  atMs: number;
  records: readonly OfferRow[];
}

/**
 * Creates a source of offers from recorded books, with every field as recorded, whatever storage is requested. Serves
 * the type's newest book up to the moment, or the first one before it; a type that was not recorded has no offers.
 */
export function createReplay(books: readonly RecordedBook[]): OfferSource {
  const byType = new Map<PricingType, Replayed[]>();
  for (const { type, observedAt, records } of books) {
    const replayed = { atMs: observedAt.getTime(), records: records.map(withoutEnvelope) };
    byType.set(type, [...(byType.get(type) ?? []), replayed]);
  }
  for (const replayed of byType.values()) replayed.sort((a, b) => a.atMs - b.atMs);
  const tables = new WeakMap<Replayed, OfferTable>();
  const nothing = createOfferTable([]);
  const moments = new Set(books.map(({ observedAt }) => observedAt.getTime()));
  return {
    recordedAt: [...moments].sort((a, b) => a - b).map((ms) => new Date(ms)),
    book({ type }, at) {
      const replayed = byType.get(type);
      const book = replayed?.findLast(({ atMs }) => atMs <= at.getTime()) ?? replayed?.[0];
      if (book === undefined) return nothing;
      const table = tables.get(book) ?? createOfferTable(book.records);
      tables.set(book, table);
      return table;
    },
  };
}

function withoutEnvelope(record: Record<string, unknown>): OfferRow {
  return Object.fromEntries(Object.entries(record).filter(([field]) => !envelope.has(field)));
}
