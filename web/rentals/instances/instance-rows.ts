import type { Instance } from '../../core/api.ts';
import { endsSoon } from '../../core/ending-words.ts';
import { formatAmount } from '../../core/figures.ts';
import { countryName } from '../../parts/country.tsx';
import { isListedSoon, neverRuns, stateWords } from './state-words.ts';

/** Which instances the list shows. */
export const shownLists = ['active', 'ended', 'all'] as const;
export type ShownList = (typeof shownLists)[number];

/** Returns the key of an instance or, without one, of its rental. */
export const keyOf = ({ instanceId, rentalId }: Instance): string =>
  String(instanceId ?? rentalId ?? 'unknown');

/** Returns the GPUs of an instance: `RTX 4090 × 2`. */
export const gpusOf = ({ gpuName, numGpus }: Instance): string =>
  `${gpuName ?? 'GPU unknown'} × ${numGpus ?? '?'}`;

/** Returns the label of an instance, else its GPUs and number: `RTX 4090 × 2 · 31245872`. */
export const nameOf = (instance: Instance): string =>
  instance.label ?? `${gpusOf(instance)} · ${keyOf(instance)}`;

/**
 * Whether the end by the host is said beside what ends an instance itself: `isWhole` where there is room. A stopped one
 * still has data to lose, one that was destroyed has none.
 */
export function saysHostEnd(
  { endsAt, endAction, hostEndsAt }: Pick<Instance, 'endsAt' | 'endAction' | 'hostEndsAt'>,
  { now, isWhole }: { now: number; isWhole: boolean },
): boolean {
  if (hostEndsAt === null) return false;
  if (endsAt === null) return isWhole;
  if (hostEndsAt < endsAt) return true;
  return endAction === 'stop' && (isWhole || endsSoon((Date.parse(hostEndsAt) - now) / 3_600_000));
}

/** Returns the $/hour of an instance once it runs, if less is billed now, or the market has yet to list it; else null. */
export function onceRunning(instance: Instance): string | null {
  const { state, billedUsdPerHour, runningUsdPerHour } = instance;
  if (runningUsdPerHour === null || neverRuns(state)) return null;
  if (billedUsdPerHour === null) return isListedSoon(instance) ? runningUsdPerHour : null;
  return Number(billedUsdPerHour) < Number(runningUsdPerHour) ? runningUsdPerHour : null;
}

/** Whether an instance counts at its running price although only its disk is billed. */
const isStarting = ({ billedUsdPerHour, usdPerHour }: Instance): boolean =>
  billedUsdPerHour !== null && usdPerHour !== null && Number(billedUsdPerHour) < Number(usdPerHour);

/** Returns what is billed now, if instances start, which the total counts at their running price; else null. */
export function startingWords(items: readonly Instance[]): string | null {
  const starting = items.filter(isStarting).length;
  if (starting === 0) return null;
  const billed = items.reduce((sum, { billedUsdPerHour }) => sum + Number(billedUsdPerHour ?? 0), 0);
  const who =
    starting === 1
      ? 'one starts: only its disk is billed until it runs'
      : `${starting} start: only their disks are billed until they run`;
  return `${formatAmount(String(billed), 4)}/hour now, while ${who}`;
}

/** Returns whether all words of a search occur in the label, ids, model, machine, host or country. */
export function matchesSearch(instance: Instance, search: string): boolean {
  const { instanceId, rentalId, label, gpuName, machineId, hostId, country } = instance;
  const text = [instanceId, rentalId, label, gpuName, machineId, hostId]
    .filter((part) => part !== null)
    .concat(country === null ? [] : [country, countryName(country)])
    .join(' ')
    .toLowerCase();
  const words = search.toLowerCase().split(/\s+/);
  return words.every((word) => text.includes(word));
}

/** Returns active and ended instances, each once: one that is in both lists ended between the two answers. */
export function allRows(active: readonly Instance[], ended: readonly Instance[]): readonly Instance[] {
  const over = new Set(ended.map(keyOf));
  return [...active.filter((each) => !over.has(keyOf(each))), ...ended];
}

