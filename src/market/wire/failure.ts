import { cutText } from '../../core/cut-text.ts';
import { type CallOutcome, MarketError, type MarketErrorKind } from '../../core/errors.ts';
import type { RetryReason } from './retry-timing.ts';
import { spellingsOf } from './secret-spellings.ts';
import { cleanText, steering } from './text-from-outside.ts';

/** Why one attempt failed, before it is decided whether there is another. */
export interface Failure {
  kind: MarketErrorKind;
  /** Follows the endpoint's name: `answered 500 (…)`. Text from outside in it is quoted. */
  message: string;
  /** null when no complete answer arrived. */
  httpStatus: number | null;
  retry: RetryReason | 'never';
  /** null where the answer did not say. */
  retryAfterMs: number | null;
  outcome: CallOutcome;
  /** The market's own error code; null where there is none. */
  code: string | null;
  cause?: unknown;
}

/** Text from outside fit for a message: its first line, without control characters, credentials and great length. */
export type Quote = (text: string) => string;

const maxQuoteLength = 200;
const maxQuotedText = 64 * 1024;

/** A Quote that hides each of `secrets`, however a market spells it back. */
export function createQuote(...secrets: readonly string[]): Quote {
  // A secret that holds another one must be hidden before it.
  const spellings = [...new Set(secrets)].sort((a, b) => b.length - a.length).map(spellingsOf);
  return (text) => {
    const line =
      text
        .trimStart()
        .slice(0, maxQuotedText)
        .split(/[\r\n]/, 1)[0] ?? '';
    // Hidden before the cut: half a secret is one too.
    const safe = spellings.reduce((rest, spelling) => rest.replace(spelling, '[key]'), line);
    const plain = cleanText(safe.replace(/\s+/g, ' '), steering).value.trim();
    return plain.length > maxQuoteLength ? `${cutText(plain, maxQuoteLength).trimEnd()}…` : plain;
  };
}

/** The error that a caller sees. Its cause is a copy of the message alone: others' error objects carry requests. */
export function toMarketError(
  failure: Failure,
  endpoint: string,
  attempts: number,
  quote: Quote,
): MarketError {
  const { kind, httpStatus, outcome, code, cause } = failure;
  const tries = attempts > 1 ? ` (tried ${attempts} times)` : '';
  return new MarketError(`${endpoint} ${failure.message}${tries}`, {
    kind,
    endpoint,
    httpStatus,
    outcome,
    code,
    cause: cause === undefined ? undefined : new Error(quote(String(cause))),
  });
}
