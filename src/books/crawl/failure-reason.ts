import { MarketError, UserError } from '../../core/errors.ts';
import { marketFailureWords } from '../../core/market-failure-words.ts';
import { explainDatabaseFailure } from '../../database/explain-failure.ts';

/** Returns a sentence that says why a crawl failed; `explained` false: the log must have the details. */
export function failureReason(error: unknown): { reason: string; explained: boolean } {
  if (error instanceof MarketError) return { reason: marketFailureWords(error), explained: true };
  if (error instanceof UserError) return { reason: error.message, explained: true };
  const failure = explainDatabaseFailure(error);
  if (failure !== null) return { reason: failure, explained: false };
  return { reason: 'an unexpected error; see the log', explained: false };
}
