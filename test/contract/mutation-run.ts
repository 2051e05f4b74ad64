import type { Mutant } from '../simulator/mutants/mutant.ts';
import { playOnSimulators } from './play-suite.ts';
import type { WireCase } from './wire-file.ts';

/** The result for a mutant: the case that detected it, or null if none did. */
export interface MutantResult {
  mutant: Mutant;
  killedBy: string | null;
  /** Rows of the contract whose cases detected it, among those played. */
  rows: readonly string[];
  played: number;
}

/**
 * Plays cases against the simulator with one mutant on, the likeliest first, until one fails. A case that also
 * fails without a mutant proves nothing and is skipped.
 */
export async function huntMutant(mutant: Mutant, cases: readonly WireCase[]): Promise<MutantResult> {
  let played = 0;
  for await (const { wireCase, verdict } of playOnSimulators(byLikelihood(mutant, cases), mutant)) {
    played += 1;
    if (verdict.kind === 'passed' || !(await passesUnbroken(wireCase))) continue;
    return { mutant, killedBy: wireCase.id, rows: wireCase.rows, played };
  }
  return { mutant, killedBy: null, rows: [], played };
}

/** Returns the first case of a row that fails only with the mutant, or null if none does. */
export async function findCaseOfRow(
  row: string,
  mutant: Mutant,
  cases: readonly WireCase[],
): Promise<string | null> {
  const own = cases
    .filter(({ rows }) => rows.includes(row))
    .sort((a, b) => a.rows.length - b.rows.length || a.blocks.length - b.blocks.length);
  for await (const { wireCase, verdict } of playOnSimulators(own, mutant)) {
    if (verdict.kind !== 'passed' && (await passesUnbroken(wireCase))) return wireCase.id;
  }
  return null;
}

const unbroken = new WeakMap<WireCase, boolean>();

async function passesUnbroken(wireCase: WireCase): Promise<boolean> {
  const known = unbroken.get(wireCase);
  if (known !== undefined) return known;
  for await (const { verdict } of playOnSimulators([wireCase])) {
    unbroken.set(wireCase, verdict.kind === 'passed');
  }
  return unbroken.get(wireCase) ?? false;
}

/** Returns the cases, those with most words in common with the mutant first; a rare word counts more. */
function byLikelihood(mutant: Mutant, cases: readonly WireCase[]): WireCase[] {
  const wordsOfCases = cases.map((wireCase) => wordsOf(`${wireCase.id} ${wireCase.rows.join(' ')}`));
  const frequency = new Map<string, number>();
  for (const word of wordsOfCases.flatMap((words) => [...words])) {
    frequency.set(word, (frequency.get(word) ?? 0) + 1);
  }
  const wanted = [...wordsOf(mutant.id)];
  const scored = cases.map((wireCase, index) => {
    const shared = wanted.filter((word) => wordsOfCases[index]?.has(word));
    const rarity = shared.reduce((sum, word) => sum + 1 / (frequency.get(word) ?? 1), 0);
    const sameSection = wireCase.section.split(/[ ,]/).includes(mutant.section);
    return { wireCase, score: shared.length * 0.05 + rarity + (sameSection ? 0.1 : 0) };
  });
  return scored.sort((a, b) => b.score - a.score).map(({ wireCase }) => wireCase);
}

const wordsOf = (text: string): Set<string> => new Set(text.toLowerCase().match(/[a-z0-9_]+/g) ?? []);
