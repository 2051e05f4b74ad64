import type { Failure } from './failure.ts';

/** What a failed answer means, apart from its status. */
export type Problem = Pick<Failure, 'kind' | 'message' | 'retry'>;

export const baseAddressHint = "is MARKET_URL the API's base address?";

/** An error body's words: `said` for people, `code` for programs. */
export interface Saying {
  said: string;
  code: string | null;
}

/** Whether `text` holds one of the phrases, in any case. */
export const holdsPhrase = (text: string, phrases: readonly string[]): boolean =>
  phrases.some((phrase) => text.toLowerCase().includes(phrase.toLowerCase()));
