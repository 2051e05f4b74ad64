import { UserError } from '../../core/errors.ts';
import type { DayFile } from './day-files.ts';
import type { LakeStore } from './lake-store.ts';
import type { LakeTable } from './lake-table.ts';
import {
  filePath,
  type LakeDay,
  type LakeFile,
  lakeFormat,
  readManifest,
  writeManifest,
} from './manifest.ts';

/** A market of the lake. `createdAt` tells it from one of the same name in another database. */
export interface LakeMarket {
  name: string;
  createdAt: string;
}

/** What is written at the head of the manifest. */
export interface LakeHead {
  version: string;
  asOf: Date;
  tables: readonly LakeTable[];
  markets: readonly LakeMarket[];
  /** Whether a market of another database may continue here. */
  adopt: boolean;
}

/** The lake as its manifest has it, with changes that `commit` makes valid all at once. */
export interface LakeState {
  fileOf: (table: string, market: string, day: string) => LakeFile | null;
  /** The days of a market, in order. */
  daysOf: (market: string) => LakeDay[];
  files: () => LakeFile[];
  /** Sets what a table of a day was made from, and its file; null: it has no rows. */
  set: (of: { table: string; market: string; day: string; source: string }, file: DayFile | null) => void;
  /** Takes a table out of a day. */
  drop: (of: { table: string; market: string; day: string }) => void;
  setFinal: (day: LakeDay, final: boolean) => void;
  /** Makes the changes valid, then removes files that they have replaced; returns how many. */
  commit: () => Promise<number>;
}

/** Reads the manifest of a place, or begins one. Throws a UserError for a lake of another database or format. */
export async function openLakeState(store: LakeStore, head: LakeHead): Promise<LakeState> {
  const found = await store.readManifest();
  const manifest = found === null ? null : readManifest(found.text, store.place);
  const markets = { ...manifest?.markets };
  let isChanged = manifest === null;
  for (const { name, createdAt } of head.markets) {
    if (markets[name] !== undefined && markets[name].createdAt !== createdAt && !head.adopt) {
      throw new UserError(
        `${store.place} holds the market ${name} of another database: choose another place, or continue it with --adopt.`,
      );
    }
    if (markets[name]?.createdAt !== createdAt) isChanged = true;
    markets[name] = { createdAt };
  }
  const files = new Map((manifest?.files ?? []).map((file) => [keyOf(file), file]));
  const days = new Map((manifest?.days ?? []).map((day) => [`${day.market}|${day.day}`, day]));
  const replaced = new Set<string>();
  let tag = found?.tag ?? null;

  const put = (key: string, file: LakeFile | null): void => {
    const before = files.get(key);
    if (before !== undefined && before.path !== file?.path) replaced.add(before.path);
    if (file === null) files.delete(key);
    else files.set(key, file);
    isChanged = true;
  };

  return {
    fileOf: (table, market, day) => files.get(keyOf({ table, market, day })) ?? null,
    daysOf: (market) => inOrder([...days.values()].filter((each) => each.market === market)),
    files: () => [...files.values()],
    set: ({ table, market, day, source }, made) => {
      const entry = days.get(`${market}|${day}`) ?? { market, day, final: false, sources: {} };
      days.set(`${market}|${day}`, { ...entry, sources: { ...entry.sources, [table]: source } });
      const { rows = 0, bytes, sha256 = '' } = made ?? {};
      const path = filePath(table, market, day, sha256);
      const file = { table, market, day, path, rows, bytes: bytes?.length ?? 0, sha256 };
      put(keyOf({ table, market, day }), made === null ? null : file);
    },
    drop: ({ table, market, day }) => {
      const entry = days.get(`${market}|${day}`);
      if (entry !== undefined) {
        const { [table]: _, ...sources } = entry.sources;
        if (Object.keys(sources).length === 0) days.delete(`${market}|${day}`);
        else days.set(`${market}|${day}`, { ...entry, sources });
      }
      put(keyOf({ table, market, day }), null);
    },
    setFinal: ({ market, day }, final) => {
      const entry = days.get(`${market}|${day}`);
      if (entry === undefined || entry.final === final) return;
      days.set(`${market}|${day}`, { ...entry, final });
      isChanged = true;
    },
    commit: async () => {
      if (!isChanged) return 0;
      const text = writeManifest({
        format: lakeFormat,
        version: head.version,
        asOf: head.asOf.toISOString(),
        tables: Object.fromEntries(head.tables.map((table) => [table.name, { columns: schemaOf(table) }])),
        markets,
        days: inOrder([...days.values()]),
        files: [...files.values()].sort((a, b) => (a.path < b.path ? -1 : 1)),
      });
      tag = await store.replaceManifest(text, tag);
      isChanged = false;
      const removed = replaced.size;
      for (const path of replaced) await store.remove(path);
      replaced.clear();
      return removed;
    },
  };
}

const keyOf = ({ table, market, day }: Pick<LakeFile, 'table' | 'market' | 'day'>): string =>
  `${table}|${market}|${day}`;

const inOrder = (days: LakeDay[]): LakeDay[] =>
  days.sort((a, b) => (a.market === b.market ? (a.day < b.day ? -1 : 1) : a.market < b.market ? -1 : 1));

const sqlTypes = {
  text: 'VARCHAR',
  number: 'DOUBLE',
  integer: 'BIGINT',
  moment: 'TIMESTAMP WITH TIME ZONE',
  boolean: 'BOOLEAN',
} as const;

/** Returns the SQL types of a table's columns by name. */
export const schemaOf = ({ columns, scale }: LakeTable): Record<string, string> =>
  Object.fromEntries(
    columns.map(({ name, type }) => [
      name,
      type === 'usd' || type === 'decimal' ? `DECIMAL(38,${scale})` : sqlTypes[type],
    ]),
  );
