import {
  addKills,
  countBooks,
  importUndisturbed,
  type Kills,
  killRound,
  noKills,
  type Round,
  totalOf,
} from '../import-rounds.ts';
import { type ImportPhase, importPhases } from '../import-task.ts';
import type { Proof, ProofOptions, Topic } from '../proof.ts';
import { openProofDatabases, type ProofDatabases } from '../proof-databases.ts';
import { createRandom } from '../seeded-random.ts';

interface ImportProofOptions extends ProofOptions {
  /** Required kills in each phase. */
  killsAPhase: number;
  /** Kills of the control, without the transaction. */
  controlKills: number;
}

/** Attempts beyond the required kills of a phase, because a kill can miss its phase. */
const maxRounds = 30;
const maxControlRounds = 10;

export const importTopic: Topic = {
  promise: 'an import killed at any moment leaves whole books only; importing again gives the same figures',
  prove: (options) => proveImport({ ...options, killsAPhase: 20, controlKills: 20 }),
};

/**
 * Kills imports of the recorded books with SIGKILL at random moments of every phase. After each kill the
 * database holds only whole books; after a second import it equals an undisturbed one, table by table.
 * The control does the same without the transaction and must find half books and differences, otherwise the
 * checks prove nothing.
 */
export async function proveImport(options: ImportProofOptions): Promise<Proof> {
  if (options.bookFiles.length === 0) {
    return { ok: false, counts: {}, failures: ['the recorded market books are missing: set OFFERBOOK_DATA'] };
  }
  const databases = await openProofDatabases(options.server, options.log);
  try {
    return await killImports(options, databases);
  } finally {
    await databases.close();
  }
}

async function killImports(options: ImportProofOptions, databases: ProofDatabases): Promise<Proof> {
  const { killsAPhase, controlKills, log } = options;
  const files = await countBooks(options.bookFiles);
  const undisturbed = await importUndisturbed(databases, files);
  const common = { databases, random: createRandom(options.seed), files, undisturbed };
  const failures: string[] = [];
  const [kills, bookThere] = [noKills(), noKills()];
  const missing = (inRound: Kills): ImportPhase | null => {
    const rarest = rarestOf(importPhases, (phase) => kills[phase] + inRound[phase]);
    return kills[rarest] + inRound[rarest] < killsAPhase ? rarest : null;
  };
  let rounds = 0;
  while (missing(noKills()) !== null && failures.length === 0 && rounds < killsAPhase + maxRounds) {
    const round = await killRound({ ...common, transaction: true, next: missing });
    rounds += 1;
    addKills(kills, round.kills);
    addKills(bookThere, round.bookThere);
    failures.push(...round.halfBooks, ...round.differences, ...round.troubles);
    log.info({ ...kills, rounds, failures: failures.length }, 'imports killed');
  }
  if (missing(noKills()) !== null) failures.push(`some phase had fewer than ${killsAPhase} kills`);
  const found = failures.length;
  const control = await killWithoutTransaction(common, controlKills);
  failures.push(...controlProblems(control));
  const perPhase = (what: string, counted: Kills) =>
    importPhases.map((phase) => [`${what} ${phase}`, counted[phase]]);
  return {
    ok: failures.length === 0,
    failures,
    counts: {
      ...Object.fromEntries(perPhase('kills in', kills)),
      ...Object.fromEntries(perPhase('of them with the book stored: in', bookThere)),
      'books in a whole import': files.reduce((sum, { books }) => sum + books, 0),
      'databases filled under kills, imported again, compared': rounds,
      'half books, differences and failed imports': found,
      'control without the transaction: kills': totalOf(control.kills),
      'control: signs of half books': control.halfBooks.length,
      'control: tables that differ after importing again': control.differences.length,
    },
  };
}

/** Rounds without the transaction until damage is found: a kill that comes a moment late does none. */
async function killWithoutTransaction(
  common: Omit<Parameters<typeof killRound>[0], 'transaction' | 'next'>,
  controlKills: number,
): Promise<Round> {
  const all: Round = { kills: noKills(), bookThere: noKills(), halfBooks: [], differences: [], troubles: [] };
  for (let rounds = 0; rounds < maxControlRounds && controlProblems(all).length > 0; rounds += 1) {
    const next = (done: Kills): ImportPhase | null =>
      totalOf(done) < controlKills ? rarestOf(['merge', 'commit'], (phase) => done[phase]) : null;
    const round = await killRound({ ...common, transaction: false, next });
    addKills(all.kills, round.kills);
    all.halfBooks.push(...round.halfBooks);
    all.differences.push(...round.differences);
  }
  return all;
}

function controlProblems({ halfBooks, differences }: Round): string[] {
  const none = 'without the transaction was not found: the checks prove nothing';
  return [
    ...(halfBooks.length === 0 ? [`a half book ${none}`] : []),
    ...(differences.length === 0 ? [`a difference ${none}`] : []),
  ];
}

const rarestOf = (phases: readonly ImportPhase[], countOf: (phase: ImportPhase) => number): ImportPhase =>
  phases.reduce((least, phase) => (countOf(phase) < countOf(least) ? phase : least));
