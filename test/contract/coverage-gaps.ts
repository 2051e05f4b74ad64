import type { Side, SpecificationRow } from './specification-row.ts';
import type { WireCase } from './wire-file.ts';

/**
 * Returns where table and cases do not cover each other, one sentence each: rows without a case on a side that has
 * a part in them, cases for no row of the table, ids used twice.
 */
export function findGaps(
  rows: readonly SpecificationRow[],
  cases: Readonly<Record<Side, readonly WireCase[]>>,
): string[] {
  const known = new Set(rows.map(({ id }) => id));
  const all = [...cases.server, ...cases.client];
  return [
    ...repeated(rows.map(({ id }) => id)).map((id) => `row ${id} is there twice`),
    ...repeated(all.map(({ id }) => id)).map((id) => `case ${id} is there twice`),
    ...(['server', 'client'] as const).flatMap((side) => {
      const covered = new Set(cases[side].flatMap((wireCase) => wireCase.rows));
      return rows
        .filter((row) => row.sides.includes(side) && !covered.has(row.id))
        .map(({ id, section }) => `row ${id} of section ${section} has no ${side} case`);
    }),
    ...all.flatMap(({ id, rows: named }) =>
      named.filter((row) => !known.has(row)).map((row) => `case ${id} is for ${row}, which is no row`),
    ),
    ...all.filter(({ rows: named }) => named.length === 0).map(({ id }) => `case ${id} is for no row`),
  ];
}

const repeated = (ids: readonly string[]): string[] => [
  ...new Set(ids.filter((id, index) => ids.indexOf(id) !== index)),
];
