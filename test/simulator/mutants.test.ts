import { describe, expect, it } from 'vitest';
import { bookOf, offer, openMarket, rowsOf } from './market-account.ts';
import { breakSimulator, patchSources } from './mutants/break-simulator.ts';
import { changeField } from './mutants/change-field.ts';
import { mutantOf, mutants } from './mutants/mutants.ts';

describe('the mutants', () => {
  it('have unique ids and sections of the interface', () => {
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

  it('each change text that occurs exactly once in the source, and no two make the same change', () => {
    const patched = mutants.map((mutant) => JSON.stringify([...patchSources(mutant)]));
    expect(new Set(patched).size).toBe(mutants.length);
    expect(mutants.length).toBeGreaterThan(500);
  });

  it('are refused if their text is missing or ambiguous, or their id is unknown', () => {
    const mutant = (from: string) => ({
      ...{ id: 'mine', section: '1', breaks: 'all' },
      patches: [{ file: 'throttle.ts', from, to: '' }],
    });
    expect(() => patchSources(mutant('no such text'))).toThrow('occurs 0 times in throttle.ts');
    expect(() => patchSources(mutant('seconds'))).toThrow('mine: its text occurs');
    expect(() => mutantOf('no-such')).toThrow('no-such');
  });

  it('of responses remove a field or change its type, and keep the rest', () => {
    const body = { offers: [{ id: 1, search: { totalHour: 2 } }, { id: 3 }] };
    expect(changeField(body, ['offers', '*', 'search', 'totalHour'], 'missing')).toEqual({
      offers: [{ id: 1, search: {} }, { id: 3 }],
    });
    expect(changeField(body, ['offers', '*', 'id'], 'mistyped')).toEqual({
      offers: [{ id: '1', search: { totalHour: 2 } }, { id: '3' }],
    });
  });

  it('change what is served, each only in its own simulator', async () => {
    const replay = bookOf([offer(2), offer(1)]);
    const ids = async (id: string | null) => {
      const create = id === null ? undefined : await breakSimulator(mutantOf(id));
      const market = await openMarket({ replay }, create);
      const body = { order: [['id', 'desc']], id: { gt: 1 } };
      return rowsOf(await market.call('POST', '/api/v0/bundles/', body), 'offers').map((row) => row.id);
    };
    expect(await ids('filter-ignored:id')).toEqual([2, 1]);
    expect(await ids('operator-wrong:gt')).toEqual([2, 1]);
    expect(await ids('offer-field-missing:id')).toEqual([undefined]);
    expect(await ids(null)).toEqual([2]);
  });
});
