import { expect, it } from 'vitest';
import { errorLineOf } from '../../../src/database/embedded/run-program.ts';

const failed = '2026-03-01 10:00:00 UTC [7] FATAL:  could not restore file "00000002.history" from archive';
const asked = '2026-03-01 10:00:01 UTC [9] FATAL:  the database system is in recovery mode';

it.each([
  [[failed, 'LOG:  shutting down'], 'FATAL:  could not restore file "00000002.history" from archive'],
  // A client that asks meanwhile is no reason.
  [[failed, asked], 'FATAL:  could not restore file "00000002.history" from archive'],
  [[asked], 'FATAL:  the database system is in recovery mode'],
  [['one', 'two', ''], 'two'],
  [[''], 'it printed nothing'],
])('of %j the line says what went wrong', (lines, line) => {
  expect(errorLineOf(lines.join('\n'))).toBe(line);
});
