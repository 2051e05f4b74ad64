import type { InstanceDetail } from '../../core/api.ts';
import { formatAmount, formatHourly } from '../../core/figures.ts';
import { sentenceCase } from '../../core/sentence-case.ts';
import { stateWords } from './state-words.ts';

/** The kinds of entries of a timeline. */
export const entryKinds = ['state', 'price', 'action'] as const;
export type EntryKind = (typeof entryKinds)[number];

/** What happened to an instance at a moment. */
export interface TimelineEntry {
  at: string;
  kind: EntryKind;
  text: string;
  /** Why, or what was requested; null: nothing more is known. */
  detail: string | null;
  /** Who or what did it; null: observed. */
  by: string | null;
}

/** Returns everything that happened to an instance, the newest first; at one moment in the order action, state, price. */
export function timelineOf(detail: InstanceDetail): TimelineEntry[] {
  const entries = [...pricesOf(detail), ...statesOf(detail), ...actionsOf(detail)];
  // Of one moment the last entry is the newest.
  return entries.reverse().sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0));
}

/** Whether an entry of a timeline shares its minute with another one beside it. */
export const isClose = (entries: readonly Pick<TimelineEntry, 'at'>[], index: number): boolean =>
  [entries[index - 1], entries[index + 1]].some(
    (other) => other !== undefined && minuteOf(other.at) === minuteOf(entries[index]?.at ?? ''),
  );

const minuteOf = (at: string): string => at.slice(0, 'YYYY-MM-DDTHH:MM'.length);

const entry = (
  kind: EntryKind,
  at: string,
  text: string,
  more: Partial<Pick<TimelineEntry, 'detail' | 'by'>> = {},
): TimelineEntry => ({ kind, at, text, detail: null, by: null, ...more });

const statesOf = ({ states, statuses }: InstanceDetail): TimelineEntry[] => [
  ...statuses.map(({ at, actualStatus, intendedStatus, gone }) =>
    gone
      ? entry('state', at, 'No longer listed by the market')
      : entry('state', at, `Listed as ${actualStatus ?? 'being provisioned'}`, {
          detail:
            intendedStatus === null || intendedStatus === actualStatus ? null : `intended: ${intendedStatus}`,
        }),
  ),
  ...states.map(({ at, state, reason }) =>
    entry('state', at, sentenceCase(stateWords(state).text), { detail: reason }),
  ),
];

function pricesOf({ prices }: InstanceDetail): TimelineEntry[] {
  return prices.map(({ from, usdPerHour, computing }, index) => {
    const before = prices[index - 1]?.usdPerHour ?? null;
    const isOver = usdPerHour !== null && Number(usdPerHour) === 0;
    const price = perHour(usdPerHour);
    const text = index === 0 || before === null ? price : `From ${formatAmount(before, 4)} to ${price}`;
    return entry('price', from, text, {
      detail: isOver
        ? 'nothing is billed'
        : computing
          ? 'GPUs and disk are billed'
          : 'only the disk is billed',
    });
  });
}

const perHour = (usd: string | null): string => (usd === null ? 'price unknown' : formatHourly(usd));

const actionWords: Record<string, string> = {
  rent: 'Rent',
  stop: 'Stop',
  start: 'Start',
  destroy: 'Destroy',
  bid: 'Change the bid',
  label: 'Label at the market',
  change: 'Change',
  extend: 'Put off the end',
  settle: 'Resolve',
};

const actionsOf = ({ actions }: InstanceDetail): TimelineEntry[] =>
  actions.map(({ at, by, action, outcome, detail }) => {
    const words = [
      ...Object.entries(detail)
        .filter(([name, value]) => value !== undefined && name !== 'status')
        .map(([name, value]) => `${labels[name] ?? name}: ${valueWords(name, value)}`),
      ...(outcome === null
        ? ['no answer is recorded']
        : outcome === 'accepted' || outcome === 'rented'
          ? []
          : [outcome]),
    ];
    return entry('action', at, actionWords[action] ?? action, {
      by,
      detail: words.length === 0 ? null : words.join(', '),
    });
  });

function valueWords(name: string, value: unknown): string {
  if (value === null) return 'none';
  return name.startsWith('usd') && !Number.isNaN(Number(value))
    ? formatAmount(String(value), 4)
    : String(value);
}

const labels: Record<string, string> = {
  label: 'label',
  costCenter: 'cost center',
  offerId: 'offer',
  usdPerHour: '$/hour',
  bidUsdPerHour: 'bid, $/hour',
  maxHours: 'hours',
  endsAt: 'ends at',
  idleMinutes: 'idle minutes',
  idlePercent: 'idle below %',
  maxUsd: 'max cost, $',
  endAction: 'at the limit',
  warnMinutes: 'warn before, minutes',
  cheaperPercent: 'cheaper by %',
  cheaperBooks: 'in books',
  cheaperOfBooks: 'of books',
  cheaperAction: 'if cheaper',
  reading: 'seen',
};
