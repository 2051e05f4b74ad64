import type { Proof, ProofOptions, Topic } from './proof.ts';

type Prove = (options: ProofOptions) => Promise<Proof>;

/** A topic whose parts are proved one after the other, all or the requested ones. */
export function topicOfParts(promise: string, parts: Readonly<Record<string, Prove>>): Topic {
  return {
    promise,
    parts: Object.keys(parts),
    prove: async (options) => {
      const proofs: Proof[] = [];
      for (const [name, prove] of Object.entries(parts)) {
        if (options.parts?.includes(name) === false) continue;
        options.log.info({}, `part ${name}`);
        proofs.push(await prove(options));
      }
      return {
        ok: proofs.every(({ ok }) => ok),
        failures: proofs.flatMap(({ failures }) => failures),
        counts: Object.assign({}, ...proofs.map(({ counts }) => counts)),
      };
    },
  };
}
