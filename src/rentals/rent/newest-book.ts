import { findScope, newestBooks } from '../../books/newest-books.sql.ts';
import type { PricingType } from '../../core/offer.ts';
import type { Actor } from '../actor.ts';

/** Returns the newest book of the market and type if it is complete; null: there is none, or it is partial. */
export async function newestCompleteBook({ sql, market }: Pick<Actor, 'sql' | 'market'>, type: PricingType) {
  const scopeId = await findScope(sql, market.id);
  if (scopeId === null) return null;
  const book = (await newestBooks(sql, scopeId)).find((newest) => newest.type === type);
  return book === undefined || book.verdict !== 'complete' ? null : { ...book, scopeId };
}
