import type { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';

/** The body is larger than it may be; it was not read further. */
export class BodyTooLargeError extends Error {
  override name = 'BodyTooLargeError';
}

/** The body is in a content encoding that was never offered. */
export class UnknownEncodingError extends Error {
  override name = 'UnknownEncodingError';
}

/** The content encodings that `readBody` takes: the value of `accept-encoding`. */
export const acceptedEncodings = 'gzip, deflate, br';

/** Takes the bytes of a body as they arrive. */
export interface BodySink {
  push: (chunk: Buffer) => void;
  end: () => TakenBody;
}

/** What is left of a body. */
export interface TakenBody {
  /** The bytes that no list reader was given. */
  rest: Buffer;
  /** Whether every element that was given away was JSON. */
  intact: boolean;
  /** Characters of such elements that became U+FFFD. */
  replaced: number;
}

/** Keeps a body whole. */
export function createWholeBody(): BodySink {
  const chunks: Buffer[] = [];
  return {
    push: (chunk) => void chunks.push(chunk),
    end: () => ({ rest: Buffer.concat(chunks), intact: true, replaced: 0 }),
  };
}

type Bytes = AsyncIterable<Buffer>;
type Decode = (source: Bytes) => Bytes;

const chunkSize = 256 * 1024;
const maxEncodings = 2;

const decoders: Record<string, Decode> = {
  gzip: through(() => createGunzip({ chunkSize })),
  'x-gzip': through(() => createGunzip({ chunkSize })),
  br: through(() => createBrotliDecompress({ chunkSize })),
  deflate: inflateEither,
};

/**
 * Gives all bytes of a body, decompressed by its `content-encoding`, to `take`, and returns how many. `maxBytes` counts
 * decompressed bytes while they come, so that a small bomb is stopped early: beyond it BodyTooLargeError, or with
 * `cut` what fits. `onChunk` is called at every piece that arrives. Throws UnknownEncodingError, zlib's errors for
 * corrupt or cut data and the stream's own; the stream is destroyed in every case but a complete read.
 */
export async function readBody(
  body: Readable,
  options: { encoding: string; maxBytes: number; whenLarger: 'throw' | 'cut'; onChunk: () => void },
  take: (chunk: Buffer) => void,
): Promise<number> {
  const { encoding, maxBytes, whenLarger, onChunk } = options;
  // An abandoned body emits an error of its own later, when nobody listens any more.
  body.on('error', () => undefined);
  let size = 0;
  try {
    const decoded = decodersOf(encoding).reduce<Bytes>(
      (source, decode) => decode(source),
      watched(body, onChunk),
    );
    for await (const chunk of decoded) {
      if (size + chunk.length > maxBytes) throw new BodyTooLargeError(`more than ${maxBytes} bytes`);
      size += chunk.length;
      take(chunk);
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
    // A failure of the source destroys the decoder with the same error, which the loop over it throws.
    pipeline(source, decoder).catch(() => undefined);
    yield* decoder as Bytes;
  };
}

/** `deflate` means zlib data, but some servers send it without the two bytes of zlib's header. */
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
