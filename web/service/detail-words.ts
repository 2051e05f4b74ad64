import { actorWords } from '../core/actor-words.ts';
import { sentenceCase } from '../core/sentence-case.ts';

/** Names of details that their own words would not explain. */
const names: Readonly<Record<string, string>> = {
  usdPerHour: '$/hour',
  maxUsdPerHour: 'max $/hour',
  bidUsdPerHour: 'bid $/hour',
  maxTotalUsdPerHour: 'max total $/hour',
};

/** Returns who did something, as the audit log names it. */
export function whoWords(actor: string): string {
  const words = actorWords(actor);
  return words === actor ? actor : sentenceCase(words);
}

/** Returns what was done: `Create token`. */
export const doneWords = (action: string): string => sentenceCase(action.replaceAll('-', ' '));

/**
 * Describes the detail of an entry of the audit log, with nested values, amounts to 6 decimals:
 * `way token, address 203.0.113.7`.
 */
export const detailWords = (detail: object): string =>
  [...new Set(flat(detail).map(([name, value]) => `${names[name] ?? spaced(name)} ${value}`))]
    .join(', ')
    .replaceAll(/(\.\d{6})\d+/g, '$1');

/** The values that are known, those of inner objects too. */
function flat(detail: object): [name: string, value: string][] {
  return Object.entries(detail).flatMap(([name, value]: [string, unknown]): [string, string][] => {
    if (value === null || value === undefined) return [];
    if (Array.isArray(value))
      return [
        [name, value.map((each) => (typeof each === 'object' ? JSON.stringify(each) : `${each}`)).join(', ')],
      ];
    return typeof value === 'object' ? flat(value) : [[name, `${value}`]];
  });
}

/** `diskGb` as `disk GB`. */
const spaced = (name: string): string =>
  name
    .replaceAll(/([a-z])([A-Z])/g, (_, end: string, start: string) => `${end} ${start.toLowerCase()}`)
    .replace(/\bgb\b/, 'GB');
