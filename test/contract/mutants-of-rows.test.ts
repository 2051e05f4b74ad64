import { describe, expect, it } from 'vitest';
import { mutantOf, mutants } from '../simulator/mutants/mutants.ts';
import { serverCases } from './contract-cases.ts';
import { findUnbroken, isBreakable, mutantOfRow } from './mutants-of-rows.ts';
import { findCaseOfRow } from './mutation-run.ts';
import { specificationRows } from './specification-rows.ts';

const ids = new Set(mutants.map(({ id }) => id));
const row = (id: string) => ({ id, section: '2.1', promise: 'string', sides: ['server'] }) as const;

describe('every contract row that concerns a market', () => {
  it("names a mutant that breaks it, different from its neighbors'", () => {
    expect(findUnbroken(specificationRows, ids)).toEqual([]);
  });

  it('is reported if it names no promise, an unknown one or that of another row', () => {
    const gaps = (...more: ReturnType<typeof row>[]) => findUnbroken([...specificationRows, ...more], ids);
    expect(gaps(row('weather.today'))).toEqual(['row weather.today has no mutant']);
    expect(gaps(row('offer.color'))).toEqual([
      'row offer.color names offer-field-missing:color, which is no mutant',
    ]);
    expect(gaps(row('filter.ubuntu_version'))).toEqual([
      'filter-ignored:ubuntu_version is named by filter.os_version-alias and filter.ubuntu_version',
    ]);
    const withoutOne = specificationRows.filter(({ id }) => id !== 'create.env-ports');
    expect(findUnbroken(withoutOne, ids)).toEqual(['create.env-ports is no row']);
    const [first] = ids;
    expect(findUnbroken(specificationRows, new Set([...ids].filter((id) => id !== first)))).toHaveLength(1);
  });

  it('may share a mutant only if all endpoints keep the same rule', () => {
    const named = specificationRows.filter(isBreakable).map(({ id }) => mutantOfRow(id));
    const shared = [...Map.groupBy(named, (mutant) => mutant)].filter(([, all]) => all.length > 1);
    expect(shared.map(([mutant, all]) => [mutant, all.length])).toEqual([
      ['trailing-slash-refused', 2],
      ['key-not-needed', 12],
      ['wrong-key-message-other', 12],
    ]);
    const left = specificationRows.filter((one) => one.sides.includes('server') && !isBreakable(one));
    expect(left.map(({ id }) => id)).toEqual(['event.start-script']);
  });
});

describe("the row's own case detects its mutant", () => {
  const cases = serverCases();
  const chosen = [
    ...['create.env-ports', 'filter.cpu_arch-default', 'search.storage-default'],
    ...['template-edit.hash_id-required', 'invoices.payments-only', 'error.template-search-second'],
    ...['bearer.get', 'wrong-key.stop', 'version.v0-volumes', 'search.order.asc'],
  ];
  it.each(chosen)('%s', async (id) => {
    expect(await findCaseOfRow(id, mutantOf(mutantOfRow(id) ?? ''), cases)).not.toBeNull();
  });

  it('no case detects a mutant if nothing is broken', async () => {
    expect(await findCaseOfRow('list.empty', mutantOf('volume-size-ignored'), cases)).toBeNull();
  });
});
