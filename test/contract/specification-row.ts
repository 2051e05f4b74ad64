/** Who keeps a promise: the market (`server`), its caller (`client`), or both, each its part. */
export type Side = 'server' | 'client';

/** One row of the contract: a statement that can be checked. */
export interface SpecificationRow {
  /** `group.name`, unique. */
  id: string;
  /** Section of docs/marketplace.md: `4.2`. */
  section: string;
  /** One line, in the market's words. */
  promise: string;
  /** Sides that need a case. */
  sides: readonly Side[];
}

/** Rows of one section from `{id: promise}`. */
export function rowsOf(
  section: string,
  promises: Readonly<Record<string, string>>,
  sides: readonly Side[] = ['server'],
): SpecificationRow[] {
  return Object.entries(promises).map(([id, promise]) => ({ id, section, promise, sides }));
}
