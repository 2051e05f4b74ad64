import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { SessionEvent } from './embedded-session.ts';

/** The counts of a session until it ended or was killed. */
interface SessionTally {
  queries: number;
  /** Connections that ended before the session closed them. */
  lost: number;
}

type Opened = Extract<SessionEvent, { event: 'open' }>;

/** A child process that uses the embedded database and queries it all the time. */
export interface SessionChild {
  pid: number;
  /** Rejects with the session's message when it could not open the database, or was killed before it had. */
  opened: Promise<Opened>;
  tally(): SessionTally;
  /** Lets it close properly; resolves when the process is gone. */
  end(): Promise<void>;
  /** Kills it with SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>;
  /** The message of a failed session; null: it has not failed. */
  failure(): string | null;
}

interface ChildOptions {
  dataDir: string;
  stateDir?: string;
  postgresBinaries?: string;
  pauseMs?: number;
  /** The checkout to run from. @default this one */
  checkout?: string;
  /** The Node to run. @default this one */
  node?: string;
  uid?: number;
  gid?: number;
  /** Whether it has its own process group, to receive signals as from a terminal. */
  detached?: boolean;
}

/** Starts a session in a separate process. */
export function startSession(options: ChildOptions): SessionChild {
  const { checkout, node, uid, gid, detached, ...session } = options;
  const script = checkout
    ? `${checkout}/prove/embedded-session.ts`
    : fileURLToPath(new URL('./embedded-session.ts', import.meta.url));
  const child = spawn(node ?? process.execPath, [script, JSON.stringify(session)], {
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: detached ?? false,
    ...(uid === undefined ? {} : { uid }),
    ...(gid === undefined ? {} : { gid }),
  });
  const gone = once(child, 'close');
  const tally = { queries: 0, lost: 0 };
  let failure: string | null = null;
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  // A killed session no longer reads its input.
  child.stdin.on('error', () => undefined);
  const opened = new Promise<Opened>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const event = JSON.parse(line) as SessionEvent;
      if (event.event === 'open') resolve(event);
      else if (event.event === 'failed') failure = event.message;
      else Object.assign(tally, { queries: event.queries, lost: event.lost });
    });
    child.on('close', () => {
      if (child.exitCode !== 0 && child.signalCode === null) failure ??= stderr;
      reject(new Error(failure ?? 'it ended before it had opened the database'));
    });
  });
  opened.catch(() => undefined);
  return {
    pid: child.pid ?? 0,
    opened,
    tally: () => ({ ...tally }),
    failure: () => failure,
    end: async () => {
      child.stdin.end('end\n');
      await gone;
    },
    kill: async () => {
      child.kill('SIGKILL');
      await gone;
    },
  };
}
