import { valueWithUnit } from '../../core/metric.ts';
import { minuteWords } from '../../core/time-words.ts';
import type { BacktestAnswer } from './rule-answers.ts';

/** Describes what a rule sees now, one line per market. */
export function nowWords({ markets, unit }: BacktestAnswer): string[] {
  const known = markets.flatMap(({ market, now }) => (now === null ? [] : [{ market, ...now }]));
  if (known.length === 0) return ['Value now: unknown, as there is no complete book.'];
  return known.map(({ market, at, value }) => {
    const words = value === null ? 'none, as no matching offer has one' : valueWithUnit(value, unit);
    return `Value now${markets.length > 1 ? ` in ${market}` : ''}: ${words} (book of ${minuteWords(at)}).`;
  });
}

/** Describes the current value, and what would make the rule useless. */
export function pastWords(past: BacktestAnswer): string[] {
  const never = past.books > 0 && past.firings.length === 0;
  return [
    ...nowWords(past),
    ...(past.markets.some(({ now }) => now?.fires === true)
      ? ['Warning: it would fire at once, as its condition holds in the newest book.']
      : []),
    ...(never
      ? [
          `Warning: it would never have fired in the ${past.books === 1 ? 'complete book' : `${past.books} complete books`} since ${minuteWords(past.from)}.`,
        ]
      : []),
  ];
}
