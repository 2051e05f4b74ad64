import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSimulator } from '../../src/simulator/simulator.ts';
import { createMarket, measuredAt, offersOf, wholeBook } from './simulated-books.ts';

type Row = Record<string, unknown>;
type Comparison = Record<string, unknown>;

const observedAt = new Date('2026-07-20T05:00:00Z');

/** Few different values, so that ties and nulls are everywhere. */
const rowArbitrary = fc.record({
  gpu_name: fc.constantFrom('RTX 4090', 'RTX 3060', 'A100 SXM4', null),
  num_gpus: fc.constantFrom(1, 2, 4, null),
  dph_total: fc.constantFrom(0.1, 0.25, 3, null),
  static_ip: fc.constantFrom(true, false, null),
  verification: fc.constantFrom('verified', 'unverified', null),
  driver_version: fc.constantFrom('580.65.06', '580.126.09', '580.142', null),
  geolocation: fc.constantFrom('Texas, US', ', US', 'Italy, IT', null),
});
const rowsArbitrary = fc.array(rowArbitrary, { minLength: 12, maxLength: 60, size: 'max' }).chain((rows) =>
  fc
    .shuffledSubarray(
      rows.map((_, index) => index + 1),
      { minLength: rows.length },
    )
    .map((ids) => rows.map((row, index): Row => ({ id: ids[index], ...row }))),
);

const operands: Record<string, fc.Arbitrary<unknown>> = {
  gpu_name: fc.constantFrom('RTX 4090', 'A100 SXM4', 'RTX 5090'),
  num_gpus: fc.constantFrom(1, 2, '2', 3, '4'),
  dph_total: fc.constantFrom(0.1, '0.25', 1, 3),
  static_ip: fc.constantFrom(true, false, 'true'),
  verification: fc.constantFrom('verified', 'unverified', 'deverified'),
  driver_version: fc.constantFrom('580.65.06', '580.126.9', '580.142.00', '580'),
  geolocation: fc.constantFrom('US', 'it'),
  id: fc.integer({ min: 0, max: 60 }),
};
const fields = Object.keys(operands);

const comparisonArbitrary = (field: string): fc.Arbitrary<Comparison> => {
  const operand = operands[field] ?? fc.constant(null);
  const orNull = fc.option(operand, { freq: 5 });
  return fc
    .oneof(
      fc.tuple(fc.constantFrom('eq', 'neq'), orNull),
      fc.tuple(fc.constantFrom('gt', 'lt', 'gte', 'lte'), operand),
      fc.tuple(fc.constantFrom('in', 'notin'), fc.array(orNull, { maxLength: 3 })),
    )
    .map(([operator, value]) => ({ [operator]: value }));
};
const filtersArbitrary = fc
  .uniqueArray(fc.constantFrom(...fields), { maxLength: 3 })
  .chain((names) => fc.record(Object.fromEntries(names.map((name) => [name, comparisonArbitrary(name)]))));
const orderArbitrary = fc.uniqueArray(
  fc.tuple(fc.constantFrom(...fields), fc.constantFrom('asc' as const, 'desc' as const)),
  { maxLength: 3, selector: ([field]) => field },
);

/** -1, 0 or 1 as two known values of a field compare; written out by hand, apart from the simulator's. */
function compareKnown(field: string, a: unknown, b: unknown): number {
  if (field === 'driver_version') {
    const [left, right] = [String(a).split('.'), String(b).split('.')];
    for (const part of [0, 1, 2, 3]) {
      const difference = Number(left[part] ?? 0) - Number(right[part] ?? 0);
      if (difference !== 0) return Math.sign(difference);
    }
    return 0;
  }
  if (field === 'geolocation')
    return compareText(String(a).slice(-2).toUpperCase(), String(b).slice(-2).toUpperCase());
  if (field === 'gpu_name' || field === 'verification') return compareText(String(a), String(b));
  if (field === 'static_ip') return Number(String(a) === 'true') - Number(String(b) === 'true');
  return Math.sign(Number(a) - Number(b));
}

