import type { Failure } from './failure.ts';

/** The meaning of a failed response, apart from its status. */
export type Problem = Pick<Failure, 'kind' | 'message' | 'retry'>;

/** Returns a hint for a response that is not the API's; `setting` is the address's. */
export const baseAddressHint = (setting: string): string => `is ${setting} the API's base address?`;

/** An error body's text: `said` for people, `code` for programs. */
export interface Saying {
  said: string;
  code: string | null;
}

/** Whether `text` contains one of the phrases, in any case. */
export const holdsPhrase = (text: string, phrases: readonly string[]): boolean =>
  phrases.some((phrase) => text.toLowerCase().includes(phrase.toLowerCase()));
