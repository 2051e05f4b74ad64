import { describe, expect, it } from 'vitest';
import { readFiles } from './source-files.ts';

/**
 * Statements that begin with a query, tagged or of the builder. Both are lazy: without `await` they never run,
 * and the linter's rule for forgotten promises does not know them.
 */
function findForgottenQueries(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.filter((line, index) => {
    const before = lines.slice(0, index).findLast((each) => each !== '' && !each.startsWith('//')) ?? ';';
    const begins =
      /^(?:void )?[\w.]+(?:<.*?>)?`/.test(line) ||
      /^(?:void )?(?:[\w.]+\.(?:unsafe|begin|reserve)|on)\(/.test(line);
    return begins && /[;{}]$/.test(before);
  });
}

describe('every query is awaited or returned', () => {
  const files = [
    ...readFiles('src', ['.ts']),
    ...['test', 'bench', 'prove'].flatMap((folder) => readFiles(folder, ['.ts'])),
  ];

  it('in every file', () => {
    const own = 'test/structure/queries-run.test.ts';
    const found = files
      .filter(({ path }) => path !== own)
      .flatMap(({ path, text }) => findForgottenQueries(text).map((line) => `${path}: ${line}`));
    expect(found).toEqual([]);
  });

  it.each([
    ['a tagged query', 'async () => {\n  sql`select 1`;\n}'],
    ['a typed one', 'const a = 1;\n  tx<Row[]>`select 1`;'],
    ['one that is thrown away on purpose', 'const a = 1;\n  void db`select 1`;'],
    ['plain text', 'const a = 1;\n  db.unsafe(text);'],
    ['one of the builder', 'const a = 1;\n  on(db).delete(watch).where(eq(watch.id, id));'],
    ['a transaction', 'const a = 1;\n  // why\n\n  sql.begin(async () => {});'],
  ])('and %s without await is found', (_, text) => {
    expect(findForgottenQueries(text)).toHaveLength(1);
  });

  it.each([
    ['an awaited one', 'const a = 1;\n  await sql`select 1`;'],
    ['a fragment', 'const a =\n    sql`select 1`;'],
    ['an argument', 'call(\n    sql`select 1`,\n  );'],
  ])('but %s is not', (_, text) => {
    expect(findForgottenQueries(text)).toEqual([]);
  });
});

it('no list is given as one of our own enum: a connection opened before the first migration does not know it', () => {
  const found = readFiles('src', ['.ts']).flatMap(({ path, text }) =>
    [...text.matchAll(/\]\}::pricing_type\[\]/g)].map(
      ({ index }) => `${path}: ${text.slice(index - 30, index)}`,
    ),
  );
  expect(found).toEqual([]);
});
