import type { ReservedSql, Sql } from '../database/connection.ts';
import { openCopyOut } from '../database/copy-stream.ts';
import { releaseAfter } from '../database/reserved-connection.ts';
import type { ExportCell, ExportColumn } from './export-column.ts';

/** A client that reads slowly may hold its transaction this long between two reads. */
const patienceMs = 600_000;
const rowsAtATime = 200;

/** One moment of the database, to read an export from. */
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
    await tx.unsafe(`set local idle_in_transaction_session_timeout = ${patienceMs}`);
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

/** The rows of a query in groups of some hundreds; exact decimals are text. */
export async function* readRows(
  { tx }: Snapshot,
  query: string,
  columns: readonly ExportColumn[],
): AsyncGenerator<ExportCell[][]> {
  // As arrays in the columns' order: an object a row would be as much again.
  const ordered = `select ${columns.map(({ name }) => `"${name}"`).join(', ')} from (${query}) as line`;
  for await (const rows of tx.unsafe<Record<string, ExportCell>[]>(ordered).values().cursor(rowsAtATime)) {
    yield rows;
  }
}
