import type { PricingType } from '../core/offer.ts';
import { type ComparisonKey, comparisonKey } from './comparison-key.ts';
import { InvalidArgs } from './invalid-args.ts';
import {
  type FilterField,
  fieldKind,
  isFilterField,
  isOfferField,
  type OfferField,
} from './search-fields.ts';

const operators = ['eq', 'neq', 'gt', 'lt', 'gte', 'lte', 'in', 'notin'] as const;
export type Operator = (typeof operators)[number];

/** One comparison: the keys of its operand; one for all operators except `in` and `notin`. */
export interface Filter {
  field: FilterField;
  operator: Operator;
  operands: readonly ComparisonKey[];
}

export interface OrderKey {
  field: OfferField;
  descending: boolean;
}

/** A parsed search, with the defaults of omitted filters. */
export interface SearchRequest {
  type: PricingType;
  /** null: not given. */
  limit: number | null;
  order: readonly OrderKey[];
  storageGb: number;
  filters: readonly Filter[];
}

type Body = Readonly<Record<string, unknown>>;

const pricingTypeNames: Readonly<Record<string, PricingType>> = {
  'on-demand': 'on-demand',
  ondemand: 'on-demand',
  bid: 'bid',
  reserved: 'reserved',
};
const defaultStorageGb = 8;
const notFilters = ['limit', 'type', 'order', 'allocated_storage'];

/**
 * Parses the body of a search. Numbers may be numeric strings; a filter may have several operators, which must all
 * match. Throws InvalidArgs that names the parameter.
 */
export function readSearchRequest(body: unknown): SearchRequest {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new InvalidArgs('the body must be a JSON object');
  }
  const given = body as Body;
  const filters = Object.keys(given)
    .filter((name) => !notFilters.includes(name))
    .flatMap((name) => readFilters(name, given[name]));
  return {
    type: readType(given.type),
    limit: readLimit(given.limit),
    order: readOrder(given.order),
    storageGb: readStorage(given.allocated_storage),
    filters: [...defaultFilters(given), ...filters],
  };
}

/**
 * Default filters: verified, rentable, not rented, not external, amd64. A filter on `verification` replaces `verified`,
 * and requesting your own rented offers drops `rentable`: both would otherwise find nothing.
 */
function defaultFilters(given: Body): Filter[] {
  const omitted = (name: string) => given[name] === undefined;
  const defaults: Filter[] = [];
  const add = (field: FilterField, value: boolean | string) =>
    defaults.push({ field, operator: 'eq', operands: [comparisonKey(field, value)] });
  if (omitted('verified') && omitted('verification')) add('verified', true);
  if (omitted('rentable') && !asksForRented(given.rented)) add('rentable', true);
  if (omitted('rented')) add('rented', false);
  if (omitted('external')) add('external', false);
  if (omitted('cpu_arch')) add('cpu_arch', 'amd64');
  return defaults;
}

const asksForRented = (rented: unknown): boolean =>
  typeof rented === 'object' && rented !== null && 'eq' in rented && comparisonKey('rented', rented.eq) === 1;

function readFilters(name: string, value: unknown): Filter[] {
  if (!isFilterField(name)) throw new InvalidArgs(`unknown parameter ${JSON.stringify(name)}`);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new InvalidArgs(`${name} must be an object {operator: value}`);
  }
  const comparisons = Object.entries(value);
  if (comparisons.length === 0) throw new InvalidArgs(`${name} has no operator`);
  return comparisons.map(([operator, operand]) => readFilter(name, operator, operand));
}

function readFilter(field: FilterField, operator: string, operand: unknown): Filter {
  if (!isOperator(operator)) {
    throw new InvalidArgs(
      `${field}: unknown operator ${JSON.stringify(operator)}; use ${operators.join(', ')}`,
    );
  }
  const many = operator === 'in' || operator === 'notin';
  if (many !== Array.isArray(operand)) {
    throw new InvalidArgs(`${field}: ${operator} takes ${many ? 'a list' : 'one value'}`);
  }
  const ordered = !many && operator !== 'eq' && operator !== 'neq';
  if (ordered && (operand === null || fieldKind(field) === 'switch')) {
    throw new InvalidArgs(`${field}: ${operator} cannot be used here`);
  }
  const values: unknown[] = Array.isArray(operand) ? operand : [operand];
  return { field, operator, operands: values.map((value) => readOperand(field, value)) };
}

function readOperand(field: FilterField, value: unknown): ComparisonKey {
  const key = comparisonKey(field, value);
  if (key === null && value !== null) {
    throw new InvalidArgs(`${field}: ${JSON.stringify(value)} is not a ${fieldKind(field)}`);
  }
  return key;
}

function readType(value: unknown): PricingType {
  if (value === undefined) return 'on-demand';
  const type = typeof value === 'string' && Object.hasOwn(pricingTypeNames, value) && pricingTypeNames[value];
  if (!type) throw new InvalidArgs(`type must be on-demand, bid or reserved, not ${JSON.stringify(value)}`);
  return type;
}

function readLimit(value: unknown): number | null {
  if (value === undefined || value === null) return null;
  const limit = readNumber(value);
  if (limit === null || !Number.isInteger(limit) || limit < 1) {
    throw new InvalidArgs('limit must be a whole number above 0');
  }
  return limit;
}

function readStorage(value: unknown): number {
  if (value === undefined) return defaultStorageGb;
  const storageGb = readNumber(value);
  if (storageGb === null || storageGb < 0) throw new InvalidArgs('allocated_storage must be GB, 0 or more');
  return storageGb;
}

function readNumber(value: unknown): number | null {
  if (typeof value !== 'number' && (typeof value !== 'string' || value.trim() === '')) return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}

function readOrder(value: unknown): OrderKey[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new InvalidArgs('order must be a list of [field, direction]');
  return value.map((pair: unknown) => {
    if (!Array.isArray(pair) || pair.length !== 2) {
      throw new InvalidArgs('order must be a list of [field, direction]');
    }
    const [field, direction]: unknown[] = pair;
    if (typeof field !== 'string' || !isOfferField(field)) {
      throw new InvalidArgs(`order: unknown field ${JSON.stringify(field)}`);
    }
    if (direction !== 'asc' && direction !== 'desc') {
      throw new InvalidArgs(`order: the direction of ${field} must be asc or desc`);
    }
    return { field, descending: direction === 'desc' };
  });
}

const isOperator = (value: string): value is Operator => (operators as readonly string[]).includes(value);
