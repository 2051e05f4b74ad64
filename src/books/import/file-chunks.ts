import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { UserError } from '../../core/errors.ts';
import { notABook } from '../../core/recorded-book.ts';

const chunkSize = 256 * 1024;

/** Yields the bytes of a file in pieces. Throws UserError if it cannot be read. */
export async function* readFileChunks(file: string): AsyncGenerator<Buffer> {
  try {
    yield* createReadStream(file, { highWaterMark: chunkSize }) as AsyncIterable<Buffer>;
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    throw new UserError(`${file} cannot be read (${code}): check the path.`, { cause: error });
  }
}

const isZipped = (bytes: Buffer): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;

/** Yields the same bytes, unpacked if they are gzip data. Throws UserError, with `name`, if they cannot be unpacked. */
export async function* unzipChunks(name: string, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const { first, all } = await lookAtFirst(chunks);
  if (!isZipped(first)) {
    yield* all;
    return;
  }
  const gunzip = createGunzip({ chunkSize });
  let sourceError: unknown = null;
  const watched = async function* (): AsyncGenerator<Buffer> {
    try {
      yield* all;
    } catch (error) {
      sourceError = error;
      throw error;
    }
  };
  // An error of the source destroys the decoder with the same error, which the loop over it throws.
  pipeline(watched, gunzip).catch(() => undefined);
  try {
    const { first: inner, all: unpacked } = await lookAtFirst(gunzip as AsyncIterable<Buffer>);
    if (isZipped(inner)) throw notABook(name, 'it was gzipped twice; unpack it once');
    yield* unpacked;
  } catch (error) {
    if (sourceError !== null || error instanceof UserError) throw sourceError ?? error;
    throw notABook(name, 'its gzip data is corrupt or cut short; fetch it again', error);
  } finally {
    gunzip.destroy();
  }
}

/** Returns the first two bytes or more, and an iterable of all bytes. */
async function lookAtFirst(
  chunks: AsyncIterable<Buffer>,
): Promise<{ first: Buffer; all: AsyncGenerator<Buffer> }> {
  const iterator = chunks[Symbol.asyncIterator]();
  let first: Buffer = Buffer.alloc(0);
  for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
    first = Buffer.concat([first, next.value]);
    if (first.length >= 2) break;
  }
  const all = async function* (): AsyncGenerator<Buffer> {
    try {
      yield first;
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
    } finally {
      await iterator.return?.();
    }
  };
  return { first, all: all() };
}

/** Yields the same bytes. Throws UserError, with `name`, if there are more than `maxBytes`. */
export async function* boundChunks(
  name: string,
  chunks: AsyncIterable<Buffer>,
  maxBytes: number,
): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > maxBytes) {
      throw new UserError(
        `${name} has more than ${maxBytes / 1024 / 1024} MB unpacked, too much to hold in memory.`,
      );
    }
    yield chunk;
  }
}
