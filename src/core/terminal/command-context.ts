import type { Sql } from '../../database/connection.ts';
import type { Config } from '../../service/config.ts';
import type { Runtime } from '../../service/runtime.ts';
import type { Log } from '../log.ts';

/** Exit codes of every command. */
export const exitCodes = { done: 0, failed: 1, usage: 2, partial: 3, refused: 4 } as const;

/** What a command works with; made by cli.ts from the environment. */
export interface CommandContext {
  /** This program's version. */
  version: string;
  config: () => Config;
  /** Down to LOG_LEVEL; where that is unset, the service logs what it does and a command only trouble. */
  log: (who: 'service' | 'command') => Log;
  /** Opens database and market for the time of `work`. */
  withRuntime: <T>(work: (runtime: Runtime) => Promise<T>) => Promise<T>;
  /** Opens the database alone, as it is, for the time of `work`. */
  withDatabase: <T>(work: (sql: Sql) => Promise<T>) => Promise<T>;
  /** A line of the answer, on stdout. */
  print: (line: string) => void;
  /** A line beside the answer, on stderr. */
  note: (line: string) => void;
  /** stderr is a terminal: progress bars may be drawn. */
  interactive: boolean;
  /** Ends the command with this exit code once its work is done. */
  exitWith: (code: number) => void;
  /** Aborts on the first SIGINT or SIGTERM. */
  signal: AbortSignal;
}
