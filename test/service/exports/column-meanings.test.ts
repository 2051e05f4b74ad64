import { expect, it } from 'vitest';
import { screenColumns, withNote } from '../../../src/service/exports/screen-tables.ts';
import { focusTable } from '../../../src/spend/tables/focus.tables.ts';

it('every column of exported prices and of FOCUS says what it means, in one plain sentence', () => {
  const range = { from: new Date('2026-07-01T00:00:00Z'), to: new Date('2026-08-01T00:00:00Z') };
  const scope = { marketId: 1, market: 'vast', timeZone: 'UTC', asOf: range.to, ...range };
  const tables = [
    ...Object.values(screenColumns).map((columns) => columns.map(withNote)),
    focusTable(scope, []).columns,
  ];
  expect(tables.map((columns) => columns.length > 5)).toEqual([true, true, true, true, true]);
  const columns = tables.flat();
  expect(columns.filter(({ note }) => note === undefined).map(({ name }) => name)).toEqual([]);
  // A meaning says more than the name, and no names of the API.
  expect(columns.filter(({ note = '' }) => note.length < 8 || /\b[a-z]+[A-Z]\w*/.test(note))).toEqual([]);
});
