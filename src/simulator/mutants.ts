import { UserError } from '../core/errors.ts';
import type { Mutant, MutantSwitch } from './mutant-switch.ts';
import { answerMutants } from './mutants/answer-mutants.ts';
import { parameterMutants } from './mutants/parameter-mutants.ts';
import { ruleMutants } from './mutants/rule-mutants.ts';

/** Every mutant, by section. */
export const mutants: readonly Mutant[] = [
  ...ruleMutants.map(([id, section, breaks]) => ({ id, section, breaks })),
  ...parameterMutants,
  ...answerMutants.map(({ id, section, breaks }) => ({ id, section, breaks })),
].sort((a, b) => compareSections(a.section, b.section) || (a.id < b.id ? -1 : 1));

/** Switches mutants on. Throws a UserError for an id that is none. */
export function switchMutants(ids: readonly string[]): MutantSwitch {
  const known = new Set(mutants.map(({ id }) => id));
  const unknown = ids.filter((id) => !known.has(id));
  if (unknown.length > 0) throw new UserError(`There is no mutant ${unknown.join(', ')}.`);
  const on = new Set(ids);
  return { any: on.size > 0, has: (id) => on.has(id) };
}

function compareSections(a: string, b: string): number {
  const [left, right] = [a.split('.').map(Number), b.split('.').map(Number)];
  return (left[0] ?? 0) - (right[0] ?? 0) || (left[1] ?? 0) - (right[1] ?? 0);
}
