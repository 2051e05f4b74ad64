import { proveEnds } from '../act/ends.ts';
import type { Proof, ProofOptions } from '../proof.ts';
import { openProofDatabases } from '../proof-databases.ts';
import { topicOfParts } from '../topic-of-parts.ts';

const promisedLives = 50;
const controlLives = 16;

/** Limits that end instances, and a control that must be found out. */
export const endsTopic = topicOfParts(
  'an instance ends within one poll of its limit and never before; unknown GPU use ends nothing',
  {
    lives: async (options) => await proveLives(options, options.runs ?? promisedLives, false),
    control: async (options) => {
      const { ok, counts } = await proveLives(options, controlLives, true);
      const found = counts['ended before it'] ?? 0;
      return {
        ok: !ok && found > 0,
        counts: { 'early ends that the control was found out by': found },
        failures: found > 0 ? [] : ['unknown use that is taken for idle was not found out'],
      };
    },
  },
);

async function proveLives(
  { seed, log, server }: ProofOptions,
  lives: number,
  isControl: boolean,
): Promise<Proof> {
  const databases = await openProofDatabases(server, log);
  try {
    const database = await databases.create();
    const onMinute = (minute: number): void => {
      if (minute % 60 === 0) log.info({ minute }, 'minutes');
    };
    const proof = await proveEnds({ seed, server: database.target, lives, isControl, onMinute });
    await database.drop();
    return proof;
  } finally {
    await databases.close();
  }
}
