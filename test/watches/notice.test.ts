import { describe, expect, it } from 'vitest';
import { oneLine } from '../../src/watches/channels/notice.ts';

describe('text from outside on one line', () => {
  it.each([
    ['plain text as it is', 'RTX 4090', 'RTX 4090'],
    ['line ends, tabs and zeros', ' a\r\nb\tc\u0000\u0085d\u2028e ', 'a b c d e'],
    ['marks that turn text around', 'a\u202Eb\u2066c', 'a b c'],
    ['what is no character', 'a\uFFFEb\uFFFFc\u{1FFFF}d', 'a b c d'],
    ['halves of characters', 'a\uD83Db', 'a\uFFFDb'],
  ])('has %s', (_, text, line) => {
    expect(oneLine(text)).toBe(line);
  });

  it('is cut between characters', () => {
    expect(oneLine('abcdef', 5)).toBe('abcd…');
    expect(oneLine('abcd\u{1F600}', 6)).toBe('abcd\u{1F600}');
    expect(oneLine('abcd\u{1F600}ef', 6)).toBe('abcd…');
    expect(oneLine('abc\u{1F600}ef', 6)).toBe('abc\u{1F600}…');
  });
});
