import { expect, it } from 'vitest';
import { readFiles, type SourceFile, withoutComments } from './source-files.ts';

/** Files that may run SQL that is a text, by why. */
const textOfSql: Record<string, string> = {
  'src/database/builder.ts': 'the text of the typed builder, with its parameters',
  'src/database/column-lists.ts': 'names of columns, quoted',
  'src/database/connection.ts': 'how a transaction begins, by our own code',
  'src/database/copy-stream.ts': 'COPY takes no parameters',
  'src/database/migrate.ts': 'migrations as they are written',
  'src/database/month-partitions.ts': 'the bounds of a partition take no parameters',
  'src/database/pool-of-two.ts': 'hands on what others ask',
  'src/database/backup/restore-backup.ts': 'bounds of partitions as the backup has them, names of sequences',
  'src/jobs/run-statements.ts': 'the SQL of pg-boss',
  'src/service/exports/query-table.sql.ts': 'reads the query of an export',
  'src/books/landing/staging.sql.ts': 'columns with their types',
  'src/books/landing/vacuum.sql.ts': 'VACUUM, of names that the database has quoted',
  'src/books/landing/attributes.sql.ts': 'conditions made of the table of offer fields',
};

/** Files that may write values into a text. */
const textOfValues: Record<string, string> = {
  'src/database/sql-text.ts': 'where it is made',
  'src/spend/tables/spend.tables.ts': 'exported by COPY',
  'src/spend/tables/focus.tables.ts': 'exported by COPY',
};

const using = (files: readonly SourceFile[], pattern: RegExp): string[] =>
  files.filter(({ text }) => pattern.test(withoutComments(text))).map(({ path }) => path);

const files = readFiles('src', ['.ts']).filter(({ path }) => !path.startsWith('src/simulator/'));

it('SQL text is only run in the listed exceptions', () => {
  expect(using(files, /\.unsafe(?:<[^(]*>)?\(/).sort()).toEqual(Object.keys(textOfSql).sort());
});

it('values are written into a text of SQL for COPY alone', () => {
  expect(using(files, /(?<!\.)\bliteral\(/).sort()).toEqual(Object.keys(textOfValues).sort());
});

it('what makes a book count is written once', () => {
  expect(
    using(files, /exists \(\s*select from book_slice \w+\s+(?:join|where)[^`]*verdict = 'complete'/),
  ).toEqual(['src/books/covered-books.sql.ts']);
});
