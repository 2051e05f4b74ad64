import type { Random } from './pick.ts';
import { pick } from './pick.ts';

/** A number of JSON that JavaScript would write otherwise, with its own digits. */
const rawNumber = (text: string): unknown =>
  (JSON as unknown as { rawJSON: (text: string) => unknown }).rawJSON(text);

const long = (length: number): string => 'x'.repeat(length);

/** Texts that programs, databases and logs trip over. */
const texts: readonly string[] = [
  ...['', ' ', '\0', 'a\0b', '\ud800', '\udc00x', 'x\ud83d', '\ufffe\uffff', '\u202Eabc', '\u0085\u2028'],
  ...[
    '👩‍🚀',
    'é'.normalize('NFD'),
    'ﷺ'.repeat(50),
    '\u001b[2J',
    '\r\nx-injected: 1',
    '%00',
    '%',
    '%ED%A0%80',
  ],
  ...[
    'foo',
    'null',
    'undefined',
    'NaN',
    'Infinity',
    '-Infinity',
    '-0',
    '0x10',
    '1e308',
    '1e309',
    '1e15',
    '٣',
  ],
  ...['9007199254740993', '9223372036854775808', '-1', '1,5', '1.', '.5', '+1', '00', '2147483648', '32768'],
  ...['true', '[]', '{}', '[', '{"a":', '{"__proto__":{"x":1}}', "' or 1=1 --", '";drop table offer;--'],
  ...[
    '$1',
    '\\',
    '\\N',
    '../../etc/passwd',
    '/',
    '//',
    '.',
    '..',
    '<b>',
    '#{1}',
    '{{1}}',
    '*',
    '(',
    '[a-',
    '(a+)+$',
  ],
  ...[
    'http://',
    'http://[',
    'http://a:99999/',
    'http://\0/',
    'javascript:alert(1)',
    'http://a@b:c@d/',
    'foo@',
  ],
  ...[long(201), long(1_001), long(5_000), '\u{1F600}'.repeat(150), `${'['.repeat(2_000)}`],
  ...['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
  ...['on-demand', 'UTC', 'Europe/Berlin', 'Etc/GMT+99', '+25:00', '* * * * *', '60 * * * *', '0 0 30 2 *'],
  ...['spend.csv', 'constructor', '__proto__', 'toString', 'hasOwnProperty'],
];

/** Moments at the limits of calendars. */
const moments: readonly string[] = [
  ...['0000-01-01', '0000-01-01T00:00:00Z', '0001-01-01T00:00:00Z', '0001-01-01', '-000001-01-01T00:00:00Z'],
  ...['9999-12-31T23:59:59.999Z', '9999-12-31', '+275760-09-13T00:00:00.000Z', '+275760-09-13T00:00:00.001Z'],
  ...['10000-01-01T00:00:00Z', '2016-12-31T23:59:60Z', '2026-02-30', '2026-02-29T00:00:00Z', '2026-13-01'],
  ...[
    '1969-12-31T23:59:59Z',
    '1970-01-01',
    '1883-11-18T12:03:58Z',
    '2026-03-29T02:30:00+01:00',
    '2026-07-20',
  ],
  ...['2026-07-20T05:19:05', '2026-07-20T24:00:00Z', '2026-07-20T25:00:00Z', '2026-07-20T05:19:05+99:99'],
  ...[
    '2026-07-20T05:19:05.123456789012345Z',
    '4713-01-01T00:00:00Z',
    '294276-12-31T00:00:00Z',
    '1e3',
    '0',
    '-1',
  ],
  ...['0001-01-01T00:00:00+23:59', '9999-12-31T23:59:59-23:59', '0099-01-01T00:00:00Z'],
];

const numbers: readonly unknown[] = [
  ...[0, -1, 1, 0.5, 1e-300, 1e308, -1e308, 2 ** 53, 2 ** 31, 2 ** 15, 1e15, 1e20, 1e6, 5e-324, 1e100],
  ...[
    '-0',
    '1e400',
    '-1e400',
    '9007199254740993',
    '1e999999999',
    '0.1e1',
    '123456789012345678901234567890',
  ].map(rawNumber),
];

const deep = (depth: number): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
};

const others: readonly unknown[] = [
  ...[null, true, false, [], {}, [[]], [null], [{}], { a: 1 }, deep(100), deep(2_000)],
  ...[
    { toString: 1 },
    { length: -1 },
    { constructor: { prototype: 1 } },
    Array(1_000).fill(1),
    Array(101).fill('a'),
  ],
];

/** A text that no field expects. */
export const hostileText = (random: Random): string => pick(random() < 0.3 ? moments : texts, random);

/** A JSON value that few fields expect: of a wrong type, at a limit, huge, deep or empty. */
export function hostileValue(random: Random): unknown {
  const kind = random();
  if (kind < 0.4) return pick(texts, random);
  if (kind < 0.55) return pick(moments, random);
  return pick(kind < 0.8 ? numbers : others, random);
}
