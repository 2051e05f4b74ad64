import { expect, it } from 'vitest';
import { columnsOf } from '../../src/exports/export-column.ts';
import { beginParquet } from '../../src/exports/parquet-file.ts';
import { readParquet } from '../support/read-parquet.ts';

it('keeps microseconds, every digit of a decimal, and unknown values, over several row groups', async () => {
  const columns = columnsOf({ at: 'moment', usd: 'usd', n: 'integer', isKnown: 'boolean', text: 'text' });
  const file = await beginParquet(columns, { scale: 24, statistics: true });
  file.addGroup([
    [
      '2026-03-28 22:00:00.123456+00',
      '-12345678901234.000000000000000000000001',
      '9007199254740993',
      't',
      'ä',
    ],
    ['1969-12-31 23:59:59.5+00', '0', '-1', 'f', ''],
  ]);
  const pieces = [file.take()];
  file.addGroup([
    [null, null, null, null, null],
    ['2026-03-28T22:00:00Z', '1.5', '0', 'true', null],
  ]);
  file.finish();
  pieces.push(file.take());
  const { rows, types } = await readParquet(Buffer.concat(pieces));
  expect(types).toMatchObject({ at: 'TIMESTAMP WITH TIME ZONE', usd: 'DECIMAL(38,24)', n: 'BIGINT' });
  expect(rows.map(({ at }) => at)).toEqual([
    '2026-03-28 22:00:00.123456+00',
    '1969-12-31 23:59:59.5+00',
    null,
    '2026-03-28 22:00:00+00',
  ]);
  expect(rows.map(({ usd, n }) => [usd, n])).toEqual([
    ['-12345678901234.000000000000000000000001', '9007199254740993'],
    ['0.000000000000000000000000', '-1'],
    [null, null],
    ['1.500000000000000000000000', '0'],
  ]);
  expect(() => file.addGroup([[null, '123456789012345', null, null, null]])).toThrow(RangeError);
});
