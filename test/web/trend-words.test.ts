import { expect, it } from 'vitest';
import type { SupplyPoint, TrendPoint } from '../../web/core/api.ts';
import { togetherWords } from '../../web/prices/trends/trend-words.ts';

it('the combined supply has its moment beside it if its parts are of another, and its books if they are fewer', () => {
  const part = (t: string, books = 1) => ({ t, books }) as TrendPoint;
  const words = (t: string, rounds: number, parts: TrendPoint[], bucket: 'book' | '1h' = 'book') =>
    togetherWords(
      { color: 0, bucket },
      { t, rounds } as SupplyPoint,
      [{ color: 0 }, { color: 0 }, { color: 1 }],
      [...parts, part('2026-07-01T00:00:00Z', 99)],
    );
  const [ten, eleven] = ['2026-07-31T22:00:00.000Z', '2026-07-31T22:49:10.428Z'];
  const once = 'each GPU counted once across types';
  expect(words(eleven, 1, [part(eleven), part('2026-07-31T22:49:10.100Z')])).toBe(once);
  expect(words(ten, 1, [part(eleven), part(eleven)])).toMatch(/^each .* types, as of .*\d\d:00/);
  expect(words(ten, 5, [part(ten, 6), part(ten, 5)], '1h')).toBe(
    `${once}, in 5 of 6 books: those that each type has`,
  );
  expect(words(ten, 6, [part(ten, 6), part(ten, 6)], '1h')).toBe(once);
});
