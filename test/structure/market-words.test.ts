import { describe, expect, it } from 'vitest';
import { knownStatuses } from '../../src/market/instance-status.ts';
import { readFiles, type SourceFile, withoutComments } from './source-files.ts';

const files = [...readFiles('src', ['.ts']), ...readFiles('web', ['.ts', '.tsx'])];
const isShared = ({ path }: SourceFile): boolean => !/^src\/(market|simulator)\//.test(path);
const isOfMarket = ({ path }: SourceFile): boolean => /^src\/market\/(?!wire\/)[^/]+\//.test(path);

/** Names as they go over the wire, paths of requests, and the limit on start scripts. */
const wireWords = /\b[a-z][a-z0-9]*(?:_[a-z0-9]+)+\b|\breliability2\b|\/api\/v\d\/\w+|\b4_?048\b/g;

const wordsOf = ({ text }: SourceFile): Set<string> => new Set(withoutComments(text).match(wireWords) ?? []);

/** Database columns and error names of Offerbook, which may equal words of a market. */
const ownWords = new Set([
  ...files
    .filter(({ path }) => path.startsWith('src/database/schema/') || path === 'src/core/offer-fields.ts')
    .flatMap((file) => [...wordsOf(file)]),
  ...['rate_limited', 'not_found', 'invalid_type', 'too_small', 'too_big'],
]);

const marketWords = new Set(
  files
    .filter(isOfMarket)
    .flatMap((file) => [...wordsOf(file)])
    .filter((word) => !ownWords.has(word)),
);

/** States that mean nothing but an instance's wherever they stand. */
const plainStates = knownStatuses.filter((state) => !/^(?:running|stopped|created|unknown)$/.test(state));
/** Such a state in quotes, and any text that an instance's status is compared with. */
const stateUse = new RegExp(
  `'(?:${plainStates.join('|')})'|(?:actual|intended)_?status"?\\s*(?:[!=]==?|=|<>|(?:not )?in \\()\\s*'\\w+'`,
  'gi',
);
/** `loading` is what the page does, too. */
const isOfPage = ({ path }: SourceFile): boolean => path.startsWith('web/');

const statesOf = (file: SourceFile): string[] => (isOfPage(file) ? [] : (file.text.match(stateUse) ?? []));

/** Words of marketplaces that a file outside of them uses, one sentence each. */
const found = (file: SourceFile): string[] =>
  [...[...wordsOf(file)].filter((word) => marketWords.has(word)), ...statesOf(file)].map(
    (word) => `${file.path}: ${word}`,
  );

describe("a marketplace's own words", () => {
  it('are known in its folder and in the simulator alone: names of fields, paths, codes, states and limits', () => {
    expect(marketWords.size).toBeGreaterThan(100);
    expect(files.filter(isShared).flatMap(found)).toEqual([]);
  });

  it.each([
    ['a field of an offer', 'const price = row.dph_total;'],
    ['a field of an instance', "const id = answer['new_contract'];"],
    ['a parameter', 'const body = { allocated_storage: 8 };'],
    ['a path', "const path = '/api/v0/bundles/';"],
    ['a code of an error', "if (code === 'no_such_ask') return;"],
    ['a limit', 'const most = 4_048;'],
    ['a state', "const dead = ['exited'];"],
    ['a status in the code', "if (instance.actualStatus === 'running') return;"],
    ['a status in SQL', "where i.intended_status <> 'stopped'"],
  ])('are found where %s is planted', (_, text) => {
    expect(found({ path: 'src/books/planted.ts', text })).toHaveLength(1);
  });
});
