import type { LakeState } from './lake-state.ts';
import { addDays, type LakeSource } from './lake-table.ts';
import type { LakeFile } from './manifest.ts';

export interface LakeRange {
  /** First day; null: from the beginning. */
  from: string | null;
  /** Day after the last; null: up to the end. */
  to: string | null;
  /** The first day that is not over: it and later ones are open. */
  openFrom: string;
  /** Whether open days are written too. */
  withOpen: boolean;
  /** Whether days that the database has lost are removed from the lake. */
  prune: boolean;
}

/** A table of a day that must be written, or taken out. */
export interface PlannedDay {
  source: LakeSource;
  day: string;
  /** null: the database has no rows of it any more. */
  madeFrom: string | null;
}

export interface LakePlan {
  changes: PlannedDay[];
  /** Tables of days that are as the database has them. */
  unchanged: number;
  /** Days that only the lake has, because the database begins later. */
  kept: Set<string>;
}

/** Returns what has to change so that the lake is as the database. `isBroken`: whether a held file is missing or cut. */
export function planLake(
  state: LakeState,
  sources: readonly LakeSource[],
  range: LakeRange,
  isBroken: (file: LakeFile) => boolean,
): LakePlan {
  const plan: LakePlan = { changes: [], unchanged: 0, kept: new Set() };
  const isWanted = wantedDays(range);
  for (const source of sources) {
    const { market, days } = source;
    const { name } = source.table;
    const held = new Map(
      state.daysOf(market).flatMap(({ day, sources: made }) => {
        const from = made[name];
        return from === undefined ? [] : [[day, from] as const];
      }),
    );
    const first = [...days.keys()].reduce<string | null>(
      (least, day) => (least === null || day < least ? day : least),
      null,
    );
    for (const [day, madeFrom] of days) {
      if (!isWanted(day)) continue;
      const file = state.fileOf(name, market, day);
      if (held.get(day) === madeFrom && !(file !== null && isBroken(file))) plan.unchanged += 1;
      else plan.changes.push({ source, day, madeFrom });
    }
    for (const day of held.keys()) {
      if (days.has(day) || !isWanted(day)) continue;
      // A database forgets from its beginning: it is a new one, or begins later.
      if (!range.prune && (first === null || day < first)) plan.kept.add(`${market} ${day}`);
      else plan.changes.push({ source, day, madeFrom: null });
    }
  }
  return plan;
}

/** Returns whether a day is in the range. */
export const wantedDays =
  ({ from, to, withOpen, openFrom }: LakeRange) =>
  (day: string): boolean =>
    (from === null || day >= from) && (to === null || day < to) && (withOpen || day < openFrom);

/** Days that are written before the manifest is replaced. */
const daysAtOnce = 14;

/** Returns the changes in parts of two weeks of one market, in order. */
export function inParts(changes: readonly PlannedDay[]): PlannedDay[][] {
  const parts = new Map<string, PlannedDay[]>();
  const inOrder = [...changes].sort((a, b) => (a.day < b.day ? -1 : 1));
  for (const change of inOrder) {
    const week = Math.floor(Date.parse(change.day) / 86_400_000 / daysAtOnce);
    const key = `${change.source.market}|${week}`;
    parts.set(key, [...(parts.get(key) ?? []), change]);
  }
  return [...parts.values()];
}

/** Returns the days as ranges without gaps, `to` not included. */
export function asRanges(days: readonly string[]): { from: string; to: string }[] {
  const ranges: { from: string; to: string }[] = [];
  for (const day of [...days].sort()) {
    const last = ranges.at(-1);
    if (last?.to === day) last.to = addDays(day, 1);
    else ranges.push({ from: day, to: addDays(day, 1) });
  }
  return ranges;
}
