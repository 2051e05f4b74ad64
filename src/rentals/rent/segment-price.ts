import type { Offer } from '../../core/offer.ts';
import type { Actor } from '../actor.ts';
import { newestCompleteBook } from './newest-book.ts';
import { segmentPercentile } from './segment-percentile.sql.ts';

/**
 * Returns the 90th percentile of $/GPU-hour among the newest book's offers of the same model and type; null: no book.
 */
export async function segmentP90(
  actor: Pick<Actor, 'sql' | 'market'>,
  { gpuName, type }: Pick<Offer, 'gpuName' | 'type'>,
): Promise<number | null> {
  const book = await newestCompleteBook(actor, type);
  if (book === null) return null;
  return await segmentPercentile(actor.sql, { bookId: book.id, gpuName, share: 0.9 });
}
