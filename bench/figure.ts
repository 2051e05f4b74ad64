import type { DatabaseTarget, Sql } from '../src/database/connection.ts';

/** Tools of a measurement. */
export interface Bench {
  /** Calls `work` with its own migrated database on the bench's server; closes and drops it afterwards. */
  withDatabase: <T>(work: (sql: Sql, target: DatabaseTarget) => Promise<T>) => Promise<T>;
  /** Returns a size of the design, or a tenth of it in a quick run. */
  sized: (full: number) => number;
  /** Prints a line of progress. */
  note: (line: string) => void;
}

/** A count in the database, next to the design's figure. */
export interface Size {
  what: string;
  count: number;
  atLeast: number;
}

export interface Measurement {
  /** Key in limits.json. */
  name: string;
  value: number;
  unit: string;
  /** Reference value in the same unit from the same run; null: the limit applies to the value itself. */
  yardstick: number | null;
  sizes: Size[];
  /** Details for the reader: where the time goes, plans of reference queries. */
  details: string[];
  /** Whether the limit has no meaning at a tenth of the size. */
  onlyAtFullSize?: boolean;
}

/** A group of figures from one run. */
export type Figure = (bench: Bench) => Promise<Measurement[]>;
