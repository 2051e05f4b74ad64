import type { ChainedDay } from './chain-levels.ts';
import type { HostInfluences } from './pack-influences.ts';

/** An index series to compare with others, oldest day first. */
export interface IndexLine {
  days: readonly ChainedDay[];
  /** By day; a missing day is unknown. */
  influences: ReadonlyMap<number, HostInfluences>;
}

/** A level that is 100 on the base day, and two standard errors below and above it. */
export interface RebasedLevel {
  level: number;
  /** null: the error is unknown. */
  low: number | null;
  high: number | null;
}

export interface RebasedIndex {
  /** The first day that all non-empty lines have; null: there is none. */
  baseDay: number | null;
  /** By line and day. */
  lines: RebasedLevel[][];
}

const standardErrors = 2;
const significantDigits = 9;

/**
 * Returns levels as a percentage of those of one common day, with their bands. Days that no chain links with it are
 * relative to the first day that is linked with them. Source: docs/meaning.md#like-for-like-index.
 */
export function rebaseIndex(lines: readonly IndexLine[]): RebasedIndex {
  const baseDay = findCommonDay(lines);
  return { baseDay, lines: lines.map((line) => rebaseLine(line, baseDay)) };
}

function findCommonDay(lines: readonly IndexLine[]): number | null {
  const [first, ...others] = lines.filter(({ days }) => days.length > 0);
  const sets = others.map(({ days }) => new Set(days.map(({ day }) => day)));
  return first?.days.find(({ day }) => sets.every((set) => set.has(day)))?.day ?? null;
}

function rebaseLine({ days, influences }: IndexLine, baseDay: number | null): RebasedLevel[] {
  const bases = new Map<number, ChainedDay>();
  for (const own of days) if (!bases.has(own.start) || own.day === baseDay) bases.set(own.start, own);
  const sums = addUpInfluences(days, influences);
  return days.map((own) => {
    const base = bases.get(own.start) as ChainedDay;
    const level = (100 * own.level) / base.level;
    const error = errorBetween(sums.get(own.day), sums.get(base.day));
    const bound = (errors: number): number | null =>
      error === null ? null : rounded(level * Math.exp(errors * error));
    return { level: rounded(level), low: bound(-standardErrors), high: bound(standardErrors) };
  });
}

/** Contributions of hosts to the chain up to a day, from the day `since`. */
interface SummedInfluences {
  since: number;
  byHost: Float64Array;
}

/** Sums along the chain, restarting where the chain does and where an influence is unknown. */
function addUpInfluences(
  days: readonly ChainedDay[],
  influences: ReadonlyMap<number, HostInfluences>,
): Map<number, SummedInfluences> {
  const places = new Map<number, number>();
  for (const own of influences.values()) {
    for (const host of own.keys()) if (!places.has(host)) places.set(host, places.size);
  }
  const sums = new Map<number, SummedInfluences>();
  for (const { day, previous } of days) {
    const before = previous === null ? undefined : sums.get(previous);
    const own = influences.get(day);
    if (before === undefined || own === undefined) {
      sums.set(day, { since: day, byHost: new Float64Array(places.size) });
      continue;
    }
    const byHost = Float64Array.from(before.byHost);
    for (const [host, influence] of own) {
      const at = places.get(host) as number;
      byHost[at] = (byHost[at] as number) + influence;
    }
    sums.set(day, { since: before.since, byHost });
  }
  return sums;
}

/** Returns the standard error of the difference of two log levels; null: unknown. */
function errorBetween(a: SummedInfluences | undefined, b: SummedInfluences | undefined): number | null {
  if (a === undefined || b === undefined || a.since !== b.since) return null;
  let sum = 0;
  for (let at = 0; at < a.byHost.length; at += 1) {
    sum += ((a.byHost[at] as number) - (b.byHost[at] as number)) ** 2;
  }
  return Math.sqrt(sum);
}

const rounded = (value: number): number => Number(value.toPrecision(significantDigits));
