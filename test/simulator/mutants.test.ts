import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { answerMutants, mutateAnswer } from '../../src/simulator/mutants/answer-mutants.ts';
import { parameterMutants } from '../../src/simulator/mutants/parameter-mutants.ts';
import { ruleMutants } from '../../src/simulator/mutants/rule-mutants.ts';
import { mutants, switchMutants } from '../../src/simulator/mutants.ts';
import { bookOf, offer, openMarket, rowsOf } from './market-account.ts';

const folder = join(import.meta.dirname, '../../src/simulator');
const code = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.startsWith('mutants/'))
  .map((file) => readFileSync(join(folder, file), 'utf8'))
  .join('\n');

describe('the mutants', () => {
  it('have ids of their own and sections of the specification', () => {
    const ids = mutants.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { section, breaks } of mutants) {
      expect(section).toMatch(/^[1-9](\.\d+)?$/);
      expect(breaks.length).toBeGreaterThan(10);
    }
    for (const section of ['1', '2', '3', '4', '5', '7', '8', '9']) {
      expect(
        mutants.some((mutant) => mutant.section.startsWith(section)),
        section,
      ).toBe(true);
    }
  });

  it('are all asked for somewhere in the code, and nothing else is', () => {
    const asked = [...code.matchAll(/'([a-z0-9-]+)'/g)].map((match) => match[1] ?? '');
    const unused = ruleMutants.map(([id]) => id).filter((id) => !asked.includes(id));
    expect(unused).toEqual([]);
    const all = new Set(mutants.map(({ id }) => id));
    const literal = [...code.matchAll(/mutants\.has\(\s*'([^']+)'/g)].map((match) => match[1] ?? '');
    expect(literal.filter((id) => !all.has(id))).toEqual([]);
    const families = [...code.matchAll(/mutants\.has\(\s*`([^$`]+):\$/g)].map((match) => match[1] ?? '');
    const known = new Set(parameterMutants.map(({ id }) => id.split(':')[0]));
    expect(families.filter((name) => !known.has(name))).toEqual([]);
    const dead = [...known].filter(
      (family) => !families.includes(family ?? '') && !code.includes(`\`${family}:`),
    );
    expect(dead).toEqual([]);
  });

  it('of an id that there is not are refused', () => {
    expect(() => switchMutants(['no-such'])).toThrow('no-such');
  });

  it('of answers take a field away or give it another type, and leave the rest', () => {
    const body = { offers: [{ id: 1, search: { totalHour: 2 } }, { id: 3 }] };
    const missing = { path: ['offers', '*', 'search', 'totalHour'], change: 'missing' } as const;
    expect(mutateAnswer(body, missing)).toEqual({ offers: [{ id: 1, search: {} }, { id: 3 }] });
    const mistyped = { path: ['offers', '*', 'id'], change: 'mistyped' } as const;
    expect(mutateAnswer(body, mistyped)).toEqual({
      offers: [{ id: '1', search: { totalHour: 2 } }, { id: '3' }],
    });
    expect(answerMutants.length).toBeGreaterThan(200);
  });

  it('change what is served', async () => {
    const replay = bookOf([offer(2), offer(1)]);
    const ids = async (...on: string[]) => {
      const market = await openMarket({ mutants: on, replay });
      const body = { order: [['id', 'desc']], id: { gt: 1 } };
      return rowsOf(await market.call('POST', '/api/v0/bundles/', body), 'offers').map(({ id }) => id);
    };
    expect(await ids()).toEqual([2]);
    expect(await ids('filter-ignored:id')).toEqual([2, 1]);
    expect(await ids('operator-wrong:gt', 'search-order-direction-ignored')).toEqual([1, 2]);
    expect(await ids('offer-field-missing:id')).toEqual([undefined]);
  });
});
