import { InvalidArgs } from './invalid-args.ts';
import { isJsonObject, type JsonObject } from './request-body.ts';

export type PlainKind = 'number' | 'text' | 'flag';

export const comparisonOperators = ['eq', 'neq', 'lt', 'lte', 'gt', 'gte', 'in', 'notin'] as const;
export type ComparisonOperator = (typeof comparisonOperators)[number];

/** One comparison of a filter object with a checked value. */
export interface PlainFilter {
  field: string;
  operator: ComparisonOperator;
  operand: unknown;
}

const typeNames = { number: 'a number', text: 'a string', flag: 'true or false' } as const;

const isOfKind: Readonly<Record<PlainKind, (value: unknown) => boolean>> = {
  number: (value) => typeof value === 'number',
  text: (value) => typeof value === 'string',
  flag: (value) => typeof value === 'boolean',
};

/** Parses `{field: {operator: value}}` for fields of known kinds. Throws InvalidArgs that names the field. */
export function readPlainFilters(
  filters: JsonObject,
  kinds: Readonly<Record<string, PlainKind>>,
  allowed: readonly ComparisonOperator[] = comparisonOperators,
): PlainFilter[] {
  return Object.entries(filters).flatMap(([field, comparison]) => {
    const kind = Object.hasOwn(kinds, field) ? kinds[field] : undefined;
    if (kind === undefined) throw new InvalidArgs(`unknown field ${JSON.stringify(field)}`);
    if (!isJsonObject(comparison) || Object.keys(comparison).length === 0) {
      throw new InvalidArgs(`${field} must be an object {operator: value}`);
    }
    return Object.entries(comparison).map(([name, operand]) => {
      const operator = allowed.find((candidate) => candidate === name);
      if (operator === undefined) throw new InvalidArgs(`${field}: ${name} is none of ${allowed.join(', ')}`);
      checkOperand(field, kind, operator, operand);
      return { field, operator, operand };
    });
  });
}

function checkOperand(field: string, kind: PlainKind, operator: ComparisonOperator, operand: unknown): void {
  const many = operator === 'in' || operator === 'notin';
  if (many !== Array.isArray(operand)) {
    throw new InvalidArgs(`${field}: ${operator} takes ${many ? 'a list' : 'one value'}`);
  }
  const values: unknown[] = Array.isArray(operand) ? operand : [operand];
  if (!values.every((value) => value === null || isOfKind[kind](value))) {
    throw new InvalidArgs(`${field}: the value must be ${typeNames[kind]}`);
  }
}

/** Whether a value passes; null only passes `{eq: null}` and null in a list. */
export function passes(value: unknown, { operator, operand }: PlainFilter): boolean {
  if (operator === 'eq') return value === operand;
  if (operator === 'in') return (operand as unknown[]).includes(value);
  if (value === null || value === undefined) return false;
  if (operator === 'neq') return value !== operand;
  if (operator === 'notin') return !(operand as unknown[]).includes(value);
  const order = comparePlain(value, operand);
  if (order === null) return false;
  if (operator === 'gt') return order > 0;
  if (operator === 'gte') return order >= 0;
  return operator === 'lt' ? order < 0 : order <= 0;
}

/** Negative, 0 or positive, as two values of one kind compare; null: they do not. */
export function comparePlain(a: unknown, b: unknown): number | null {
  if (typeof a === 'string' && typeof b === 'string') return a === b ? 0 : a < b ? -1 : 1;
  if ((typeof a === 'number' || typeof a === 'boolean') && typeof b === typeof a)
    return Number(a) - Number(b);
  return null;
}
