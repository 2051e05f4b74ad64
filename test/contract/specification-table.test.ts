import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { clientCases, isWriting, serverCases } from './contract-cases.ts';
import { findGaps } from './coverage-gaps.ts';
import { specificationRows } from './specification-rows.ts';
import { parseWireFile } from './wire-file.ts';

const cases = { server: serverCases(), client: clientCases() };
/** Numbers of headings in docs/marketplace.md, followed by any text of a case. */
const sections = /^(?:2\.[1-6]|3|4\.(?:[1-9]|1[0-2])|[5-9])(?!\d|\.\d)/;

describe('the table of the specification', () => {
  it('has a case for every row on each side that has a part in it, and a row for every case', () => {
    expect(findGaps(specificationRows, cases)).toEqual([]);
  });

  it('does not count as covered if a row has no case, or a case no row', () => {
    const row = {
      id: 'offer.color',
      section: '2.1',
      promise: 'string',
      sides: ['server', 'client'],
    } as const;
    expect(findGaps([...specificationRows, row], cases)).toEqual([
      'row offer.color of section 2.1 has no server case',
      'row offer.color of section 2.1 has no client case',
    ]);
    const [first, ...others] = specificationRows;
    expect(findGaps(others, cases)).toContainEqual(
      expect.stringContaining(`is for ${first?.id}, which is no row`),
    );
  });

  it('covers every section from 2 to 9, in rows and in cases alike', () => {
    const wanted = ['2.1', '2.2', '2.3', '2.4', '2.5', '2.6', '3', '5', '6', '7', '8', '9'];
    const all = [...wanted, ...Array.from({ length: 12 }, (_, index) => `4.${index + 1}`)].sort();
    expect([...new Set(specificationRows.map(({ section }) => section))].sort()).toEqual(all);
    for (const { id, section } of [...cases.server, ...cases.client]) expect(section, id).toMatch(sections);
    for (const { promise, id } of specificationRows) expect(promise.length, id).toBeGreaterThan(1);
  });

  it('contains each field and each filter parameter of the specification', () => {
    // Counted in the interface by hand: 27 + 36 + 15 + 7 + 1 + 8 fields of an offer and twice five; 51 filters.
    const count = (prefix: string): number =>
      specificationRows.filter(({ id }) => id.startsWith(prefix)).length;
    expect(count('offer.')).toBe(104);
    expect(count('operator.')).toBe(8);
    // One default, one alias and one parameter whose name is not shown are rows of their own.
    expect(count('filter.')).toBe(54);
    expect(count('template-operator.')).toBe(8);
    expect(count('template-filter.')).toBe(16);
    expect(count('invoices.service-value.')).toBe(8);
    expect(count('bearer.')).toBe(12);
    expect(count('state.')).toBe(6);
  });
});

describe('cases that only read', () => {
  it('send nothing that could change a market', () => {
    const reading = cases.server.filter((wireCase) => !isWriting(wireCase));
    expect(reading.length).toBeGreaterThan(300);
    const sent = reading.flatMap(({ blocks }) => blocks.filter(({ name }) => name === 'request'));
    const changing = sent.filter(({ text }) => /^(?:PUT|DELETE|POST (?!\/api\/v0\/bundles))/.test(text));
    // Those come without the key, to be refused.
    for (const { text } of changing) expect(text).not.toContain('Bearer {{');
  });
});

describe('wire files', () => {
  it('are data: none imports or names the simulator or the client', () => {
    for (const { id, blocks } of [...cases.server, ...cases.client]) {
      for (const { text } of blocks) expect(text, id).not.toMatch(/\bimport\b|src\//);
    }
    expect(readFileSync(new URL('wire/README.md', import.meta.url), 'utf8')).toContain('given');
  });

  it('are refused without a section, with an incomplete table line or with text before a block', () => {
    expect(() => parseWireFile('# rows: a\n--- request\nGET / HTTP/1.1\n', 'x')).toThrow('section');
    expect(() =>
      parseWireFile('# section: 2.1\n# rows: a\n# each: a | b\n# - one\n--- request\n', 'x'),
    ).toThrow('number of cells');
    expect(() => parseWireFile('# section: 2.1\n# rows: a\nGET /\n--- expect\n', 'x')).toThrow('outside');
  });
});
