import type { Log } from '../src/core/log.ts';
import type { DatabaseTarget } from '../src/database/connection.ts';

/** The parameters of a proof: the same seed makes the same choices. */
export interface ProofOptions {
  seed: number;
  log: Log;
  /** The recorded market books, JSON lines. */
  bookFiles: readonly string[];
  /** A server for the databases; null: an embedded one in its own folder. */
  server: DatabaseTarget | null;
  /** Parts of a topic that has several; omitted: all. */
  parts?: readonly string[] | undefined;
  /** How often the random part is repeated; undefined: as often as the promise says. */
  runs?: number | undefined;
  /** Virtual days of a topic that lives through some; undefined: as many as the promise says. */
  days?: number | undefined;
}

/** The result of a proof. `counts` come from the processes, the system and the database, not from the code proved. */
export interface Proof {
  ok: boolean;
  counts: Record<string, number>;
  /** The failures, one line each; empty if and only if `ok`. */
  failures: string[];
}

/** A promise with the long-running proof that tests it. */
export interface Topic {
  promise: string;
  /** The names of its parts; omitted: it has none. */
  parts?: readonly string[];
  prove: (options: ProofOptions) => Promise<Proof>;
}
