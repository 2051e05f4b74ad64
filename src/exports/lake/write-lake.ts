import { dayFiles } from './day-files.ts';
import { type LakeHead, type LakeState, openLakeState } from './lake-state.ts';
import type { LakeStore } from './lake-store.ts';
import type { LakeSource } from './lake-table.ts';
import { filePath, isLakePath, marketFolder } from './manifest.ts';
import { asRanges, inParts, type LakeRange, type PlannedDay, planLake, wantedDays } from './plan-lake.ts';

export interface LakeOptions extends LakeRange {
  head: LakeHead;
  /** By the clock of the place, nearly. */
  now: Date;
  onProgress: (done: number, total: number) => void;
  signal: AbortSignal;
}

/** What a run did, and what the lake holds now. */
export interface LakeSummary {
  place: string;
  /** Files written by this run, with their rows and bytes. */
  written: Totals;
  /** Files that this run replaced or took out. */
  removed: number;
  /** Files of an interrupted run, older than an hour, that were cleared away. */
  cleared: number;
  /** Tables of days that had not changed. */
  unchanged: number;
  /** Days that the database no longer has, and the lake keeps. */
  keptDays: number;
  total: Totals;
}

interface Totals {
  files: number;
  rows: number;
  bytes: number;
}

/**
 * Brings a lake up to the database: writes days that are new or have changed, some weeks at a time. New files get new
 * names, the manifest is replaced once they are safe, and only then are old files removed: if the program ends in
 * between, the manifest still names whole files only.
 */
export async function writeLake(
  store: LakeStore,
  sources: readonly LakeSource[],
  options: LakeOptions,
): Promise<LakeSummary> {
  const { head, openFrom, now, onProgress, signal } = options;
  const state = await openLakeState(store, head);
  const { present, cleared } = await clearLeftovers(store, state, sources, now);
  const plan = planLake(state, sources, options, ({ path, bytes }) => present.get(path) !== bytes);
  const written: Totals = { files: 0, rows: 0, bytes: 0 };
  let [removed, done] = [0, 0];
  for (const part of inParts(plan.changes)) {
    for (const [source, changes] of bySource(part)) {
      for (const change of changes.filter(({ madeFrom }) => madeFrom === null)) {
        state.drop({ table: source.table.name, market: source.market, day: change.day });
      }
      await writeDays(store, state, source, changes, { present, written, signal });
      done += changes.length;
      onProgress(done, plan.changes.length);
    }
    const days = new Set(part.map(({ day }) => day));
    finishDays(state, sources, openFrom, (day) => days.has(day));
    removed += await state.commit();
  }
  finishDays(state, sources, openFrom, wantedDays(options));
  removed += await state.commit();
  const files = state.files();
  const sum = (of: (file: (typeof files)[number]) => number): number =>
    files.reduce((total, file) => total + of(file), 0);
  return {
    place: store.place,
    written,
    removed,
    cleared,
    unchanged: plan.unchanged,
    keptDays: plan.kept.size,
    total: { files: files.length, rows: sum(({ rows }) => rows), bytes: sum(({ bytes }) => bytes) },
  };
}

/** A run of another database may be about to name younger files, which the lock of this one does not keep away. */
const minLeftoverAgeMs = 60 * 60_000;

/** Removes old files that the manifest does not name, and returns those that it names with their sizes. */
async function clearLeftovers(
  store: LakeStore,
  state: LakeState,
  sources: readonly LakeSource[],
  now: Date,
): Promise<{ present: Map<string, number>; cleared: number }> {
  const present = new Map<string, number>();
  const before = new Date(now.getTime() - minLeftoverAgeMs);
  const leftovers: string[] = [];
  const held = new Set(state.files().map(({ path }) => path));
  for (const { table, market } of sources) {
    for await (const { path, bytes, writtenAt } of store.list(marketFolder(table.name, market))) {
      if (held.has(path)) present.set(path, bytes);
      else if (isLakePath(path) && writtenAt < before) leftovers.push(path);
    }
  }
  for (const path of leftovers) await store.remove(path);
  return { present, cleared: leftovers.length };
}

function bySource(changes: readonly PlannedDay[]): Map<LakeSource, PlannedDay[]> {
  const groups = new Map<LakeSource, PlannedDay[]>();
  for (const change of changes) groups.set(change.source, [...(groups.get(change.source) ?? []), change]);
  return groups;
}

interface Writing {
  present: Map<string, number>;
  written: Totals;
  signal: AbortSignal;
}

async function writeDays(
  store: LakeStore,
  state: LakeState,
  { table, market, rows }: LakeSource,
  changes: readonly PlannedDay[],
  { present, written, signal }: Writing,
): Promise<void> {
  const sources = new Map(
    changes.flatMap(({ day, madeFrom }) => (madeFrom === null ? [] : [[day, madeFrom]])),
  );
  for (const { from, to } of asRanges([...sources.keys()])) {
    for await (const file of dayFiles(table, rows(from, to))) {
      signal.throwIfAborted();
      const { day } = file;
      const source = sources.get(day);
      if (source === undefined) throw new Error(`${table.name} gave the day ${day}, which was not asked for`);
      sources.delete(day);
      const path = filePath(table.name, market, day, file.sha256);
      if (present.get(path) !== file.bytes.length) {
        await store.write(path, file.bytes);
        written.files += 1;
        written.rows += file.rows;
        written.bytes += file.bytes.length;
      }
      state.set({ table: table.name, market, day, source }, file);
    }
  }
  // Days that turned out to have no rows.
  for (const [day, source] of sources) state.set({ table: table.name, market, day, source }, null);
}

/** States of each of these days whether it was over when all its tables were compared with the database. */
function finishDays(
  state: LakeState,
  sources: readonly LakeSource[],
  openFrom: string,
  isWanted: (day: string) => boolean,
): void {
  for (const market of new Set(sources.map((source) => source.market))) {
    const compared = new Set(sources.filter((s) => s.market === market).map(({ table }) => table.name));
    for (const day of state.daysOf(market)) {
      if (!isWanted(day.day)) continue;
      if (Object.keys(day.sources).every((table) => compared.has(table))) {
        state.setFinal(day, day.day < openFrom);
      }
    }
  }
}
