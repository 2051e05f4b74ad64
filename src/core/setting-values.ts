import { z } from 'zod';

/** Parsers of settings; each error says what is expected. */
export const settingValues = {
  /** A whole number from `min` to `max`. */
  whole: (min: number, max: number) => {
    const upTo = max === Number.MAX_SAFE_INTEGER ? '' : ` to ${max}`;
    const expected = `expected a whole number from ${min}${upTo}`;
    return z.coerce.number(expected).int(expected).min(min, expected).max(max, expected);
  },
  positive: z.coerce.number('expected a number').positive('expected a number above 0'),
};
