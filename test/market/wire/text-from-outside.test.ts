import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readOfferRecord } from '../../../src/market/vast/offer-record.ts';
import { cleanText, decodeBody } from '../../../src/market/wire/text-from-outside.ts';
import { smallRecord } from '../test-client.ts';

const anyText = fc.string({ unit: fc.constantFrom('\0', '\ud83d', '\ude00', 'a', '\uFFFD', '\\u0000', '"') });
const storable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

describe('cleaned text', () => {
  it('can be stored, keeps its length and counts exactly what changed', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { value, replaced } = cleanText(text);
        const changed = [...value.split('').entries()].filter(([index, unit]) => unit !== text[index]);
        expect(storable(value)).toBe(true);
        expect([value.length, changed.length]).toEqual([text.length, replaced]);
      }),
    );
  });

  it('is all that a record contains, at any depth, including keys', () => {
    const anyJson = fc.letrec((tie) => ({
      value: fc.oneof(anyText, fc.integer(), fc.array(tie('value')), fc.dictionary(anyText, tie('value'))),
    })).value;
    fc.assert(
      fc.property(anyJson, (extra) => {
        const record = { ...smallRecord, extra };
        const reading = readOfferRecord(record, 'bid');
        if (!reading.ok) throw new Error(reading.rejected.reason);
        const { raw } = reading.offer;
        expect(JSON.stringify(JSON.parse(raw))).toBe(raw);
        expect(/(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/i.test(raw) || !storable(raw)).toBe(false);
        if (reading.replacedCharacters === 0) expect(raw).toBe(JSON.stringify(record));
      }),
    );
  });
});

describe('a decoded body', () => {
  it.each<[string, number[], string, number]>([
    ['a byte order mark goes', [0xef, 0xbb, 0xbf, 0x7b], '{', 0],
    ['U+FFFD as sent is nobody’s loss', [0xef, 0xbf, 0xbd], '\uFFFD', 0],
    ['a lone surrogate in bytes', [0xed, 0xa0, 0x80], '\uFFFD\uFFFD\uFFFD', 3],
    ['bytes that are no UTF-8 beside U+FFFD', [0x41, 0xff, 0xef, 0xbf, 0xbd], 'A\uFFFD\uFFFD', 1],
    ['U+0000', [0x41, 0, 0], 'A\uFFFD\uFFFD', 2],
    ['an accent', [0xc3, 0xa9], 'é', 0],
    ['nothing', [], '', 0],
  ])('%s', (_name, bytes, value, replaced) => {
    expect(decodeBody(Buffer.from(bytes))).toEqual({ value, replaced });
  });
});
