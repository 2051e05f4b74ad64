import { actorWords } from './actor-words.ts';

/** Readable names of the marketplace's words in bills. Source: docs/marketplace.md#412-list-invoices. */
const words: ReadonlyMap<string, string> = new Map([
  ['gpu', 'GPU'],
  ['disk', 'Disk'],
  ['bwd', 'Download'],
  ['bwu', 'Upload'],
  ['instance', 'Instance'],
  ['volume', 'Volume'],
  ['serverless', 'Serverless'],
  ['transfer', 'Transfer'],
  ['cardproc_payments', 'Card payment'],
  ['cryptopay_a', 'Crypto payment A'],
  ['cryptopay_b', 'Crypto payment B'],
  ['cryptopay_c', 'Crypto payment C'],
  ['instance_prepay', 'Instance prepayment'],
  ['walletpay_manual', 'Manual wallet payment'],
  ['transferpay_manual', 'Manual transfer'],
]);

/** Groupings whose values are the marketplace's own words. */
const worded: readonly string[] = ['service', 'source', 'type'];

/** What entries without a value are called; payments have neither an instance nor a label. */
const noneOf: Readonly<Record<string, string>> = {
  instance: 'no instance',
  label: 'no label',
  costCenter: 'no cost center',
  gpuName: 'no GPU model',
};

/** Returns the readable name of a spend group; null: the market states none. Unknown words stay as they are. */
export function spendGroupName(grouping: string, value: string | null): string {
  if (value === null || value === '') return noneOf[grouping] ?? 'not stated';
  if (grouping === 'rentedBy') return actorWords(value);
  return worded.includes(grouping) ? (words.get(value) ?? value) : value;
}
