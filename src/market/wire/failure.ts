import { cutText } from '../../core/cut-text.ts';
import { type CallOutcome, MarketError, type MarketErrorKind } from '../../core/errors.ts';
import type { RetryReason } from './retry-timing.ts';
import { spellingsOf } from './secret-spellings.ts';
import { cleanText, steering } from './text-from-outside.ts';

/** Why one attempt failed, before deciding whether to retry. */
export interface Failure {
  kind: MarketErrorKind;
  /** Follows the endpoint's name: `answered 500 (…)`. Outside text in it is redacted. */
  message: string;
  /** null if no complete response arrived. */
  httpStatus: number | null;
  retry: RetryReason | 'never';
  /** null if the response did not state it. */
  retryAfterMs: number | null;
  outcome: CallOutcome;
  /** The market's own error code; null: none. */
  code: string | null;
  /** The market's own message, redacted; null: none. */
  said: string | null;
  cause?: unknown;
}

/** Makes outside text fit for a message: its first line, shortened, without control characters and credentials. */
export type Redact = (text: string) => string;

const maxQuoteLength = 200;
const maxQuotedText = 64 * 1024;

/** Creates a redactor that hides each of `secrets`, however a market spells it. */
export function createRedactor(...secrets: readonly string[]): Redact {
  // A secret that contains another must be hidden first.
  const spellings = [...new Set(secrets)].sort((a, b) => b.length - a.length).map(spellingsOf);
  return (text) => {
    const line =
      text
        .trimStart()
        .slice(0, maxQuotedText)
        .split(/[\r\n]/, 1)[0] ?? '';
    // Hidden before the text is cut, because half a secret must not be shown either.
    const safe = spellings.reduce((rest, spelling) => rest.replace(spelling, '[key]'), line);
    const plain = cleanText(safe.replace(/\s+/g, ' '), steering).value.trim();
    return plain.length > maxQuoteLength ? `${cutText(plain, maxQuoteLength).trimEnd()}…` : plain;
  };
}

/** Returns the error for callers. Its cause copies only the message, because library errors may hold requests. */
export function toMarketError(
  failure: Failure,
  endpoint: string,
  attempts: number,
  redact: Redact,
): MarketError {
  const { kind, httpStatus, outcome, code, said, cause } = failure;
  const tries = attempts > 1 ? ` (tried ${attempts} times)` : '';
  return new MarketError(`${endpoint} ${failure.message}${tries}`, {
    kind,
    endpoint,
    httpStatus,
    outcome,
    code,
    said,
    cause: cause === undefined ? undefined : new Error(redact(String(cause))),
  });
}
