import { proveRents } from '../act/rents.ts';
import type { Topic } from '../proof.ts';
import { openProofDatabases } from '../proof-databases.ts';

const promisedRents = 1_000;
const killedShare = 0.1;

/** Rents under faults, and a control whose duplicates must be detected. */
export const actTopic: Topic = {
  promise: 'one key makes one instance at most, whatever breaks, and the ledger is the market’s own list',
  parts: ['rents', 'control'],
  prove: async ({ seed, log, server, parts, runs = promisedRents }) => {
    const databases = await openProofDatabases(server, log);
    const failures: string[] = [];
    const counts: Record<string, number> = {};
    const isWanted = (part: string): boolean => parts?.includes(part) !== false;
    try {
      if (isWanted('rents')) {
        const database = await databases.create();
        const onRent = (done: number): void => log.info({ done }, 'rents');
        const common = { seed, server: database.target, rents: runs };
        const proof = await proveRents({ ...common, kills: Math.ceil(runs * killedShare), onRent });
        Object.assign(counts, proof.counts);
        failures.push(...proof.failures);
        await database.drop();
      }
      if (isWanted('control')) {
        const database = await databases.create();
        const control = await proveRents({
          ...{ seed, server: database.target, rents: 25, kills: 0, isControl: true },
        });
        counts['doubles that the control was found out by'] = control.counts['keys with two instances'] ?? 0;
        if (control.ok) failures.push('a client that sends again was not found out');
        await database.drop();
      }
    } finally {
      await databases.close();
    }
    return { ok: failures.length === 0, counts, failures };
  },
};
