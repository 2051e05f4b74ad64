import { isDeepStrictEqual } from 'node:util';
import { selectValues } from './json-path.ts';

/** The answer that expectations are checked against. `json` is undefined if the body is not JSON. */
export interface Observed {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
  json: unknown;
}

/**
 * Checks one line against an answer. Returns null if it is as expected, else the problem.
 * Lines: `status 200|201`, `header name <matcher>`, `text <matcher>`, `<path> <matcher>` (every value found, and at
 * least one), `some <path> <matcher>`, `no <path> <matcher>`, `value 5 <matcher>`. Matchers: see `matchers` and `listMatchers`.
 * Throws for an invalid line.
 */
export function checkExpectation(line: string, observed: Observed): string | null {
  const [, subject = '', rest = ''] = lineForm.exec(line) ?? [];
  if (subject === '') throw new Error(`not an expectation: ${line}`);
  if (subject === 'status') {
    return rest.split('|').includes(String(observed.status)) ? null : `${line}, but was ${observed.status}`;
  }
  if (subject === 'text') return judge(line, 'every', [observed.body], rest);
  if (subject.startsWith('value ')) return judge(line, 'every', [JSON.parse(subject.slice(6))], rest);
  if (subject.startsWith('header ')) {
    const value = observed.headers[subject.slice(7).toLowerCase()];
    return judge(line, 'every', value === undefined ? [] : [value], rest);
  }
  const [, quantifier = 'every', path = '$'] = /^(?:(some|no) )?(.*)$/.exec(subject) ?? [];
  return judge(line, quantifier, selectValues(observed.json, path), rest);
}

const lineForm = /^(status|header [\w-]+|text|value \S+|(?:(?:some|no) )?\$(?:\["[^"]*"\]|\S)*) +(.+)$/;

type Matches = (value: unknown) => boolean;

const ordered =
  (test: (order: number) => boolean) =>
  (operand: unknown): Matches =>
  (value) =>
    typeof value === typeof operand && (typeof value === 'number' || typeof value === 'string')
      ? test(value < (operand as typeof value) ? -1 : Number(value > (operand as typeof value)))
      : false;

/** Matchers of one value; the operand is JSON. `about [5, 0.1]`: 5 ± 0.1. */
const matchers: Readonly<Record<string, (operand: unknown) => Matches>> = {
  '=': (operand) => (value) => isDeepStrictEqual(value, operand),
  '!=': (operand) => (value) => !isDeepStrictEqual(value, operand),
  '>': ordered((order) => order > 0),
  '>=': ordered((order) => order >= 0),
  '<': ordered((order) => order < 0),
  '<=': ordered((order) => order <= 0),
  in: (operand) => (value) =>
    Array.isArray(operand) && operand.some((item) => isDeepStrictEqual(value, item)),
  notin: (operand) => (value) =>
    Array.isArray(operand) && !operand.some((item) => isDeepStrictEqual(value, item)),
  contains: (operand) => (value) =>
    typeof value === 'string' && value.toLowerCase().includes(String(operand).toLowerCase()),
  lacks: (operand) => (value) =>
    typeof value === 'string' && !value.toLowerCase().includes(String(operand).toLowerCase()),
  about: (operand) => (value) => {
    const [wanted, slack] = Array.isArray(operand) ? operand : [];
    return typeof value === 'number' && Math.abs(value - Number(wanted)) <= Number(slack);
  },
};

const typeNames: Readonly<Record<string, Matches>> = {
  integer: Number.isSafeInteger,
  number: (value) => typeof value === 'number' && Number.isFinite(value),
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  array: Array.isArray,
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
};

/** Matchers of all found values together. */
const listMatchers: Readonly<Record<string, (values: readonly unknown[], operand: string) => boolean>> = {
  count: (values, operand) => {
    const [, operator = '', number = ''] = /^(=|>=|<=|>|<) (\d+)$/.exec(operand) ?? [];
    return matchers[operator]?.(Number(number))(values.length) ?? false;
  },
  ascending: (values) => isOrdered(values, 1),
  descending: (values) => isOrdered(values, -1),
  distinct: (values) => new Set(values.map((value) => JSON.stringify(value))).size === values.length,
  /** Whether the sample has at least two different values other than null, without which it proves nothing. */
  varied: (values) => new Set(values.filter((value) => value !== null)).size > 1,
  absent: (values) => values.length === 0,
};

function judge(line: string, quantifier: string, found: readonly unknown[], matcher: string): string | null {
  const values = found.filter((value) => value !== undefined);
  const [, name = '', operand = ''] = /^(\S+)(?: +(.*))?$/.exec(matcher) ?? [];
  const list = listMatchers[name];
  if (list !== undefined) {
    return list(values, operand) ? null : `${line}, but there were ${values.length}: ${shorten(values)}`;
  }
  const matches = matcherOf(name, operand, line);
  if (quantifier === 'some') return values.some(matches) ? null : `${line}, but found ${shorten(values)}`;
  if (quantifier === 'no') {
    return values.some(matches) ? `${line}, but found ${shorten(values.find(matches))}` : null;
  }
  if (values.length < found.length) return `${line}, but ${found.length - values.length} are missing`;
  if (values.length === 0) return `${line}, but found nothing`;
  const wrong = values.findIndex((value) => !matches(value));
  return wrong < 0
    ? null
    : `${line}, but ${values.length > 1 ? `number ${wrong} ` : ''}was ${shorten(values[wrong])}`;
}

function matcherOf(name: string, operand: string, line: string): Matches {
  if (name === 'matches') {
    const pattern = new RegExp(/^\/(.*)\/$/.exec(operand)?.[1] ?? '(?!)');
    return (value) => typeof value === 'string' && pattern.test(value);
  }
  if (name === 'is') {
    const types = operand.split(' or ').map((type) => typeNames[type.trim()]);
    if (types.includes(undefined)) throw new Error(`unknown type in: ${line}`);
    return (value) => types.some((type) => type?.(value));
  }
  const make = matchers[name];
  if (make === undefined) throw new Error(`unknown matcher in: ${line}`);
  try {
    return make(JSON.parse(operand));
  } catch (cause) {
    throw new Error(`the operand is not JSON: ${line}`, { cause });
  }
}

/** Ignores nulls, whose place is not specified. */
function isOrdered(values: readonly unknown[], direction: 1 | -1): boolean {
  const known = values.filter((value) => value !== null) as (number | string)[];
  return known.every((value, index) => {
    const before = known[index - 1];
    return before === undefined || (direction === 1 ? before <= value : before >= value);
  });
}

const shorten = (value: unknown): string => (JSON.stringify(value) ?? 'undefined').slice(0, 200);
