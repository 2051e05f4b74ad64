import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReservedSql } from './connection.ts';

/** What the driver settles a query with: for a COPY first with its stream, then once more when the command ends. */
interface CopyQuery {
  resolve: (given: unknown) => void;
  reject: (error: Error) => void;
}

/**
 * The rows of a COPY to stdout, read no faster than they are taken; whether it ends, fails or is left, the connection
 * goes on to the next query. Its errors are also heard while nobody listens: one that comes in the same packet as the
 * stream, or after its last reader has left, would end the process.
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
 * The driver pauses its socket for a slow reader and resumes it with the next read of the stream. After the last row, an
 * error or the reader's leaving there is none: what follows on the connection would never be read.
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
 * Gives the pieces to a COPY from stdin; resolves when the server has taken all of them. Throws what the server says,
 * whenever it says it, and what `pieces` throw: the COPY is ended then, and the connection goes on to the next query.
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
  // The driver forgets a stream once it has ended: what the server refuses then would never reach it.
  inner.reject = (error) => {
    stream?.destroy(error);
    refuse(error);
  };
  await pipeline(pieces, await query.writable());
}
