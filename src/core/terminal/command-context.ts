import type { Log } from '../log.ts';
import type { Api } from './api.ts';

/** Exit codes of every command. */
export const exitCodes = { done: 0, failed: 1, usage: 2, partial: 3, refused: 4 } as const;

/** The settings that commands read. */
export interface CommandSettings {
  /** The server that commands use; null: this machine's own database. */
  serverUrl: string | null;
  /** The live market; null: the built-in simulator. */
  market: { name: string; url: string | null; settings: { url: string } } | null;
}

/** What a command works with; `Runtime` is its access to database and market. Created by cli.ts. */
export interface CommandContext<Runtime = unknown> {
  config: () => CommandSettings;
  /** A log at LOG_LEVEL; if unset, the service logs what it does and a command only warnings. */
  log: (who: 'service' | 'command') => Log;
  /**
   * Calls `ask` with the API of the server at OFFERBOOK_URL, or without one with the same API on this machine's
   * database. Prints a refusal on stderr and sets the exit code: 2 for a wrong request or an unknown name, 4 for a
   * guard, else 1.
   */
  withApi: (ask: (api: Api) => Promise<void>) => Promise<void>;
  /**
   * Opens database and market while `work` runs. Throws a UserError if DATA_DIR has no database, except for a command
   * that `begins` one.
   */
  withRuntime: <T>(work: (runtime: Runtime) => Promise<T>, options?: { begins?: true }) => Promise<T>;
  /** Prints a line of output on stdout. */
  print: (line: string) => void;
  /** Prints a line on stderr, apart from the output. */
  note: (line: string) => void;
  /** Whether stderr is a terminal, where progress bars can be drawn. */
  interactive: boolean;
  /** Sets the exit code for the end of the command. */
  exitWith: (code: number) => void;
  /** Aborts on the first SIGINT, SIGTERM or SIGHUP. */
  signal: AbortSignal;
}
