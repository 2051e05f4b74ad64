import { UserError } from '../core/errors.ts';
import { answerMutants } from './mutants/answer-mutants.ts';
import { parameterMutants } from './mutants/parameter-mutants.ts';
import { ruleMutants } from './mutants/rule-mutants.ts';

/** One documented behaviour that the simulator can be made to break, so that a test of it can be seen to fail. */
export interface Mutant {
  id: string;
  /** What is wrong then. */
  breaks: string;
  /** Of the specification, `4.2`. */
  section: string;
}

/** Which mutants are on. */
export interface MutantSwitch {
  /** Whether any is. */
  readonly any: boolean;
  has(id: string): boolean;
}

/** Every mutant, by section. */
export const mutants: readonly Mutant[] = [
  ...ruleMutants.map(([id, section, breaks]) => ({ id, section, breaks })),
  ...parameterMutants,
  ...answerMutants.map(({ id, section, breaks }) => ({ id, section, breaks })),
].sort((a, b) => compareSections(a.section, b.section) || (a.id < b.id ? -1 : 1));

/** Nothing is broken. */
export const noMutants: MutantSwitch = { any: false, has: () => false };

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
