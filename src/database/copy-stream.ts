import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReservedSql } from './connection.ts';

/** What the driver settles a COPY query with: first its stream, then again when the command ends. */
interface CopyQuery {
  resolve: (given: unknown) => void;
  reject: (error: Error) => void;
}

/**
 * Yields the rows of a COPY to stdout with backpressure; however it ends, the connection can run the next query. Errors
 * are handled even without a reader, because one in the same packet as the stream, or after the last reader has left,
 * would crash the process.
 */
export async function openCopyOut(db: ReservedSql, statement: string): Promise<Readable> {
  const query = db.unsafe(statement);
  const inner = query as unknown as CopyQuery;
  const give = inner.resolve;
  inner.resolve = (given) => {
    if (given instanceof Readable) resumeAtEnd(given.on('error', () => {}));
    give(given);
  };
  return (await query.readable()) as unknown as Readable;
}

/**
 * The driver pauses its socket for a slow reader and resumes it at the next read. After the last row, an error or an
 * early exit there is no next read, and what follows on the connection would never arrive.
 */
function resumeAtEnd(stream: Readable): void {
  const resume = (): void => {
    try {
      stream._read(0);
    } catch {
      // The connection is lost, and its socket with it.
    }
  };
  const push = stream.push.bind(stream);
  stream.push = (chunk: unknown, encoding?: BufferEncoding) => {
    const takesMore = push(chunk, encoding);
    if (chunk === null) resume();
    return takesMore || stream.destroyed;
  };
  stream.once('close', resume);
}

/**
 * Sends the chunks to a COPY from stdin; resolves when the server has received all. Throws the errors of the server and
 * of `pieces`; the COPY is then ended, and the connection can run the next query.
 */
export async function copyIn(
  db: ReservedSql,
  statement: string,
  pieces: Iterable<string | Buffer> | AsyncIterable<string | Buffer>,
): Promise<void> {
  const query = db.unsafe(statement);
  const inner = query as unknown as CopyQuery;
  const { resolve: give, reject: refuse } = inner;
  let stream: Writable | null = null;
  inner.resolve = (given) => {
    if (given instanceof Writable) stream = given.on('error', () => {});
    give(given);
  };
  // The driver forgets a stream once it has ended, so a later refusal of the server would be lost.
  inner.reject = (error) => {
    stream?.destroy(error);
    refuse(error);
  };
  await pipeline(pieces, await query.writable());
}
