import type { Log } from '../src/core/log.ts';
import type { DatabaseTarget } from '../src/database/connection.ts';

/** What a proof runs with: the same seed makes the same choices. */
export interface ProofOptions {
  seed: number;
  log: Log;
  /** The recorded market books, JSON lines. */
  bookFiles: readonly string[];
  /** A server to make databases on; null: the embedded one in a folder of its own. */
  server: DatabaseTarget | null;
  /** Some parts of a topic that has several; left out: all. */
  parts?: readonly string[] | undefined;
  /** How often the random part is repeated; undefined: as often as the promise says. */
  runs?: number | undefined;
}

/** What a proof found. `counts` come from the processes, the system and the database, not from the code proved. */
export interface Proof {
  ok: boolean;
  counts: Record<string, number>;
  /** What did not hold, a line each; empty exactly when `ok`. */
  failures: string[];
}

/** A promise with the long run that tests it. */
export interface Topic {
  promise: string;
  /** The names of its parts; left out: it has none. */
  parts?: readonly string[];
  prove: (options: ProofOptions) => Promise<Proof>;
}
