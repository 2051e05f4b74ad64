import { proveOneFailing } from '../markets/one-failing.ts';
import { topicOfParts } from '../topic-of-parts.ts';

export const marketsTopic = topicOfParts(
  'beside a market that fails in every way another one is crawled at its times, and its books and figures are as if it were alone',
  {
    'vast-first': (options) => proveOneFailing({ ...options, fails: 'vast', place: 'first' }),
    'vast-second': (options) => proveOneFailing({ ...options, fails: 'vast', place: 'second' }),
    'clore-first': (options) => proveOneFailing({ ...options, fails: 'clore', place: 'first' }),
    'clore-second': (options) => proveOneFailing({ ...options, fails: 'clore', place: 'second' }),
  },
);
