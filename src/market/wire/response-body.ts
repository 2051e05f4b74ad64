import type { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as letOthersRun } from 'node:timers/promises';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';

const megabyte = 1024 * 1024;

/** Maximum megabytes of one response held and parsed as a whole: all but the records of a list. */
const maxHeldMb = 16;
export const maxHeldBytes = maxHeldMb * megabyte;

/** Maximum size of a list of anything but offers, whose records are parsed as they come and kept. */
export const maxListBytes = 32 * megabyte;

/** Maximum records in one response, unless more were requested. */
export const maxRecords = 100_000;

/** The body, or a part that must be held whole, exceeds its maximum size; it was not read further. */
export class BodyTooLargeError extends Error {
  override name = 'BodyTooLargeError';
  /** Whether it exceeded the caller's own limit. */
  readonly isCallersBound: boolean;

  constructor(bound: string, isCallersBound = false) {
    super(`more than ${bound}`);
    this.isCallersBound = isCallersBound;
  }
}

/** The body has a content encoding that was not offered. */
export class UnknownEncodingError extends Error {
  override name = 'UnknownEncodingError';
}

/** The content encodings that `readBody` accepts: the value of `accept-encoding`. */
export const acceptedEncodings = 'gzip, deflate, br';

/** Receives the bytes of a body as they arrive. */
export interface BodySink {
  push: (chunk: Buffer) => void;
  end: () => TakenBody;
}

/** The remainder of a body. */
export interface TakenBody {
  /** The bytes not passed to a list reader. */
  rest: Buffer;
  /** Whether every element passed on was JSON. */
  intact: boolean;
  /** Characters of such elements that became U+FFFD. */
  replaced: number;
  /** The elements kept, and their name; null: none. */
  kept?: { key: string; elements: unknown[] } | undefined;
}

/** Keeps a body whole. Throws BodyTooLargeError above `maxHeldBytes`. */
export function createWholeBody(): BodySink {
  const chunks: Buffer[] = [];
  let size = 0;
  return {
    push: (chunk) => {
      size += chunk.length;
      if (size > maxHeldBytes) throw new BodyTooLargeError(`${maxHeldMb} MB that are not a list`);
      // Copies small chunks, because a few bytes of a large buffer would keep all of it in memory.
      chunks.push(chunk.length < maxSlice ? Buffer.from(chunk) : chunk);
    },
    end: () => ({ rest: Buffer.concat(chunks), intact: true, replaced: 0 }),
  };
}

type Bytes = AsyncIterable<Buffer>;
type Decode = (source: Bytes) => Bytes;

const chunkSize = 256 * 1024;
const stepBytes = 2 * 1024;
const maxSlice = stepBytes;
/** How long a body may be read without a pause. */
const maxTurnMs = 20;
const maxEncodings = 2;

const decoders: Record<string, Decode> = {
  gzip: through(() => createGunzip({ chunkSize })),
  'x-gzip': through(() => createGunzip({ chunkSize })),
  br: through(() => createBrotliDecompress({ chunkSize })),
  deflate: inflateEither,
};

/**
 * Passes all bytes of a body, decompressed by its `content-encoding`, to `take`, and returns their number. `maxBytes`
 * counts decompressed bytes as they come, so that a decompression bomb is stopped early: above it throws
 * BodyTooLargeError, or with `cut` keeps what fits. `onChunk` is called for every chunk. Throws UnknownEncodingError,
 * zlib's errors for corrupt or cut-off data and the stream's own; destroys the stream unless it was read completely.
 */
export async function readBody(
  body: Readable,
  options: { encoding: string; maxBytes: number; whenLarger: 'throw' | 'cut'; onChunk: () => void },
  take: (chunk: Buffer) => void,
): Promise<number> {
  const { encoding, maxBytes, whenLarger, onChunk } = options;
  // An abandoned body emits an error later, when no one listens.
  body.on('error', () => undefined);
  let size = 0;
  let turnBeganAt = performance.now();
  try {
    const decoded = decodersOf(encoding).reduce<Bytes>(
      (source, decode) => decode(source),
      watched(body, onChunk),
    );
    for await (const chunk of decoded) {
      if (size + chunk.length > maxBytes) throw new BodyTooLargeError(`${maxBytes} bytes`, true);
      size += chunk.length;
      // In small steps, because a body of a hundred thousand tiny records would block everything else.
      for (let from = 0; from < chunk.length; from += stepBytes) {
        take(chunk.subarray(from, from + stepBytes));
        if (performance.now() - turnBeganAt < maxTurnMs) continue;
        await letOthersRun();
        turnBeganAt = performance.now();
      }
    }
  } catch (error) {
    body.destroy();
    if (!(error instanceof BodyTooLargeError && whenLarger === 'cut')) throw error;
  }
  return size;
}

async function* watched(source: Bytes, onChunk: () => void): Bytes {
  for await (const chunk of source) {
    onChunk();
    yield chunk;
  }
}

function decodersOf(encoding: string): Decode[] {
  const names = encoding
    .toLowerCase()
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '' && part !== 'identity');
  if (names.length > maxEncodings) throw new UnknownEncodingError(encoding);
  return names.reverse().map((part) => {
    const decode = decoders[part];
    if (decode === undefined) throw new UnknownEncodingError(encoding);
    return decode;
  });
}

function through(create: () => Transform): Decode {
  return async function* (source) {
    const decoder = create();
    // An error of the source destroys the decoder with the same error, which the loop over it throws.
    pipeline(source, decoder).catch(() => undefined);
    yield* decoder as Bytes;
  };
}

/** `deflate` means zlib data, but some servers send it without zlib's two-byte header. */
async function* inflateEither(source: Bytes): Bytes {
  const iterator = source[Symbol.asyncIterator]();
  const first = await iterator.next();
  if (first.done) return;
  const head = first.value;
  const isWrapped = (head[0] ?? 0) % 16 === 8;
  const whole = async function* (): Bytes {
    yield head;
    yield* { [Symbol.asyncIterator]: () => iterator };
  };
  yield* through(() => (isWrapped ? createInflate({ chunkSize }) : createInflateRaw({ chunkSize })))(whole());
}
