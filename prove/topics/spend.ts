import type { Proof, ProofOptions, Topic } from '../proof.ts';
import { proveBilled } from '../spend/billed.ts';
import { proveSums } from '../spend/sums.ts';
import { topicOfParts } from '../topic-of-parts.ts';

/** Bills drawn at random for each instance that the simulator bills. */
const billsAnInstance = 2_000;

const parts: Readonly<Record<string, (options: ProofOptions) => Promise<Proof>>> = {
  sums: proveSums,
  billed: async (options) => {
    const { runs } = options;
    const instances = runs === undefined ? undefined : Math.max(2, Math.ceil(runs / billsAnInstance));
    return await proveBilled({ ...options, instances });
  },
};

export const spendTopic: Topic = topicOfParts(
  'every grouping of bills adds up to the same exact total, that of what the market billed, and days are what their parts come to',
  parts,
);
