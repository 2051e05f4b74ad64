import { findScope, newestBooks } from '../../books/newest-books.sql.ts';
import type { PricingType } from '../../core/offer.ts';
import type { Actor } from '../actor.ts';

/** Returns the newest book of the market and type, complete or partial; null: there is none. */
export async function newestBook({ sql, market }: Pick<Actor, 'sql' | 'market'>, type: PricingType) {
  const scopeId = await findScope(sql, market.id);
  if (scopeId === null) return null;
  const book = (await newestBooks(sql, scopeId)).find((newest) => newest.type === type);
  return book === undefined ? null : { ...book, scopeId };
}

/** The same if it is complete; null: there is none, or it is partial. */
export async function newestCompleteBook(actor: Pick<Actor, 'sql' | 'market'>, type: PricingType) {
  const book = await newestBook(actor, type);
  return book?.verdict === 'complete' ? book : null;
}
