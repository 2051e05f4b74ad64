import { readRecordedBooks } from '../src/books/import/recorded-books.ts';
import type { Sql } from '../src/database/connection.ts';
import { type ImportPhase, importPhases } from './import-task.ts';
import { runImportChild } from './killed-import.ts';
import type { ProofDatabase, ProofDatabases } from './proof-databases.ts';
import { shuffle } from './seeded-random.ts';
import { compareContents, readStoredContents, type StoredContents } from './stored-contents.ts';
import { findHalfBooks } from './whole-books.ts';

export type Kills = Record<ImportPhase, number>;

/** A file and how many books it holds. */
export interface BookFile {
  file: string;
  books: number;
}

/** The result of an undisturbed import. */
export interface Undisturbed {
  contents: StoredContents;
  /** 90th percentile of a phase's duration, ms. */
  usualMs: Record<ImportPhase, number>;
}

/** The result of one round, with the defects found afterwards. */
export interface Round {
  kills: Kills;
  /** Kills after which the book was stored completely, and kills after which it was not stored. */
  bookThere: Kills;
  /** Found by `findHalfBooks`, after a kill or at the end. */
  halfBooks: string[];
  /** Differences between this database, after a second import, and an undisturbed one. */
  differences: string[];
  /** Imports that failed without being killed. */
  troubles: string[];
}

export const noKills = (): Kills => ({ paging: 0, copy: 0, merge: 0, commit: 0 });
export const totalOf = (kills: Kills): number => Object.values(kills).reduce((sum, count) => sum + count, 0);

/** Adds the second counts to the first. */
export function addKills(sum: Kills, more: Kills): void {
  for (const phase of importPhases) sum[phase] += more[phase];
}

/** Returns how many books each file holds, read independently of the import. */
export async function countBooks(files: readonly string[]): Promise<BookFile[]> {
  return await Promise.all(
    files.map(async (file) => ({ file, books: (await readRecordedBooks(file)).length })),
  );
}

/** Imports everything once without a kill. Throws if that already leaves a defect. */
export async function importUndisturbed(
  databases: ProofDatabases,
  files: readonly BookFile[],
): Promise<Undisturbed> {
  const { sql, target, drop } = await databases.create();
  try {
    const task = { target, files: files.map(({ file }) => file), booksBefore: 0, transaction: true };
    const { counts, trouble, phaseMs } = await runImportChild(task, null);
    if (counts === null) throw new Error(`the undisturbed import failed: ${trouble}`);
    const problems = await findHalfBooks(sql);
    if (problems.length > 0) throw new Error(`the undisturbed import left ${problems.join('; ')}`);
    const usualMs = noKills();
    for (const each of importPhases) {
      const sorted = phaseMs.flatMap(({ phase, ms }) => (phase === each ? [ms] : [])).sort((a, b) => a - b);
      usualMs[each] = sorted[Math.floor(sorted.length * 0.9)] ?? 0;
    }
    return { contents: await readStoredContents(sql), usualMs };
  } finally {
    await drop();
  }
}

interface RoundOptions {
  databases: ProofDatabases;
  random: () => number;
  files: readonly BookFile[];
  undisturbed: Undisturbed;
  transaction: boolean;
  /** Returns the phase to be killed next in this round, or null if there were enough kills. */
  next: (kills: Kills) => ImportPhase | null;
}

/** Fills a database under kills, in a random order, then imports everything again and compares. */
export async function killRound(options: RoundOptions): Promise<Round> {
  const database = await options.databases.create();
  const round: Round = {
    kills: noKills(),
    bookThere: noKills(),
    halfBooks: [],
    differences: [],
    troubles: [],
  };
  try {
    const order = shuffle(options.files, options.random);
    await killUntilFull(options, database, order, round);
    const files = order.map(({ file }) => file);
    const { target, sql } = database;
    const task = { target, files, booksBefore: 0, transaction: options.transaction };
    const { counts, trouble } = await runImportChild(task, null);
    if (counts === null) round.troubles.push(`importing again failed: ${trouble}`);
    round.halfBooks.push(...(await findHalfBooks(sql)));
    round.differences.push(...compareContents(options.undisturbed.contents, await readStoredContents(sql)));
    return round;
  } finally {
    await database.drop();
  }
}

async function killUntilFull(
  options: RoundOptions,
  { sql, target }: ProofDatabase,
  order: readonly BookFile[],
  round: Round,
): Promise<void> {
  const { random, undisturbed, transaction } = options;
  const all = order.reduce((sum, { books }) => sum + books, 0);
  for (let stored = 0; stored < all; stored = await countStored(sql)) {
    const phase = options.next(round.kills);
    if (phase === null) return;
    const book = stored + 1 + Math.floor(random() * 2);
    const plan = { phase, book, delayMs: random() * undisturbed.usualMs[phase] };
    const { killed, last, counts, trouble, phaseMs } = await runImportChild(
      { target, ...unstoredFiles(order, stored), transaction },
      plan,
    );
    // The machine's pace changes: a delay drawn from an old one would miss the phase.
    for (const { phase: lasted, ms } of phaseMs) {
      undisturbed.usualMs[lasted] = 0.7 * undisturbed.usualMs[lasted] + 0.3 * ms;
    }
    round.halfBooks.push(...(await findHalfBooks(sql)));
    if (killed && last !== null) {
      round.kills[last.phase] += 1;
      if ((await countStored(sql)) >= last.book) round.bookThere[last.phase] += 1;
    } else if (counts === null) {
      round.troubles.push(`an import failed by itself: ${trouble}`);
      return;
    }
  }
}

/** Returns the files from the first one that is not completely stored; files are stored in order. */
function unstoredFiles(order: readonly BookFile[], stored: number): { files: string[]; booksBefore: number } {
  let booksBefore = 0;
  let first = 0;
  for (const { books } of order) {
    if (booksBefore + books > stored) break;
    booksBefore += books;
    first += 1;
  }
  return { files: order.slice(first).map(({ file }) => file), booksBefore };
}

async function countStored(sql: Sql): Promise<number> {
  const [row] = await sql<{ count: number }[]>`select count(*) from book`;
  return row?.count ?? 0;
}