type SortValue = string | number | null;

/** What rows are sorted by, under the name in the address. */
export const sortValues = {
  instance: (instance: Instance): SortValue => nameOf(instance).toLowerCase(),
  place: ({ country, machineId }: Instance): SortValue =>
    country === null && machineId === null ? null : `${country ?? '~'} ${machineId ?? ''}`,
  state: ({ state }: Instance): SortValue => stateWords(state).text,
  price: ({ billedUsdPerHour }: Instance): SortValue => numberOf(billedUsdPerHour),
  cost: ({ cost }: Instance): SortValue => numberOf(cost.usd),
  use: ({ gpuUtilPercent }: Instance): SortValue => gpuUtilPercent,
  end: (instance: Instance): SortValue => endOf(instance),
} as const;
export type SortKey = keyof typeof sortValues;

/** Labels of what active rows are sorted by. */
const sortLabels: Record<SortKey, string> = {
  instance: 'Instance',
  place: 'Place',
  state: 'State',
  price: '$/hour now',
  cost: 'Cost so far',
  use: 'GPU utilization',
  end: 'End',
};

/** Returns the labels of a list; what has ended costs nothing further. */
export const sortLabelsOf = (shown: ShownList): Record<SortKey, string> =>
  shown === 'active' ? sortLabels : { ...sortLabels, cost: 'Cost' };

const numberOf = (usd: string | null): number | null => (usd === null ? null : Number(usd));

/** When it ended, else when something is known to end it. */
const endOf = ({ endedAt, ending, endsAt, hostEndsAt }: Instance): string | null =>
  endedAt ?? ending?.at ?? endsAt ?? hostEndsAt;

/** Columns of amounts begin with the highest. */
export const isDescendingFirst = (key: SortKey): boolean => ['price', 'cost', 'use'].includes(key);

/** How the rows are sorted. */
export interface Sorting {
  key: SortKey;
  descending: boolean;
}

/** Returns the sorting in an address; null: in the order of the API. */
export function sortingOf(query: URLSearchParams): Sorting | null {
  const key = query.get('sort');
  if (key === null || !Object.hasOwn(sortValues, key)) return null;
  const known = key as SortKey;
  return { key: known, descending: isDescendingFirst(known) !== query.has('turned') };
}

/** Returns rows in order; unknown values are last, whatever the direction, and equal rows stay as they are. */
export function sortedRows(items: readonly Instance[], sorting: Sorting | null): readonly Instance[] {
  if (sorting === null) return items;
  const value = sortValues[sorting.key];
  const turn = sorting.descending ? -1 : 1;
  return [...items].sort((one, other) => {
    const [a, b] = [value(one), value(other)];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    if (typeof a === 'string' && typeof b === 'string') return turn * a.localeCompare(b);
    return turn * (Number(a) - Number(b));
  });
}

/** The costs that end and that stay if instances are stopped or destroyed. Dollars. */
export interface EndedCost {
  usdPerHour: number;
  /** Of disks that are kept. */
  keptUsdPerDay: number;
  /** Instances of unknown price. */
  unknown: number;
}

/** Returns what ends, and what stays, if instances are stopped or destroyed. */
export function endedCost(kind: 'stop' | 'destroy', instances: readonly Instance[]): EndedCost {
  const sum = { usdPerHour: 0, keptUsdPerDay: 0, unknown: 0 };
  for (const { usdPerHour, stoppedUsdPerDay } of instances) {
    if (usdPerHour === null || (kind === 'stop' && stoppedUsdPerDay === null)) {
      sum.unknown += 1;
    } else {
      const kept = kind === 'stop' ? Number(stoppedUsdPerDay) : 0;
      sum.usdPerHour += Math.max(0, Number(usdPerHour) - kept / 24);
      sum.keptUsdPerDay += kept;
    }
  }
  return sum;
}
