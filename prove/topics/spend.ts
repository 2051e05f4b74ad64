import type { Topic } from '../proof.ts';
import { proveSums } from '../spend/sums.ts';

export const spendTopic: Topic = {
  promise: 'every grouping of bills adds up to the same exact total, and days are what their parts come to',
  prove: proveSums,
};
