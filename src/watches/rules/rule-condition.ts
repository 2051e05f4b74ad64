import type { RuleKind } from './rule.ts';

/** What a rule sees in one book. `held` includes offers that are missing and not yet gone. */
export interface Reading {
  value: number | null;
  held: number | null;
  /** Percentile of the value in its pool; null: not enough history, or not used by the rule. */
  percentile?: number | null;
  heldPercentile?: number | null;
  /** The value to reach, if the rule itself does not set it. */
  limit?: number;
}

/** The changes of a watched number since some moment, each with the moment of the previous book. */
export type HistoryEntry = readonly [
  at: number,
  value: number | null,
  held: number | null,
  before: number | null,
];

/** The moment of a book and of the complete book before it, ms; null: none. */
export interface BookTime {
  at: number;
  before: number | null;
}

/** The earlier values that a condition compares with. */
export interface Memory {
  history: readonly HistoryEntry[];
  /** null: it never fired. */
  fired: { at: number; value: number | null } | null;
  /** The first value that the rule ever saw; null: none yet. */
  first: number | null;
}

/** Whether a condition holds, and what it compared with. */
export interface Verdict {
  holds: boolean;
  /** Whether it holds even with the hysteresis: while it does, the condition has not been left. */
  holdsRelaxed: boolean;
  baseline: number | null;
}

const dayMs = 86_400_000;
const hourMs = 3_600_000;
const no: Verdict = { holds: false, holdsRelaxed: false, baseline: null };

/** How far back a rule needs history, ms; 0: not at all. */
export function historyMs(kind: RuleKind, params: Readonly<Record<string, unknown>>): number {
  if (kind === 'lowestInDays') return Number(params.days) * dayMs;
  if (kind === 'changePercent' && typeof params.since === 'number') return params.since * hourMs;
  return 0;
}

/** Judges one reading at a moment. Source: docs/meaning.md#rules-and-alerts. */
export function judgeReading(
  kind: RuleKind,
  params: Readonly<Record<string, unknown>>,
  hysteresisPercent: number,
  reading: Reading,
  { at, before }: BookTime,
  memory: Memory,
): Verdict {
  const slack = hysteresisPercent / 100;
  const { value, held } = reading;
  const below = (limit: number, here = value, there = held): Verdict => ({
    // A missing offer that is not yet gone must not decide: the condition has to hold with and without it.
    holds: here !== null && here < limit && (there ?? here) < limit,
    holdsRelaxed: isBelow(here, rounded(limit * (1 + slack))) || isBelow(there, rounded(limit * (1 + slack))),
    baseline: limit,
  });
  switch (kind) {
    case 'priceBelow':
      return below(Number(params.usd));
    case 'supplyBelow':
      return below(Number(params.offers));
    case 'percentileBelow':
      return below(Number(params.percentile), reading.percentile ?? null, reading.heldPercentile ?? null);
    case 'backInStock':
      return { holds: (value ?? 0) >= 1, holdsRelaxed: (value ?? 0) >= 1 || (held ?? 0) >= 1, baseline: 0 };
    case 'lowestInDays': {
      const lowest = lowestSince(memory.history, at - Number(params.days) * dayMs, before);
      return lowest === null ? no : below(lowest);
    }
    case 'indexChange':
      return judgeSize(value, Number(params.percent), slack);
    case 'changePercent':
      return judgeChange(params, slack, reading, at, memory);
    default: {
      // bidSpread and the rules on events: at or above a limit.
      const limit = Number(
        params.percent ?? params.usdPerHour ?? params.minutes ?? params.share ?? reading.limit ?? 1,
      );
      const reaches = (each: number | null, of: number) => each !== null && each >= of;
      return {
        holds: reaches(value, limit) && reaches(held ?? value, limit),
        holdsRelaxed:
          reaches(value, rounded(limit * (1 - slack))) || reaches(held, rounded(limit * (1 - slack))),
        baseline: limit,
      };
    }
  }
}

// 0.4 plus 10 % is exactly 0.44, not a little more.
const rounded = (value: number): number => Number(value.toPrecision(12));
const isBelow = (value: number | null, limit: number): boolean => value !== null && value < limit;

function judgeChange(
  params: Readonly<Record<string, unknown>>,
  slack: number,
  { value, held }: Reading,
  at: number,
  memory: Memory,
): Verdict {
  const {
    since,
    percent,
    direction = 'any',
  } = params as { since: unknown; percent: number; direction?: string };
  const before = typeof since === 'number' ? entryAt(memory.history, at - since * hourMs) : null;
  const baselines =
    typeof since === 'number'
      ? [before?.[1] ?? null, before?.[2] ?? null]
      : [memory.fired?.value ?? memory.first];
  const [baseline = null] = baselines;
  if (baseline === null || value === null) return { ...no, holdsRelaxed: false, baseline };
  const reaches = (here: number, from: number | null, limit: number): boolean => {
    if (from === null || from === 0) return false;
    // Rounded: 0.33 is 10 % above 0.3 although floating point says a little less.
    const change = rounded(((here - from) / from) * 100);
    if (direction === 'down') return -change >= limit;
    return direction === 'up' ? change >= limit : Math.abs(change) >= limit;
  };
  const here = [value, held ?? value];
  const all = baselines.filter((each) => each !== null);
  return {
    holds: here.every((each) => all.every((from) => reaches(each, from, percent))),
    holdsRelaxed: here.some((each) => reaches(each, baseline, percent * (1 - slack))),
    baseline,
  };
}

/** Whether a change reaches a limit, up or down. An unknown change does not. */
function judgeSize(value: number | null, limit: number, slack: number): Verdict {
  const size = Math.abs(value ?? 0);
  return { holds: size >= limit, holdsRelaxed: size >= rounded(limit * (1 - slack)), baseline: limit };
}

/** Returns the lowest value of the books in (from, now); null: none. */
function lowestSince(history: readonly HistoryEntry[], from: number, newest: number | null): number | null {
  let lowest: number | null = null;
  for (const [index, [begins, value]] of history.entries()) {
    // A value lasts until the book before the next change, so an earlier one may reach into the window.
    const next = history[index + 1];
    const lastBook = Math.max(begins, (next === undefined ? newest : next[3]) ?? begins);
    if (lastBook <= from || value === null) continue;
    if (lowest === null || value < lowest) lowest = value;
  }
  return lowest;
}

/** Returns the value at a moment; null: history does not reach back that far. */
function entryAt(history: readonly HistoryEntry[], at: number): HistoryEntry | null {
  return history.findLast(([begins]) => begins <= at) ?? null;
}

/** Returns the history with one more book, without entries that are no longer needed. */
export function extendHistory(
  history: readonly HistoryEntry[],
  entry: HistoryEntry,
  reachMs: number,
): readonly HistoryEntry[] {
  const last = history.at(-1);
  const isSame = last !== undefined && last[1] === entry[1] && last[2] === entry[2];
  const next = isSame ? history : [...history, entry];
  // The value at the window's beginning is still needed.
  const first = next.findLastIndex(([begins]) => begins <= entry[0] - reachMs);
  return first > 0 ? next.slice(first) : next;
}
