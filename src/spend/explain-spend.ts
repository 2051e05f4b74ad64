import { badField } from '../core/http/problem.ts';
import type { Sql } from '../database/connection.ts';
import { Exact } from './exact-sums.ts';
import { readTouchingEntries, type TouchingEntry } from './explained-entries.sql.ts';
import {
  type GroupingSpec,
  groupings,
  type SpendBasis,
  type SpendCategory,
  type SpendGrouping,
  type SpendScope,
} from './spend-grouping.ts';
import { createSpentParts, type SpentPart } from './spend-parts.ts';

/** The sum of a range to explain. */
export interface SpendSumKey {
  /** The groupings of the sum, with the value of each; null: the entries have none. */
  groups: readonly { by: SpendGrouping; key: string | null }[];
  /** null: all. */
  category: SpendCategory | null;
  basis: SpendBasis | null;
}

/** An entry and the part of it that the sum contains. */
export interface ExplainedEntry extends TouchingEntry {
  /** null: no part. */
  partUsd: string | null;
  /** Why none of it counts; null: some of it does. */
  rejected: string | null;
}

export interface SpendExplanation {
  taken: ExplainedEntry[];
  rejected: ExplainedEntry[];
  recomputed: { entries: number; amountUsd: string };
}

/** Maximum number of rows that a person would read. */
const maxEntries = 50_000;

/**
 * Returns the entries of a sum and how much of each counts, computed independently, entry by entry. Throws the 400 of
 * too many to list.
 */
export async function explainSpend(
  sql: Sql,
  scope: SpendScope,
  { groups, category, basis }: SpendSumKey,
): Promise<SpendExplanation> {
  const entries = await readTouchingEntries(sql, scope, maxEntries + 1);
  if (entries.length > maxEntries)
    throw badField('from', `gives a range of more than ${maxEntries} entries: choose a shorter one`);
  const partsOf = createSpentParts(scope);
  const taken: ExplainedEntry[] = [];
  const rejected: ExplainedEntry[] = [];
  let sum = new Exact(0);
  const reject = (entry: TouchingEntry, reason: string): void => {
    rejected.push({ ...entry, partUsd: null, rejected: reason });
  };
  for (const entry of entries) {
    if (entry.disappeared) {
      reject(entry, 'disappeared');
      continue;
    }
    if (category !== null && entry.category !== category) {
      reject(entry, 'other category');
      continue;
    }
    if (basis !== null && entry.basis !== basis) {
      reject(entry, 'other basis');
      continue;
    }
    const { amountUsd, startMicros: start, untilMicros: until } = entry;
    const parts = partsOf({ amountUsd, start, until });
    const unmet = groups.find(({ by, key }) => !parts.some((part) => groupOf(by, entry, part) === key));
    const own = parts.filter((part) => groups.every(({ by, key }) => groupOf(by, entry, part) === key));
    if (own.length === 0) {
      reject(entry, parts.length === 0 ? 'outside of the range' : `other ${unmet?.by ?? groups[0]?.by}`);
      continue;
    }
    const part = own.reduce((total, each) => total.plus(each.amountUsd), new Exact(0));
    sum = sum.plus(part);
    taken.push({ ...entry, partUsd: part.toString(), rejected: null });
  }
  return { taken, rejected, recomputed: { entries: taken.length, amountUsd: sum.toString() } };
}

/** Returns the value of a grouping for a part; null: the entry has none. */
function groupOf(by: SpendGrouping, entry: TouchingEntry, { day }: SpentPart): string | null {
  const grouping: GroupingSpec = groupings[by];
  if (!('days' in grouping)) return entry.groups[by] ?? null;
  if (grouping.days === 'week') return mondayOf(day);
  return grouping.days === 'month' ? day.slice(0, 7) : day;
}

function mondayOf(day: string): string {
  const at = new Date(`${day}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() - ((at.getUTCDay() + 6) % 7));
  return at.toISOString().slice(0, 10);
}

/** An entry as a row. */
export const presentEntry = (entry: ExplainedEntry) => ({
  entryId: entry.entryId,
  kind: entry.kind,
  category: entry.category,
  basis: entry.basis,
  start: entry.start.toISOString(),
  end: entry.end?.toISOString() ?? null,
  type: entry.type,
  source: entry.source,
  service: entry.service,
  description: entry.description,
  gpuName: entry.gpuName,
  label: entry.label,
  instanceId: entry.instanceId,
  amountUsd: entry.amountUsd,
  partUsd: entry.partUsd,
  rejected: entry.rejected,
});
