import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSimulator } from '../../src/simulator/simulator.ts';
import { createTestDatabase } from '../support/test-database.ts';
import { bookOf, openedAt } from './market-account.ts';
import { offersOf } from './simulated-books.ts';
import { type Comparison, kindOf, loadOffers, oracleFields, searchBySql } from './sql-oracle.ts';

type Row = Record<string, unknown>;

const { sql } = await createTestDatabase();

/** What a row holds for a field that another field is the source of. */
const sources: Readonly<Record<string, string>> = { datacenter: 'hosting_type', verified: 'verification' };
const neverNull = new Set(['id', 'machine_id', 'rented', 'hosting_type']);

/** Real-looking offers with many nulls and ties, in no order. */
const rows: Row[] = createSimulator({ seed: 3, offersPerType: 500 })
  .offersAt(openedAt)
  .filter((_, index) => index % 2 === 0)
  .slice(0, 600)
  .map((row, index): Row => {
    const shaped = Object.entries(row).map(([field, value], column): [string, unknown] => {
      if (!neverNull.has(field) && (index * 31 + column * 17) % 23 === 0) return [field, null];
      return [field, typeof value === 'number' && field !== 'id' ? Number(value.toPrecision(2)) : value];
    });
    const flags = {
      rented: index % 11 === 0,
      external: [null, false, true][index % 3],
      rentable: index % 7 !== 0,
    };
    return { ...Object.fromEntries(shaped), ...flags };
  })
  .sort((a, b) => (Number(a.id) % 97) - (Number(b.id) % 97));

const valueArbitrary = (field: string): fc.Arbitrary<unknown> => {
  const kind = kindOf(field);
  if (kind === 'datacenter' || kind === 'external') return fc.boolean();
  if (kind === 'verified') return fc.boolean();
  const held = [...new Set(rows.map((row) => row[sources[field] ?? field]))].filter(
    (value) => value !== null,
  );
  if (kind === 'flag') return fc.boolean();
  const taken = fc.constantFrom(...held);
  if (kind === 'country')
    return taken.map((place) =>
      String(place)
        .slice(String(place).lastIndexOf(',') + 1)
        .trim(),
    );
  return kind === 'number'
    ? fc.oneof(
        taken,
        taken.map(String),
        taken.map((value) => Number(value) * 1.1),
      )
    : taken;
};

const comparisonArbitrary = (field: string): fc.Arbitrary<Comparison> => {
  const value = valueArbitrary(field);
  const isSwitch = kindOf(field) === 'datacenter' || kindOf(field) === 'external';
  const maybe = isSwitch ? value : fc.option(value, { freq: 6 });
  const one = (operator: string, operand: fc.Arbitrary<unknown>) =>
    operand.map((given): Comparison => ({ [operator]: given }));
  const list = fc.array(maybe, { minLength: 1, maxLength: 4 });
  const equal = [one('eq', maybe), one('neq', maybe), one('in', list), one('notin', list)];
  if (isSwitch) return fc.oneof(...equal);
  const ordered = ['gt', 'gte', 'lt', 'lte'].map((operator) => one(operator, value));
  const both = fc.tuple(value, value).map(([gte, lt]): Comparison => ({ gte, lt }));
  return fc.oneof(...equal, ...ordered, both);
};

const searchArbitrary = fc.record({
  filters: fc.uniqueArray(fc.constantFrom(...oracleFields), { maxLength: 4 }).chain((fields) =>
    fc.record(Object.fromEntries(fields.map((field) => [field, comparisonArbitrary(field)])), {
      noNullPrototype: true,
    }),
  ),
  order: fc.uniqueArray(
    fc.tuple(fc.constantFrom(...oracleFields), fc.constantFrom('asc' as const, 'desc' as const)),
    { minLength: 1, maxLength: 3, selector: ([field]) => field },
  ),
  limit: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.constant(1000)),
});

describe('a search', () => {
  it('returns the rows of plain SQL over the same offers, in the same order', async () => {
    await loadOffers(sql, rows);
    const simulator = createSimulator({ replay: bookOf(rows) });
    let found = 0;
    let searches = 0;
    const fields = new Set<string>();
    await fc.assert(
      fc.asyncProperty(searchArbitrary, async ({ filters, order, limit }) => {
        // One's own rented offers are not rentable: asking for them does away with that default.
        const meant =
          filters.rented?.eq === true && !filters.rentable
            ? { ...filters, rentable: { in: [true, false, null] } }
            : filters;
        const bySql = await searchBySql(sql, { filters: meant, order, limit });
        const served = offersOf(simulator, { ...filters, order, limit }, openedAt);
        expect(served.map(({ id }) => id)).toEqual(bySql);
        searches += 1;
        found += bySql.length;
        for (const field of Object.keys(filters)) fields.add(field);
      }),
      { numRuns: 600 },
    );
    expect(searches).toBeGreaterThanOrEqual(600);
    expect(found).toBeGreaterThan(5000);
    expect(fields.size).toBeGreaterThan(45);
  });
});

describe('the oracle', () => {
  it('imports nothing of the simulator', () => {
    const text = readFileSync(join(import.meta.dirname, 'sql-oracle.ts'), 'utf8');
    const imports = [...text.matchAll(/from '([^']+)'/g)].map((match) => match[1]);
    expect(imports).toEqual(['../../src/database/connection.ts']);
    expect(text).not.toMatch(/import\(/);
  });
});
