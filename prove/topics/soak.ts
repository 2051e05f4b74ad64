import type { Topic } from '../proof.ts';
import { proveSoak } from '../soak/soak.ts';

/** Thirty virtual days of a full market under load, with and without kills. */
export const soakTopic: Topic = {
  promise:
    'in 30 days of a full market memory, connections, disk and WAL stay flat or as predicted, and kills change no figure',
  prove: proveSoak,
};
