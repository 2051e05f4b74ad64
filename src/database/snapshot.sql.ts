import { setImmediate } from 'node:timers/promises';
import type { ReservedSql, Sql } from './connection.ts';
import { openCopyOut } from './copy-stream.ts';
import { releaseAfter } from './reserved-connection.ts';

/** A slow client may keep its transaction open this long between two reads. */
const patienceMs = 600_000;

/** One moment of the database, for many reads. */
export interface Snapshot {
  tx: ReservedSql;
  /** Cancels the running query; resolves when the server has received the cancel. */
  cancel: () => Promise<void>;
}

/**
 * Yields what `work` yields, read in one snapshot of the database on a connection of its own. The query ends when
 * `signal` aborts or the consumer leaves.
 */
export async function* inSnapshot<T>(
  sql: Sql,
  signal: AbortSignal,
  work: (snapshot: Snapshot) => AsyncIterable<T>,
): AsyncGenerator<T> {
  signal.throwIfAborted();
  const tx = await sql.reserve('snapshot');
  let pid = 0;
  let canceled: Promise<void> | null = null;
  // A query that sorts sends nothing, and would not notice that the consumer has left.
  const cancel = (): Promise<void> => {
    canceled ??= sql`select pg_cancel_backend(${pid})`.then(
      () => {},
      () => {},
    );
    return canceled;
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
      // A later cancel would end the next query on the connection.
      await canceled;
      await tx`rollback`;
    });
  }
}

/** Yields the bytes of a COPY to stdout, in chunks of some tens of KB, with backpressure. */
export async function* copyOut({ tx, cancel }: Snapshot, statement: string): AsyncGenerator<Buffer> {
  const stream = await openCopyOut(tx, statement);
  let ended = false;
  try {
    for await (const piece of stream.iterator({ destroyOnReturn: false })) yield piece as Buffer;
    ended = true;
  } finally {
    if (!ended && !stream.destroyed) {
      // The rest is not needed: cancels the query and discards what the server has sent.
      void cancel();
      stream.resume();
    }
  }
}

/**
 * Yields rows of a query in groups of some hundreds, every value as PostgreSQL's text, null if it has none. They come
 * by COPY, so that a million rows never become objects of the driver.
 */
export async function* readRows(
  snapshot: Snapshot,
  query: string,
): AsyncGenerator<readonly (readonly (string | null)[])[]> {
  for await (const piece of copyOut(snapshot, `copy (${query}) to stdout`)) {
    // The server sends one message per row and a line feed within a value as `\n`, so a chunk consists of complete
    // lines.
    yield piece
      .toString('utf8', 0, piece.length - 1)
      .split('\n')
      .map(valuesOf);
    // Lets other work run between two groups.
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

/** What COPY writes as a letter after a backslash; any other character stands for itself. */
const escapes: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };
