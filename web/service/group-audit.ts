import type { AuditLog } from '../../client/client.js';
import { sentenceCase } from '../core/sentence-case.ts';

type Entry = AuditLog['items'][number];

/** What was done, from the one or two entries of the audit log about it. */
export interface AuditedAction {
  /** When it was begun; its end, if only that is known. */
  at: string;
  entry: Entry;
  instanceId: number | null;
  /** What both entries say, without the outcome. */
  detail: Record<string, unknown>;
  /** As the page names it: `Accepted`, `Refused`. */
  outcome: string;
  /** Oldest first. */
  records: readonly Entry[];
}

/** Joins the entry before an action to the one after it. `entries` are newest first, and so are the actions. */
export function groupAudit(entries: readonly Entry[]): AuditedAction[] {
  const groups: [first: Entry, end: Entry | null][] = [];
  for (const entry of entries.toReversed()) {
    const begun = entry.phase === 'after' ? begunOf(groups, entry) : undefined;
    if (begun === undefined) groups.push([entry, null]);
    else begun[1] = entry;
  }
  return groups.map(([first, end]) => actionOf(first, end)).toReversed();
}

/** Returns the newest open group that an entry ends; of several only one with the same details. */
function begunOf(groups: readonly [Entry, Entry | null][], after: Entry) {
  const open = groups.filter(
    ([first, end]) => first.phase === 'before' && end === null && isOne(first, after),
  );
  return open.length === 1 ? open[0] : open.findLast(([first]) => agrees(detailOf(first), detailOf(after)));
}

const isOne = (first: Entry, after: Entry): boolean =>
  (['market', 'actor', 'action'] as const).every((name) => first[name] === after[name]) &&
  (['rentalId', 'instanceId'] as const).every(
    (name) => first[name] === null || after[name] === null || first[name] === after[name],
  );

const agrees = (one: Record<string, unknown>, other: Record<string, unknown>): boolean =>
  Object.entries(one).every(([name, value]) => !(name in other) || same(value, other[name]));

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

const detailOf = ({ detail }: Entry): Record<string, unknown> => ({ ...(detail as object) });

function actionOf(first: Entry, end: Entry | null): AuditedAction {
  const { outcome, ...detail } = { ...detailOf(first), ...(end === null ? {} : detailOf(end)) };
  return {
    at: first.at,
    entry: first,
    instanceId: end?.instanceId ?? first.instanceId,
    detail,
    outcome: outcomeWords((end ?? first).phase, outcome),
    records: end === null ? [first] : [first, end],
  };
}

function outcomeWords(phase: string, outcome: unknown): string {
  if (phase === 'before') return 'Begun, no outcome yet';
  if (phase === 'refused') return 'Refused';
  return sentenceCase(typeof outcome === 'string' ? outcome : 'done');
}
