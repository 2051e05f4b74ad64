import { findScope, newestBooks } from '../../books/newest-books.sql.ts';
import type { Offer } from '../../core/offer.ts';
import type { Actor } from '../actor.ts';
import { segmentPercentile } from './segment-percentile.sql.ts';

/** The 90th percentile of $/GPU/hour among the newest book's offers of the same model and type; null: no book. */
export async function segmentP90(
  { sql, market }: Pick<Actor, 'sql' | 'market'>,
  { gpuName, type }: Pick<Offer, 'gpuName' | 'type'>,
): Promise<number | null> {
  const scopeId = await findScope(sql, market.id);
  if (scopeId === null) return null;
  const book = (await newestBooks(sql, scopeId)).find((newest) => newest.type === type);
  if (book === undefined || book.verdict !== 'complete') return null;
  return await segmentPercentile(sql, { bookId: book.id, gpuName, share: 0.9 });
}
