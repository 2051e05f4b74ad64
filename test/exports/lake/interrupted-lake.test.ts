import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { columnsOf } from '../../../src/exports/export-column.ts';
import type { LakeStore } from '../../../src/exports/lake/lake-store.ts';
import type { LakeSource, LakeTable } from '../../../src/exports/lake/lake-table.ts';
import { foldersAbove, openLocalStore } from '../../../src/exports/lake/local-store.ts';
import { type LakeOptions, type LakeSummary, writeLake } from '../../../src/exports/lake/write-lake.ts';
import { askDuckDb } from '../../support/ask-duckdb.ts';
import { filesIn, type SeenLake, seeLake } from '../../support/lake-files.ts';

const table = (name: string): LakeTable => ({ name, columns: columnsOf({ value: 'text' }), scale: 0 });
const tables = [table('books'), table('prices')];

/** What a made database has: a value a day, in both tables. */
type Days = Record<string, string>;

const sourcesOf = (days: Days): LakeSource[] =>
  tables.map((of) => ({
    table: of,
    market: 'made',
    days: new Map(Object.entries(days)),
    rows: async function* (from, to) {
      yield Object.entries(days)
        .filter(([day]) => day >= from && day < to)
        .map(([day, value]) => [day, value]);
    },
  }));

function write(store: LakeStore, days: Days, options: Partial<LakeOptions> = {}): Promise<LakeSummary> {
  return writeLake(store, sourcesOf(days), {
    head: {
      ...{ version: 'test', asOf: new Date('2026-09-01T00:00:00Z'), tables, adopt: false },
      markets: [{ name: 'made', createdAt: '2026-01-01T00:00:00.000Z' }],
    },
    ...{ from: null, to: null, openFrom: '2026-09-01', withOpen: false, prune: false },
    now: new Date(),
    onProgress: () => {},
    signal: new AbortController().signal,
    ...options,
  });
}

/** When what an interrupted run left may be cleared away. */
const inTwoHours = (): Date => new Date(Date.now() + 2 * 3_600_000);

class Killed extends Error {}

/** A place at which the process dies before its n-th change, or in the middle of it. */
function dyingStore(store: LakeStore, root: string, at: number): LakeStore {
  let changes = 0;
  const live = async <T>(half: string | null, change: () => Promise<T>): Promise<T> => {
    changes += 1;
    if (changes < at) return await change();
    if (half !== null) await writeFile(join(root, half), 'half').catch(() => {});
    throw new Killed();
  };
  const partOf = (path: string): string => path.replace(/[^/]+$/, (name) => `.${name}.tmp`);
  return {
    ...store,
    write: (path, bytes) => live(partOf(path), () => store.write(path, bytes)),
    replaceManifest: (text, tag) => live('.manifest.json.tmp', () => store.replaceManifest(text, tag)),
    remove: (path) => live(null, () => store.remove(path)),
  };
}

/** The values of each day, which must be the same in both tables. */
function valuesOf({ manifest }: SeenLake): Record<string, unknown> {
  const of = (name: string) =>
    (manifest?.days ?? []).map(({ day, sources }) => [day, sources[name]] as const);
  expect(of('books')).toEqual(of('prices'));
  return Object.fromEntries(of('books'));
}

