import { MarketError, UserError } from '../../core/errors.ts';
import { explainDatabaseFailure } from '../../database/explain-failure.ts';

/** One sentence for a person about why a crawl failed; `explained` false: the log has to say more. */
export function failureReason(error: unknown): { reason: string; explained: boolean } {
  if (error instanceof MarketError || error instanceof UserError) {
    return { reason: error.message, explained: true };
  }
  const failure = explainDatabaseFailure(error);
  if (failure !== null) return { reason: failure, explained: false };
  return { reason: 'an unexpected error; see the log', explained: false };
}
