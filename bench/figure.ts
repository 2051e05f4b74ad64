import type { DatabaseTarget, Sql } from '../src/database/connection.ts';

/** What a figure is measured with. */
export interface Bench {
  /** A migrated database of its own on the bench's server, and where it is; closed and dropped when `work` ends. */
  withDatabase: <T>(work: (sql: Sql, target: DatabaseTarget) => Promise<T>) => Promise<T>;
  /** A size of the design, or a tenth of it in a quick run. */
  sized: (full: number) => number;
  /** A line for a person who waits. */
  note: (line: string) => void;
}

/** Something counted in the database, beside what the design states. */
export interface Size {
  what: string;
  count: number;
  atLeast: number;
}

export interface Measurement {
  /** Its key in limits.json. */
  name: string;
  value: number;
  unit: string;
  /** The same unit, same run; null: the limit is on the value itself. */
  yardstick: number | null;
  sizes: Size[];
  /** More for a person: where the time goes, plans of yardsticks. */
  details: string[];
  /** The limit says nothing at a tenth of the size. */
  onlyAtFullSize?: boolean;
}

/** A group of figures that share a run. */
export type Figure = (bench: Bench) => Promise<Measurement[]>;
