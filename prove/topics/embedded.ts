import { proveEmbedded } from '../embedded.ts';
import type { Topic } from '../proof.ts';

export const embeddedTopic: Topic = {
  promise:
    'service and commands come, go and are killed on one DATA_DIR without losing a connection of others',
  prove: async ({ seed, log }) => {
    const { ok, counts } = await proveEmbedded({ seed, rounds: 100, log });
    return { ok, counts, failures: ok ? [] : ['a count is not what it has to be; see prove/embedded.ts'] };
  },
};
