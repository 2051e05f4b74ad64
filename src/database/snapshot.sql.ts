import { setImmediate } from 'node:timers/promises';
import type { ReservedSql, Sql } from './connection.ts';
import { openCopyOut } from './copy-stream.ts';
import { releaseAfter } from './reserved-connection.ts';

/** A client that reads slowly may hold its transaction this long between two reads. */
const patienceMs = 600_000;

/** One moment of the database, to read much from. */
export interface Snapshot {
  tx: ReservedSql;
  /** Ends the query that runs there; done when the server was told. */
  cancel: () => Promise<void>;
}

/**
 * Gives what `work` yields, read in one snapshot of the database on a connection of its own. What runs there is ended
 * when `signal` aborts or the consumer leaves.
 */
export async function* inSnapshot<T>(
  sql: Sql,
  signal: AbortSignal,
  work: (snapshot: Snapshot) => AsyncIterable<T>,
): AsyncGenerator<T> {
  signal.throwIfAborted();
  const tx = await sql.reserve('snapshot');
  let pid = 0;
  let cancelled: Promise<void> | null = null;
  // A query that sorts sends nothing and would not notice that nobody listens.
  const cancel = (): Promise<void> => {
    cancelled ??= sql`select pg_cancel_backend(${pid})`.then(
      () => {},
      () => {},
    );
    return cancelled;
  };
  const onAbort = (): void => void cancel();
  try {
    const [row] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`;
    pid = row?.pid ?? 0;
    signal.addEventListener('abort', onAbort, { once: true });
    await tx`begin isolation level repeatable read read only`;
    await tx`select set_config('idle_in_transaction_session_timeout', ${String(patienceMs)}, true)`;
    yield* work({ tx, cancel });
    signal.throwIfAborted();
  } finally {
    signal.removeEventListener('abort', onAbort);
    await releaseAfter(tx, async () => {
      // One that came later would end what the next user of the connection runs.
      await cancelled;
      await tx`rollback`;
    });
  }
}

/** The bytes that a COPY to stdout gives, in pieces of some tens of KB, as fast as they are taken. */
export async function* copyOut({ tx, cancel }: Snapshot, statement: string): AsyncGenerator<Buffer> {
  const stream = await openCopyOut(tx, statement);
  let ended = false;
  try {
    for await (const piece of stream.iterator({ destroyOnReturn: false })) yield piece as Buffer;
    ended = true;
  } finally {
    if (!ended && !stream.destroyed) {
      // Nobody wants the rest: the server is told, and what it had sent by then is read away.
      void cancel();
      stream.resume();
    }
  }
}

/**
 * Rows of a query in groups of some hundreds, every value as the text that the database writes for it, null where it has
 * none. They come by COPY: a million rows are never objects of the driver.
 */
export async function* readRows(
  snapshot: Snapshot,
  query: string,
): AsyncGenerator<readonly (readonly (string | null)[])[]> {
  for await (const piece of copyOut(snapshot, `copy (${query}) to stdout`)) {
    // The server sends one message a row, and a line feed within a value as `\n`: a piece is of whole lines.
    yield piece
      .toString('utf8', 0, piece.length - 1)
      .split('\n')
      .map(valuesOf);
    // Others have their turn between two groups.
    await setImmediate();
  }
}

const valuesOf = (line: string): (string | null)[] => {
  const values: (string | null)[] = line.split('\t');
  if (!line.includes('\\')) return values;
  return values.map((value) => {
    if (value === '\\N') return null;
    return value?.includes('\\')
      ? value.replace(/\\(.)/gs, (_, mark: string) => escapes[mark] ?? mark)
      : value;
  }) as (string | null)[];
};

/** What COPY writes with a letter after a backslash; any other character stands for itself. */
const escapes: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };
