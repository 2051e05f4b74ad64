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

/** Nothing is broken. */
export const noMutants: MutantSwitch = { any: false, has: () => false };
