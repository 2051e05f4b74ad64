import { isUtf8 } from 'node:buffer';
import { steeringCharacters } from '../../core/control-characters.ts';
import { isExactNumber } from '../../core/exact-json.ts';

/** Cleaned outside text or value; `replaced` counts the characters that became U+FFFD. */
export interface Cleaned<T> {
  value: T;
  replaced: number;
}

// With the u flag a surrogate matches only when it is unpaired.
const unstorable = /[\0\p{Surrogate}]/gu;
const replacement = '\uFFFD';
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);
const encodedReplacement = Buffer.from(replacement);

/**
 * Keys whose values are credentials: never stored, never logged.
 * Source: docs/marketplace.md#22-instance, docs/marketplace.md#23-template, docs/marketplace.md#5-keys.
 */
const secretKeys: ReadonlySet<string> = new Set([
  'jupyter_token',
  'instance_api_key',
  'CONTAINER_API_KEY',
  'docker_login_pass',
  'image_login',
]);
/** Keys whose values are one-line names and states, without characters that control a terminal. */
const lineKeys: ReadonlySet<string> = new Set([
  ...[
    'gpu_name',
    'driver_version',
    'geolocation',
    'verification',
    'label',
    'name',
    'image',
    'image_uuid',
    'tag',
  ],
  ...['actual_status', 'intended_status', 'cur_state', 'next_state', 'ssh_host', 'public_ipaddr'],
  ...['type', 'source', 'service', 'description', 'default_tag', 'repo', 'status', 'runtype'],
]);
/** Keys whose values say why something happened, in any number of lines. */
const reasonKeys: ReadonlySet<string> = new Set(['status_msg']);
/** Matches what cannot be stored and what controls a terminal. */
export const steering = new RegExp(`${unstorable.source}|${steeringCharacters.source}`, 'gu');
const steeringWithinLines = new RegExp(`(?![\\t\\r\\n])(?:${steering.source})`, 'gu');
// JSON.stringify escapes C0 and unpaired surrogates; the last part matches what it leaves as it is.
const toClean = new RegExp(
  ['\\\\[bfnrtu]', ...secretKeys, '[\\x7f-\\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]'].join('|'),
);

/** Returns `text` with U+0000 and unpaired surrogates, which PostgreSQL cannot store, as U+FFFD. */
export function cleanText(text: string, toReplace = unstorable): Cleaned<string> {
  let replaced = 0;
  const value = text.replace(toReplace, () => {
    replaced += 1;
    return replacement;
  });
  return { value, replaced };
}

/**
 * Returns a parsed JSON value without secrets, its texts and keys cleaned by `cleanText` at any depth; names and
 * reasons also lose terminal control characters.
 */
export function cleanJson(value: unknown, key = ''): Cleaned<unknown> {
  if (typeof value === 'string') return cleanText(value, unwantedUnder(key));
  if (typeof value !== 'object' || value === null || isExactNumber(value)) return { value, replaced: 0 };
  let replaced = 0;
  const keep = <T>(cleaned: Cleaned<T>): T => {
    replaced += cleaned.replaced;
    return cleaned.value;
  };
  if (Array.isArray(value)) {
    const items = value.map((item) => keep(cleanJson(item)));
    return { value: items, replaced };
  }
  const entries: [string, unknown][] = [];
  for (const [key, item] of Object.entries(value)) {
    const cleanKey = keep(cleanText(key));
    if (!secretKeys.has(cleanKey)) entries.push([cleanKey, keep(cleanJson(item, cleanKey))]);
  }
  // fromEntries, because assigning a key named __proto__ would lose it.
  return { value: Object.fromEntries(entries), replaced };
}

function unwantedUnder(key: string): RegExp {
  if (lineKeys.has(key)) return steering;
  return reasonKeys.has(key) ? steeringWithinLines : unstorable;
}

/**
 * Whether JSON text from `JSON.stringify`, which escapes what cannot be stored, needs `cleanJson`; a clean record takes
 * one search and no walk.
 */
export function mayNeedCleaning(json: string): boolean {
  return toClean.test(json);
}

/** Returns the text of a JSON body, decoded by `decodeText` without its byte order mark. */
export const decodeBody = (bytes: Buffer): Cleaned<string> =>
  decodeText(bytes.subarray(0, 3).equals(byteOrderMark) ? bytes.subarray(3) : bytes);

/**
 * Decodes UTF-8. Raw U+0000 and invalid bytes (including surrogates encoded one by one) become U+FFFD and are counted.
 */
export function decodeText(body: Buffer): Cleaned<string> {
  const text = body.toString('utf8');
  const invalid = isUtf8(body) ? 0 : count(text, replacement) - count(body, encodedReplacement);
  if (!body.includes(0)) return { value: text, replaced: invalid };
  return { value: text.replaceAll('\0', replacement), replaced: invalid + count(text, '\0') };
}

function count(haystack: string, needle: string): number;
function count(haystack: Buffer, needle: Buffer): number;
function count(haystack: string | Buffer, needle: string | Buffer): number {
  let found = 0;
  // Its overloads pair string with string and Buffer with Buffer, but indexOf of both takes either.
  const next = (from: number): number =>
    typeof haystack === 'string' ? haystack.indexOf(String(needle), from) : haystack.indexOf(needle, from);
  for (let at = next(0); at !== -1; at = next(at + needle.length)) found += 1;
  return found;
}
