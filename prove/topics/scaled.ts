import { measureLandings } from '../scaled/landings.ts';
import { proveScaled } from '../scaled/scaled.ts';
import { topicOfParts } from '../topic-of-parts.ts';

/** Several processes, PgBouncer and a replica, of which each is killed under load; and what landing full books costs. */
export const scaledTopic = topicOfParts(
  'with one of each part killed under load nothing is lost or doubled, and no request fails but those in flight to it',
  {
    killed: async ({ seed, log, runs }) => await proveScaled({ seed, log, rounds: runs }),
    landings: measureLandings,
  },
);
