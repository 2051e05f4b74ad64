import { accessMutants } from './access-mutants.ts';
import { answerMutants } from './answer-mutants.ts';
import { instanceMutants } from './instance-mutants.ts';
import { invoiceMutants } from './invoice-mutants.ts';
import type { Mutant } from './mutant.ts';
import { rentMutants } from './rent-mutants.ts';
import { searchMutants } from './search-mutants.ts';
import { templateMutants } from './template-mutants.ts';

/** Every mutant, by section. */
export const mutants: readonly Mutant[] = [
  ...accessMutants,
  ...answerMutants,
  ...instanceMutants,
  ...invoiceMutants,
  ...rentMutants,
  ...searchMutants,
  ...templateMutants,
].sort((a, b) => compareSections(a.section, b.section) || (a.id < b.id ? -1 : 1));

/** Returns the mutant with that id. Throws for an unknown id. */
export function mutantOf(id: string): Mutant {
  const mutant = mutants.find((candidate) => candidate.id === id);
  if (mutant === undefined) throw new Error(`there is no mutant ${id}`);
  return mutant;
}

function compareSections(a: string, b: string): number {
  const [left, right] = [a.split('.').map(Number), b.split('.').map(Number)];
  return (left[0] ?? 0) - (right[0] ?? 0) || (left[1] ?? 0) - (right[1] ?? 0);
}
