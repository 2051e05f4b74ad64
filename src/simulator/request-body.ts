import { InvalidArgs } from './invalid-args.ts';
import { Refusal } from './refusal.ts';

/** A JSON object with unchecked fields. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether the value is an object with fields: not a list, not null. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Parses the object in a request's body. Throws a 400 `invalid_request` for other text. */
export function readJsonObject(text: string): JsonObject {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new Refusal(400, 'invalid_request', 'the body is not valid JSON');
  }
  if (!isJsonObject(body)) throw new Refusal(400, 'invalid_request', 'the body must be a JSON object');
  return body;
}

/** Returns an optional field; null counts as missing. Throws InvalidArgs for another kind. */
function optional<T>(kind: string, is: (value: unknown) => value is T) {
  return (body: JsonObject, name: string): T | null => {
    const value = Object.hasOwn(body, name) ? body[name] : undefined;
    if (value === undefined || value === null) return null;
    if (!is(value)) throw new InvalidArgs(`${name} must be ${kind}, not ${short(value)}`);
    return value;
  };
}

const isString = (value: unknown): value is string => typeof value === 'string';
const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
const isInteger = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value);

export const optionalString = optional('a string', isString);
export const optionalBoolean = optional('true or false', isBoolean);
export const optionalNumber = optional('a number', isNumber);
export const optionalInteger = optional('a whole number', isInteger);
export const optionalObject = optional('an object', isJsonObject);

/** Returns a required field. Throws InvalidArgs if it is missing. */
export function required<T>(
  read: (body: JsonObject, name: string) => T | null,
  body: JsonObject,
  name: string,
): T {
  const value = read(body, name);
  if (value === null) throw new InvalidArgs(`${name} is required`);
  return value;
}

/** Parses the JSON object in a query parameter; null: not sent. Throws InvalidArgs for other text. */
export function queryObject(query: URLSearchParams, name: string): JsonObject | null {
  const value = queryJson(query, name);
  if (value === null) return null;
  if (!isJsonObject(value)) throw new InvalidArgs(`${name} must be a JSON object`);
  return value;
}

/** Parses the JSON value in a query parameter; null: not sent. Throws InvalidArgs for other text. */
export function queryJson(query: URLSearchParams, name: string): unknown {
  const text = query.get(name);
  if (text === null || text === '') return null;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new InvalidArgs(`${name} is not valid JSON`);
  }
}

/** An integer of at least `min` in a query parameter; null: not sent. Throws InvalidArgs. */
export function queryInteger(query: URLSearchParams, name: string, min: number): number | null {
  const text = query.get(name);
  if (text === null || text === '') return null;
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < min) {
    throw new InvalidArgs(`${name} must be a whole number from ${min}`);
  }
  return value;
}

/** A flag in a query parameter: true, false, 1 or 0 in any case; null: not sent. Throws InvalidArgs. */
export function queryFlag(query: URLSearchParams, name: string): boolean | null {
  const text = query.get(name)?.toLowerCase();
  if (text === undefined || text === '') return null;
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0') return false;
  throw new InvalidArgs(`${name} must be true or false`);
}

function short(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
