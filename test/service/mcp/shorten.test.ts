import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesOf, cutText, shorten } from '../../../src/service/mcp/shorten.ts';

const anyText = fc.string({ unit: 'binary', maxLength: 2_000 });

describe('a text that is cut', () => {
  it('has at most so many bytes as JSON, whatever its characters, and is a beginning', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 10, max: 2_000 }), (text, maxBytes) => {
        const short = cutText(text, maxBytes);
        expect(bytesOf(short)).toBeLessThanOrEqual(maxBytes);
        if (bytesOf(text) <= maxBytes) expect(short).toBe(text);
        else expect([short.endsWith('…'), text.startsWith(short.slice(0, -1))]).toEqual([true, true]);
      }),
    );
    expect(cutText('x'.repeat(100), 50)).toBe(`${'x'.repeat(45)}…`);
  });
});

describe('an answer that is too long', () => {
  it('has at most so many bytes, and says how many items are left out', () => {
    const lists = { first: fc.array(anyText), second: fc.array(fc.record({ text: anyText, at: fc.nat() })) };
    fc.assert(
      fc.property(
        fc.record({ ...lists, text: anyText }),
        fc.integer({ min: 400, max: 8_000 }),
        (whole, max) => {
          const { answer, leftOut } = shorten(whole, max);
          expect(bytesOf(answer)).toBeLessThanOrEqual(max);
          const count = ({ first, second }: typeof whole) => first.length + second.length;
          expect(count(answer) + leftOut).toBe(count(whole));
          if (bytesOf(whole) <= max) expect(answer).toEqual(whole);
        },
      ),
    );
  });

  it('keeps as much as fits, of the named list the last items and of others the first', () => {
    const numbers = Array.from({ length: 100 }, (_, index) => index + 100);
    const size = bytesOf({ points: numbers.slice(0, 30) });
    expect(shorten({ points: numbers }, size, 'points')).toEqual({
      answer: { points: numbers.slice(70) },
      leftOut: 70,
    });
    expect(shorten({ points: numbers }, size)).toEqual({
      answer: { points: numbers.slice(0, 30) },
      leftOut: 70,
    });
    expect(shorten({ points: numbers }, bytesOf({ points: [] })).answer).toEqual({ points: [] });
  });

  it('is an error if its lists are not what makes it long', () => {
    const many = Object.fromEntries(
      Array.from({ length: 100 }, (_, index) => [`name${index}`, 'x'.repeat(90)]),
    );
    expect(() => shorten(many, 5_000)).toThrow('too long');
  });
});
