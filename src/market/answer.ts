import type { Dialect } from './dialect.ts';
import type { WireAnswer } from './exchange.ts';
import type { Failure, Quote } from './failure.ts';
import { parseRetryAfter } from './retry-timing.ts';
import { decodeBody } from './text-from-outside.ts';

/** A JSON object that the market gave as a success. */
export type JsonObject = Record<string, unknown>;

/** What one answer means; `replaced` counts characters that were not UTF-8. */
export type Reading =
  | { kind: 'success'; json: JsonObject; replaced: number }
  | { kind: 'failed'; failure: Failure };

type Problem = Pick<Failure, 'kind' | 'message' | 'retry'> & { cause?: unknown };

const baseAddressHint = "is MARKET_URL the API's base address?";

/** By what an answer is read. */
export interface ReadingRules {
  dialect: Dialect;
  quote: Quote;
  /** Unix; what a `Retry-After` date is counted from. */
  nowMs: number;
}

/**
 * Reads an answer of any status by the specification's section 7 and the dialect: refused keys, too many
 * requests (JSON or plain text, of any status), server errors, error bodies with status 200, HTML, cut JSON.
 */
export function readAnswer(answer: WireAnswer, rules: ReadingRules): Reading {
  const { status } = answer;
  const decoded = decode(answer.body);
  const json = decoded === null ? undefined : parse(decoded.value);
  const problem =
    decoded === null
      ? unreadable(answer.body.length)
      : (refusal(answer, decoded.value, json, rules) ?? malformed(status, decoded.value, json, rules));
  if (problem === null && decoded !== null && isObject(json)) {
    return { kind: 'success', json, replaced: decoded.replaced };
  }
  const failure = problem ?? unreadable(answer.body.length);
  const retryAfterMs = parseRetryAfter(answer.retryAfter, rules.nowMs);
  const message = `answered ${status}${failure.message}`;
  return { kind: 'failed', failure: { ...failure, message, httpStatus: status, retryAfterMs } };
}

function refusal(
  answer: WireAnswer,
  text: string,
  json: unknown,
  { dialect, quote }: ReadingRules,
): Problem | null {
  const { status } = answer;
  const isSuccess = status >= 200 && status < 300;
  const said = sayingOf(text, json, quote);
  const inWords = said === '' ? '' : ` (${said})`;
  if (dialect.rateLimit.statuses.includes(status) || isThrottleText(text, json, isSuccess, dialect)) {
    const message = `: too many requests${inWords}; lower SEARCHES_PER_MINUTE`;
    return { kind: 'rate_limited', message, retry: 'throttled' };
  }
  const hasErrorBody = isObject(json) && (json.success === false || typeof json.error === 'string');
  if (
    dialect.auth.statuses.includes(status) ||
    ((status === 404 || (isSuccess && hasErrorBody)) && holdsPhrase(said, dialect.auth.phrases))
  ) {
    const message = `: the key was refused or lacks the right${inWords}; check MARKET_API_KEY`;
    return { kind: 'auth', message, retry: 'never' };
  }
  if (isSuccess) return hasErrorBody ? { kind: 'contract', message: inWords, retry: 'never' } : null;
  if (status >= 300 && status < 400) {
    const to = quote(answer.location ?? 'nowhere');
    return { kind: 'http', message: `, a redirect to ${to}: ${baseAddressHint}`, retry: 'never' };
  }
  const hint = status === 404 || isHtml(text) ? `: ${baseAddressHint}` : '';
  const retry = status >= 500 || status === 408 || status === 425 ? 'transient' : 'never';
  return { kind: 'http', message: `${inWords}${retry === 'never' ? hint : ''}`, retry };
}

function malformed(status: number, text: string, json: unknown, { quote }: ReadingRules): Problem | null {
  if (isObject(json)) return null;
  if (json !== undefined) {
    return { kind: 'contract', message: ' with JSON that is not an object', retry: 'never' };
  }
  if (isHtml(text)) return { kind: 'parse', message: ` with HTML: ${baseAddressHint}`, retry: 'never' };
  const begins = text.trimStart().slice(0, 1);
  if (begins === '' || begins === '{' || begins === '[') {
    const size = `${Buffer.byteLength(text)} bytes`;
    const message =
      status === 204 || begins === '' ? ' with an empty body' : ` with broken or cut JSON (${size})`;
    return { kind: 'parse', message, retry: 'transient' };
  }
  return { kind: 'parse', message: ` with text that is not JSON (${quote(text)})`, retry: 'never' };
}

const unreadable = (bytes: number): Problem => ({
  kind: 'too_large',
  message: ` with ${bytes} bytes, more than can be read as one text: lower MARKET_MAX_BODY_MB and the page's limit`,
  retry: 'never',
});

function decode(body: Buffer): { value: string; replaced: number } | null {
  try {
    return decodeBody(body);
  } catch {
    // Strings end at about 512 MB, below what MARKET_MAX_BODY_MB can be set to.
    return null;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message quotes the body, which may hold anything.
    return undefined;
  }
}

/** What an error body says, in one short line; '' for HTML and for a body that says nothing. */
function sayingOf(text: string, json: unknown, quote: Quote): string {
  if (isObject(json)) {
    const parts = [json.error, json.msg ?? json.message ?? json.detail];
    return quote(parts.filter((part) => typeof part === 'string').join(': '));
  }
  return isHtml(text) ? 'HTML' : quote(text);
}

function isThrottleText(text: string, json: unknown, isSuccess: boolean, { rateLimit }: Dialect): boolean {
  if (isObject(json)) {
    return [json.detail, json.error].some(
      (part) => typeof part === 'string' && holdsPhrase(part, rateLimit.phrases),
    );
  }
  // A page about limits, or a cut book of offers, is no answer about ours.
  if (json !== undefined || isHtml(text) || /^\s*[{[]/.test(text)) return false;
  return text.length < (isSuccess ? 500 : 5_000) && holdsPhrase(text, rateLimit.phrases);
}

const holdsPhrase = (text: string, phrases: readonly string[]): boolean =>
  phrases.some((phrase) => text.toLowerCase().includes(phrase.toLowerCase()));

const isHtml = (text: string): boolean =>
  /^\s*<(?:!doctype|html|head|body|\?xml|!--)/i.test(text.slice(0, 500));

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
