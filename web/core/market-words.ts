import { actorWords } from './actor-words.ts';
import definitions from './definitions.json' with { type: 'json' };

const words: ReadonlyMap<string, string> = new Map(Object.entries(definitions.billWords));

/** Groupings whose values are the marketplace's own words. */
const worded: readonly string[] = definitions.wordedGroupings;

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