const compareText = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);

function matches(field: string, value: unknown, operator: string, operand: unknown): boolean {
  if (operator === 'in') return (operand as unknown[]).some((one) => matches(field, value, 'eq', one));
  if (operator === 'notin') {
    return value !== null && (operand as unknown[]).every((one) => !matches(field, value, 'eq', one));
  }
  if (operator === 'eq' && operand === null) return value === null;
  if (value === null) return false;
  if (operator === 'neq' && operand === null) return true;
  if (operand === null) return false;
  const compared = compareKnown(field, value, operand);
  switch (operator) {
    case 'eq':
      return compared === 0;
    case 'neq':
      return compared !== 0;
    case 'gt':
      return compared > 0;
    case 'lt':
      return compared < 0;
    case 'gte':
      return compared >= 0;
    default:
      return compared <= 0;
  }
}

function expected(
  rows: Row[],
  filters: Record<string, Comparison>,
  order: [string, string][],
  limit: number,
): Row[] {
  const kept = rows.filter((row) =>
    Object.entries(filters).every(([field, comparison]) =>
      Object.entries(comparison).every(([operator, operand]) =>
        matches(field, row[field], operator, operand),
      ),
    ),
  );
  const sorted = [...kept].sort((a, b) => {
    for (const [field, direction] of order) {
      const [left, right] = [a[field], b[field]];
      if (left === null && right === null) continue;
      if (left === null) return 1;
      if (right === null) return -1;
      const compared = compareKnown(field, left, right);
      if (compared !== 0) return direction === 'desc' ? -compared : compared;
    }
    return order.length === 0 ? 0 : Number(a.id) - Number(b.id);
  });
  return sorted.slice(0, limit);
}

describe('a search', () => {
  it('finds and orders what a plain implementation of the rules finds, nulls and ties included', () => {
    const searchArbitrary = fc.record({
      rows: rowsArbitrary,
      filters: filtersArbitrary,
      order: orderArbitrary,
      limit: fc.integer({ min: 1, max: 70 }),
    });
    let found = 0;
    fc.assert(
      fc.property(searchArbitrary, ({ rows, filters, order, limit }) => {
        const replay = [{ observedAt, type: 'on-demand' as const, format: 'lines' as const, records: rows }];
        const simulator = createSimulator({ replay });
        // Without a filter on the tier only verified offers are meant.
        const meant = { verification: { eq: 'verified' }, ...(filters as Record<string, Comparison>) };
        const oracle = expected(rows, meant, order, limit);
        found += oracle.length;
        expect(offersOf(simulator, { ...filters, order, limit }, observedAt)).toEqual(oracle);
      }),
      { numRuns: 1000 },
    );
    expect(found).toBeGreaterThan(2000);
  });

  it('with a limit returns the beginning of the same search without one', () => {
    const market = createMarket(8, 3000);
    const arbitrary = fc.record({
      order: fc.array(
        fc.tuple(
          fc.constantFrom(
            'dph_total',
            'gpu_name',
            'cuda_max_good',
            'mobo_name',
            'num_gpus',
            'start_date',
            'score',
          ),
          fc.constantFrom('asc', 'desc'),
        ),
        { minLength: 1, maxLength: 3 },
      ),
      limit: fc.integer({ min: 1, max: 600 }),
      reliability: fc.record({ gte: fc.double({ min: 0, max: 0.99, noNaN: true }) }),
    });
    fc.assert(
      fc.property(arbitrary, ({ order, limit, reliability }) => {
        const all = wholeBook(market, measuredAt, { order, reliability });
        const some = wholeBook(market, measuredAt, { order, reliability, limit });
        expect(some.map(({ id }) => id)).toEqual(all.slice(0, limit).map(({ id }) => id));
      }),
      { numRuns: 100 },
    );
  });
});
