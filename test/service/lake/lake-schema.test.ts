import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { schemaOf } from '../../../src/exports/lake/lake-state.ts';
import { lakeFormat } from '../../../src/exports/lake/manifest.ts';
import { lakeTableNames } from '../../../src/service/lake/lake-table-names.ts';
import { lakeTables } from '../../../src/service/lake/lake-tables.ts';

it('has the same columns and types as long as its format is the same', () => {
  const schemas = Object.fromEntries(lakeTables.map((table) => [table.name, schemaOf(table)]));
  const pinned = new URL(`schemas-${lakeFormat}.json`, import.meta.url);
  // Other columns? Raise `lakeFormat`, and write them to a file of the new number.
  expect(schemas).toEqual(JSON.parse(readFileSync(pinned, 'utf8')));
  expect(JSON.stringify(schemas)).toBe(JSON.stringify(JSON.parse(readFileSync(pinned, 'utf8'))));
});

it('names every table for the command, and explains it in docs/lake.md', () => {
  expect(lakeTables.map(({ name }) => name)).toEqual([...lakeTableNames]);
  const text = readFileSync(new URL('../../../docs/lake.md', import.meta.url), 'utf8');
  expect(lakeTableNames.filter((name) => !text.includes(`| \`${name}\` |`))).toEqual([]);
});
