/** Who keeps a promise: the market (`server`), its caller (`client`), or both, each in its part. */
export type Side = 'server' | 'client';

/** One row of the contract: a thing that it says and that can be seen to be so. */
export interface SpecificationRow {
  /** `group.name`, unique. */
  id: string;
  /** Of docs/marketplace.md: `4.2`. */
  section: string;
  /** One line, in the market's words. */
  promise: string;
  /** Each needs a case. */
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