describe('a lake', () => {
  let folder: string;
  let made = 0;
  const newRoot = (): string => {
    made += 1;
    return join(folder, String(made));
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'offerbook-lake-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  // Three parts of two weeks.
  const before: Days = { '2026-05-01': 'a', '2026-05-02': 'b', '2026-07-01': 'c', '2026-08-20': 'd' };
  const after: Days = { ...before, '2026-05-02': 'B', '2026-07-02': 'e', '2026-08-20': 'D' };

  it('names whole files only, of one state a part, wherever a run is interrupted', async () => {
    const parts = [['2026-05-02'], ['2026-07-02'], ['2026-08-20']];
    let interrupted = 0;
    for (let at = 1; ; at += 1) {
      const root = newRoot();
      const store = await openLocalStore(root);
      await write(store, before);
      const ended = await write(dyingStore(store, root, at), after).catch((error: unknown) => error);
      const seen = seeLake(await filesIn(root));
      expect(seen.broken, `before change ${at}`).toEqual([]);
      const values = valuesOf(seen);
      const states = parts.map((days) => {
        const isNew = days.every((day) => values[day] === after[day]);
        const isOld = days.every((day) => values[day] === before[day]);
        expect(isNew || isOld, `before change ${at}`).toBe(true);
        return isNew;
      });
      // Parts are finished in order.
      expect(states).toEqual(states.toSorted((a, b) => Number(b) - Number(a)));
      await write(store, after, { now: inTwoHours() });
      const repaired = seeLake(await filesIn(root));
      expect([valuesOf(repaired), repaired.broken]).toEqual([after, []]);
      expect(repaired.beside.filter((path) => path !== '.manifest.json.tmp')).toEqual([]);
      if (!(ended instanceof Killed)) break;
      interrupted += 1;
    }
    // Six files, three manifests and four old files.
    expect(interrupted).toBe(13);
  });

  it('writes nothing if nothing has changed, and only what has changed otherwise', async () => {
    const store = await openLocalStore(newRoot());
    expect((await write(store, before)).written).toMatchObject({ files: 8, rows: 8 });
    const first = await store.readManifest();
    expect(await write(store, before)).toMatchObject({ written: { files: 0 }, unchanged: 8, removed: 0 });
    expect(await store.readManifest()).toEqual(first);
    expect(await write(store, after)).toMatchObject({ written: { files: 6 }, unchanged: 4, removed: 4 });
  });

  it('leaves the open day out, or replaces it', async () => {
    const store = await openLocalStore(newRoot());
    const days = { '2026-08-31': 'x', '2026-09-01': 'half' };
    expect((await write(store, days)).total.rows).toBe(2);
    expect((await write(store, days, { withOpen: true })).total.rows).toBe(4);
    const open = { openFrom: '2026-09-02' };
    await write(store, { ...days, '2026-09-01': 'whole' }, open);
    const { text = '' } = (await store.readManifest()) ?? {};
    expect(JSON.parse(text).days).toMatchObject([
      { day: '2026-08-31', final: true },
      { day: '2026-09-01', final: true, sources: { books: 'whole' } },
    ]);
  });

  it('keeps days before the first one of the database, drops others, and prunes when told', async () => {
    const store = await openLocalStore(newRoot());
    await write(store, before);
    const later = { '2026-07-01': 'c', '2026-07-09': 'f' };
    const kept = await write(store, later);
    expect([kept.keptDays, kept.total.files]).toEqual([2, 8]);
    const pruned = await write(store, later, { prune: true });
    expect([pruned.keptDays, pruned.total.files]).toEqual([0, 4]);
    expect(await write(store, {})).toMatchObject({ keptDays: 2, total: { files: 4 } });
  });

  it('writes a file again that is missing or cut', async () => {
    const root = newRoot();
    const store = await openLocalStore(root);
    await write(store, before);
    const [one = '', two = ''] = [...(await filesIn(root)).keys()].filter((path) => path.includes('day='));
    await rm(join(root, one));
    await truncate(join(root, two), 20);
    expect((await write(store, before)).written.files).toBe(2);
    expect(seeLake(await filesIn(root)).broken).toEqual([]);
  });

  it('refuses a market of another database unless told, and a manifest replaced meanwhile', async () => {
    const root = newRoot();
    const store = await openLocalStore(root);
    await write(store, before);
    const head = {
      ...{ version: 'test', asOf: new Date('2026-09-01T00:00:00Z'), tables, adopt: false },
      markets: [{ name: 'made', createdAt: '2026-02-02T00:00:00.000Z' }],
    };
    await expect(write(store, before, { head })).rejects.toThrow('--adopt');
    await write(store, before, { head: { ...head, adopt: true } });
    const racing: LakeStore = {
      ...store,
      write: async (path, bytes) => {
        await store.write(path, bytes);
        await writeFile(join(root, 'manifest.json'), '{}');
      },
    };
    await expect(write(racing, after, { head })).rejects.toThrow('Another run has written');
  });

  it('leaves files alone that no manifest names until they are an hour old: another run may be about to', async () => {
    const root = newRoot();
    const store = await openLocalStore(root);
    await write(store, before);
    let others = 0;
    const shared: LakeStore = {
      ...store,
      replaceManifest: async (text, tag) => {
        others += 1;
        if (others === 1) expect((await write(store, before)).cleared).toBe(0);
        return await store.replaceManifest(text, tag);
      },
    };
    await write(shared, after);
    expect(others).toBe(3);
    const seen = seeLake(await filesIn(root));
    expect([valuesOf(seen), seen.broken]).toEqual([after, []]);
    const left = 'books/market=made/day=2026-05-01/part-0123456789abcdef.parquet';
    await writeFile(join(root, left), 'left over');
    expect((await write(store, after)).cleared).toBe(0);
    expect((await write(store, after, { now: inTwoHours() })).cleared).toBe(1);
    expect(seeLake(await filesIn(root)).beside).toEqual([]);
  });

  it('can be at a relative path, or at the root of the system', async () => {
    const root = newRoot();
    await write(await openLocalStore(relative(process.cwd(), root)), before);
    expect(valuesOf(seeLake(await filesIn(root)))).toEqual(before);
    expect(foldersAbove('/', 'books/market=a/file')).toEqual(['/', '/books', '/books/market=a']);
    expect(foldersAbove('.', 'books/file')).toEqual(['.', 'books']);
    expect(foldersAbove('/', 'manifest.json')).toEqual(['/']);
  });

  it('says that the disk is full, and keeps the last state', async () => {
    const root = newRoot();
    const store = await openLocalStore(root);
    await write(store, before);
    const full = Object.assign(new Error('no space'), { code: 'ENOSPC', syscall: 'write' });
    const { explained } = await import('../../../src/exports/lake/local-store.ts');
    await expect(explained(root, () => Promise.reject(full))).rejects.toThrow('its disk is full');
    const failing = { ...store, write: () => explained(root, () => Promise.reject(full)) };
    await expect(write(failing, after)).rejects.toThrow(/ENOSPC.*stays as it was/);
    expect(valuesOf(seeLake(await filesIn(root)))).toEqual(before);
  });

  it('is read by DuckDB with market and day as columns', async () => {
    const root = newRoot();
    await write(await openLocalStore(root), before);
    const rows = await askDuckDb(
      `select market, day, value from read_parquet('${root}/books/*/*/*.parquet') order by day limit 2`,
    );
    expect(rows).toEqual([
      { market: 'made', day: '2026-05-01', value: 'a' },
      { market: 'made', day: '2026-05-02', value: 'b' },
    ]);
  });
});
