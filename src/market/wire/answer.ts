import type { CallOutcome } from '../../core/errors.ts';
import { parseExact } from '../../core/exact-json.ts';
import type { SettingNames } from '../setting-names.ts';
import type { WireAnswer } from './exchange.ts';
import type { Failure, Redact } from './failure.ts';
import { baseAddressHint, holdsPhrase, type Problem, type Saying } from './problem.ts';
import { parseRetryAfter } from './retry-timing.ts';
import { decodeBody } from './text-from-outside.ts';

/** A JSON object from a successful response. */
export type JsonObject = Record<string, unknown>;

/** The meaning of a response; `replaced` counts characters that were not UTF-8. */
export type Reading =
  | { kind: 'success'; json: JsonObject; replaced: number }
  | { kind: 'failed'; failure: Failure };

/** The meaning of a market's own texts and statuses. */
export interface AnswerMeaning {
  /** Whether a body with status 200 is an error; one that claims success never is. */
  isErrorBody: (json: JsonObject) => boolean;
  /** How it throttles: by a status, or by words in a response of any status. */
  throttle: { statuses: readonly number[]; phrases: readonly string[] };
  /** Returns what a response says about key, limits and objects; null: nothing specific. */
  findNamedProblem: (
    answer: { endpoint: string; status: number; hasErrorBody: boolean; isThrottled: boolean },
    saying: Saying,
    json: JsonObject | null,
  ) => Problem | null;
}

/** Rules for reading a response. */
interface AnswerRules {
  meaning: AnswerMeaning;
  endpoint: string;
  redact: Redact;
  /** For messages. */
  names: SettingNames;
  /** Unix time that a `Retry-After` date is compared with. */
  nowMs: number;
  /** Whether numbers become ExactNumbers with their own digits. @default false */
  exactNumbers?: boolean | undefined;
}

/**
 * Reads a response of any status: refused keys, throttling (JSON or plain text, of any status), server errors, error
 * bodies with status 200, HTML, cut-off JSON.
 */
export function readAnswer(answer: WireAnswer, rules: AnswerRules): Reading {
  const { status, body, bodyBytes } = answer;
  const decoded = decode(body.rest);
  const json =
    decoded === null || !body.intact ? undefined : parse(decoded.value, rules.exactNumbers === true);
  const saying = decoded === null ? { said: '', code: null } : sayingOf(decoded.value, json, rules.redact);
  const refused = decoded === null ? null : refusal(answer, decoded.value, json, saying, rules);
  const problem = decoded === null ? null : (refused ?? malformed(answer, decoded.value, json, rules));
  if (problem === null && decoded !== null && isObject(json)) {
    const { kept } = body;
    // Puts back the list that was taken out while the body arrived.
    const isKept = kept !== undefined && Array.isArray(json[kept.key]) && kept.elements.length > 0;
    const whole = isKept ? { ...json, [kept.key]: kept.elements } : json;
    return { kind: 'success', json: whole, replaced: decoded.replaced + body.replaced };
  }
  const failure = problem ?? unreadable(bodyBytes);
  const isClear = refused !== null || status >= 300;
  return {
    kind: 'failed',
    failure: {
      ...failure,
      message: `answered ${status}${failure.message}`,
      httpStatus: status,
      retryAfterMs: parseRetryAfter(answer.retryAfter, rules.nowMs),
      outcome: outcomeOf(status, isClear),
      code: saying.code,
      // Nothing from a body that should have been a success: it may contain a new instance's own key.
      said: refused === null || saying.said === '' || saying.said === htmlWord ? null : saying.said,
    },
  };
}

/** Statuses below 500 that leave the request's outcome unknown. */
const unclearStatuses: readonly number[] = [408, 425, 499];

const outcomeOf = (status: number, isClear: boolean): CallOutcome =>
  isClear && status < 500 && !unclearStatuses.includes(status) ? 'refused' : 'unknown';

