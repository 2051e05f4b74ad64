import { tryProgram } from '../package/try-program.ts';
import { topicOfParts } from '../topic-of-parts.ts';

/** The tarball of `npm pack` on each version of Node that it promises; the oldest is tried by CI. */
export const packageTopic = topicOfParts(
  'the packed program runs without a checkout, for a user who cannot write where it is installed',
  {
    'node-22': async ({ log }) => await tryProgram('22', { npx: false, log }),
    'node-24': async ({ log }) => await tryProgram('24', { npx: true, log }),
  },
);
