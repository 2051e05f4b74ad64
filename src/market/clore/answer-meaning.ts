import type { AnswerMeaning } from '../wire/answer.ts';
import type { Problem } from '../wire/problem.ts';

/** Meanings of a `code` other than 0, whatever the HTTP status. */
const meanings: Readonly<Record<number, Problem>> = {
  1: { kind: 'http', message: 'an error of its database', retry: 'transient' },
  2: { kind: 'contract', message: 'the input is invalid', retry: 'never' },
  3: { kind: 'auth', message: 'the key was refused: check it', retry: 'never' },
  4: { kind: 'contract', message: 'there is no such endpoint: check the address', retry: 'never' },
  5: { kind: 'rate_limited', message: 'too many requests', retry: 'throttled' },
};
const refused: Problem = { kind: 'contract', message: 'the request was refused', retry: 'never' };

/** Interprets this market's responses: by `code`, or without one by HTTP status. Source: docs/clore.md#requests. */
export const cloreMeaning: AnswerMeaning = {
  isErrorBody: ({ code }) => typeof code === 'number' && code !== 0,
  throttle: { statuses: [429], phrases: ['too many requests', 'rate limit', 'threshold'] },
  findNamedProblem: ({ status, isThrottled }, { said }, json) => {
    const inWords = said === '' ? '' : ` (${said})`;
    const code = json?.code;
    if (typeof code === 'number' && code !== 0) {
      const { message, ...meaning } = meanings[code] ?? refused;
      return { ...meaning, message: ` with code ${code}${inWords}: ${message}` };
    }
    if (isThrottled)
      return { kind: 'rate_limited', message: `: too many requests${inWords}`, retry: 'throttled' };
    if (status !== 401 && status !== 403) return null;
    return {
      kind: 'auth',
      message: `: the request was refused${inWords}; check the key, if one is set`,
      retry: 'never',
    };
  },
};