function refusal(
  answer: WireAnswer,
  text: string,
  json: unknown,
  saying: Saying,
  rules: AnswerRules,
): Problem | null {
  const { status } = answer;
  const { meaning, endpoint, redact } = rules;
  const addressHint = baseAddressHint(rules.names.url);
  const { throttle } = meaning;
  const isSuccess = status >= 200 && status < 300;
  const hasErrorBody = isObject(json) && meaning.isErrorBody(json);
  const isThrottled =
    throttle.statuses.includes(status) || isThrottleText(text, json, isSuccess, throttle.phrases);
  const found = { endpoint, status, hasErrorBody, isThrottled };
  const named = meaning.findNamedProblem(found, saying, isObject(json) ? json : null);
  if (named !== null) return named;
  const inWords = saying.said === '' ? '' : ` (${saying.said})`;
  if (isSuccess) return hasErrorBody ? { kind: 'contract', message: inWords, retry: 'never' } : null;
  if (status >= 300 && status < 400) {
    const to = redact(answer.location ?? 'nowhere');
    return { kind: 'http', message: `, a redirect to ${to}: ${addressHint}`, retry: 'never' };
  }
  const hint = (status === 404 && saying.code === null) || isHtml(text) ? `: ${addressHint}` : '';
  const retry = status >= 500 || status === 408 || status === 425 ? 'transient' : 'never';
  return { kind: 'http', message: `${inWords}${retry === 'never' ? hint : ''}`, retry };
}

function malformed(
  { status, bodyBytes }: WireAnswer,
  text: string,
  json: unknown,
  { redact, names }: AnswerRules,
): Problem | null {
  if (isObject(json)) return null;
  if (json !== undefined) {
    return { kind: 'contract', message: ' with JSON that is not an object', retry: 'never' };
  }
  if (isHtml(text)) {
    return { kind: 'parse', message: ` with HTML: ${baseAddressHint(names.url)}`, retry: 'never' };
  }
  const begins = text.trimStart().slice(0, 1);
  if (begins === '' || begins === '{' || begins === '[') {
    const size = `${bodyBytes} bytes`;
    const message =
      status === 204 || begins === '' ? ' with an empty body' : ` with broken or cut JSON (${size})`;
    return { kind: 'parse', message, retry: 'transient' };
  }
  return { kind: 'parse', message: ` with text that is not JSON (${redact(text)})`, retry: 'never' };
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
    // Node's strings hold at most about 512 MB, less than MARKET_MAX_BODY_MB allows.
    return null;
  }
}

function parse(text: string, exactNumbers: boolean): unknown {
  try {
    return exactNumbers ? parseExact(text) : JSON.parse(text);
  } catch {
    // The parser's message quotes the body, which may contain anything.
    return undefined;
  }
}

const htmlWord = 'HTML';

/** Returns an error body's text in one short line; '' for HTML and for a body without text. */
function sayingOf(text: string, json: unknown, redact: Redact): Saying {
  if (!isObject(json)) return { said: isHtml(text) ? htmlWord : redact(text), code: null };
  const parts = [json.error, json.msg ?? json.message ?? json.detail];
  const said = redact(parts.filter((part) => typeof part === 'string').join(': '));
  const code = typeof json.error === 'string' ? redact(json.error) : '';
  return { said, code: /^[a-z][\w.-]{0,63}$/i.test(code) ? code : null };
}

function isThrottleText(
  text: string,
  json: unknown,
  isSuccess: boolean,
  phrases: readonly string[],
): boolean {
  if (isObject(json)) {
    if (json.success === true) return false;
    return [json.detail, json.error].some((part) => typeof part === 'string' && holdsPhrase(part, phrases));
  }
  // A page about limits, or a cut-off book of offers, says nothing about our limits.
  if (json !== undefined || isHtml(text) || /^\s*[{[]/.test(text)) return false;
  return text.length < (isSuccess ? 500 : 5_000) && holdsPhrase(text, phrases);
}

const isHtml = (text: string): boolean =>
  /^\s*<(?:!doctype|html|head|body|\?xml|!--)/i.test(text.slice(0, 500));

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
