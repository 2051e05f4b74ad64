import { pick, type Random } from './pick.ts';

/** Existing values found in answers, by kind; requests use them to get past the first check. */
export interface KnownValues {
  /** Collects the values of a successful answer of `path`. */
  learn: (path: string, json: unknown) => void;
  /** null: none is known. */
  one: (name: string, random: Random) => unknown;
  has: (name: string) => boolean;
  /** Deleted values. */
  forget: (name: string, value: unknown) => void;
  /** Values that must never be picked, because the proof depends on them. */
  protect: (value: unknown) => void;
}

const wanted: ReadonlySet<string> = new Set([
  ...['gpuName', 'country', 'machineId', 'hostId', 'offerId', 'listingId', 'instanceId', 'rentalId'],
  ...['hashId', 'templateId', 'volumeId', 'volumeOfferId', 'nextCursor', 'token'],
]);
const kept = 60;

/** The path of the list that an item belongs to: `/api/watches` of `/api/watches/{id}/report`. */
export const listOf = (path: string): string => path.split('/').slice(0, 3).join('/');

export function createKnownValues(): KnownValues {
  const values = new Map<string, unknown[]>();
  const spared = new Set<unknown>();
  function add(name: string, value: unknown): void {
    const known = values.get(name) ?? [];
    if (spared.has(value) || value === null || known.includes(value)) return;
    known.push(value);
    if (known.length > kept) known.shift();
    values.set(name, known);
  }
  function walk(value: unknown, depth: number): void {
    if (depth > 5 || typeof value !== 'object' || value === null) return;
    for (const [key, item] of Object.entries(value)) {
      if (wanted.has(key)) add(key, item);
      else walk(item, depth + 1);
    }
  }
  return {
    learn: (path, json) => {
      if (typeof json !== 'object' || json === null) return;
      const { items = [json] } = json as { items?: unknown };
      const rows = Array.isArray(items) ? items.slice(0, 50) : [];
      for (const row of rows as ({ id?: unknown; url?: unknown } | null)[]) {
        if (row?.id !== undefined) add(listOf(path), row.id);
        if (typeof row?.url === 'string' && row.url.includes('/sheets/'))
          add('sheet', row.url.split('/').at(-2));
      }
      walk(Array.isArray(items) ? { rows, ...(json as object), items: [] } : json, 0);
    },
    one: (name, random) => {
      const known = values.get(name) ?? [];
      return known.length === 0 ? null : pick(known, random);
    },
    has: (name) => (values.get(name)?.length ?? 0) > 0,
    forget: (name, value) => {
      values.set(
        name,
        (values.get(name) ?? []).filter((each) => String(each) !== String(value)),
      );
    },
    protect: (value) => {
      spared.add(value);
      for (const [name, known] of values)
        values.set(
          name,
          known.filter((each) => each !== value),
        );
    },
  };
}
