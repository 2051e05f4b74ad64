import type { Log } from '../log.ts';
import type { Api } from './api.ts';

/** Exit codes of every command. */
export const exitCodes = { done: 0, failed: 1, usage: 2, partial: 3, refused: 4 } as const;

/** The settings that commands of subjects look at. */
export interface CommandSettings {
  /** The server that commands ask; null: they work on this machine's own database. */
  serverUrl: string | null;
  /** The live market; null: the built-in simulator. */
  market: { name: string; url: string | null } | null;
}

/** What a command works with; `Runtime`: what it needs of database and market. Made by cli.ts. */
export interface CommandContext<Runtime = unknown> {
  config: () => CommandSettings;
  /** Down to LOG_LEVEL; where that is unset, the service logs what it does and a command only trouble. */
  log: (who: 'service' | 'command') => Log;
  /**
   * Asks the server at OFFERBOOK_URL, or where none is set the same API of this process on the configured database. What
   * it refuses is said on stderr and gives the exit code: 2 for what is wrong with the request or names nothing, 4 for a
   * guard, else 1.
   */
  withApi: (ask: (api: Api) => Promise<void>) => Promise<void>;
  /** Opens database and market for the time of `work`. */
  withRuntime: <T>(work: (runtime: Runtime) => Promise<T>) => Promise<T>;
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
