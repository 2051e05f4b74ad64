import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  randomBytes,
  type ScryptOptions,
  scrypt,
  timingSafeEqual,
} from 'node:crypto';

/** Why an encrypted backup cannot be opened. */
export class EncryptionError extends Error {
  override name = 'EncryptionError';
  readonly kind: 'no key' | 'wrong key' | 'changed' | 'cut off';

  constructor(kind: EncryptionError['kind']) {
    super(kind);
    this.kind = kind;
  }
}

/** First bytes of an encrypted backup. docs/backups.md describes the format. */
const mark = Buffer.from('offerbook-encrypted-backup 1\n');
const saltBytes = 16;
const checkBytes = 32;
const chunkBytes = 65_536;
const tagBytes = 16;
const cipherName = 'aes-256-gcm';
/** 32 MB and a tenth of a second for each attempt at a key. */
const hardness: ScryptOptions = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };

interface Keys {
  cipher: Buffer;
  /** Proves the key before anything is decrypted. */
  check: Buffer;
}

/** Returns a stage of a pipeline that encrypts what passes: AES-256-GCM in chunks, with a key derived by scrypt. */
export const encryptWith = (key: string) =>
  async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const head = Buffer.concat([mark, randomBytes(saltBytes)]);
    const keys = await deriveKeys(key, head.subarray(mark.length));
    yield Buffer.concat([head, checkOf(keys, head)]);
    let number = 0;
    for await (const { bytes, isLast } of inPieces(source, chunkBytes)) {
      const cipher = createCipheriv(cipherName, keys.cipher, nonceOf(number, isLast));
      yield Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
      number += 1;
    }
  };

/**
 * Yields what an encrypted backup holds, and any other file as it is. Throws an EncryptionError without the key, with
 * another one, and for a file that was changed or cut off.
 */
export async function* decryptWith(
  source: AsyncIterable<Buffer>,
  key: string | null,
): AsyncGenerator<Buffer> {
  const chunks = source[Symbol.asyncIterator]();
  try {
    let start: Buffer = Buffer.alloc(0);
    const headBytes = mark.length + saltBytes + checkBytes;
    while (start.length < headBytes) {
      const { value, done } = await chunks.next();
      if (done === true) break;
      start = Buffer.concat([start, value]);
    }
    const rest = restOf(start, chunks);
    if (!start.subarray(0, mark.length).equals(mark)) {
      yield* rest(0);
      return;
    }
    if (start.length < headBytes) throw new EncryptionError('cut off');
    if (key === null) throw new EncryptionError('no key');
    const head = start.subarray(0, mark.length + saltBytes);
    const keys = await deriveKeys(key, head.subarray(mark.length));
    if (!timingSafeEqual(checkOf(keys, head), start.subarray(head.length, headBytes))) {
      throw new EncryptionError('wrong key');
    }
    let number = 0;
    for await (const { bytes, isLast } of inPieces(rest(headBytes), chunkBytes + tagBytes)) {
      yield decrypted(keys, bytes, number, isLast);
      number += 1;
    }
  } finally {
    await chunks.return?.();
  }
}

function decrypted({ cipher: key }: Keys, bytes: Buffer, number: number, isLast: boolean): Buffer {
  if (bytes.length < tagBytes) throw new EncryptionError('cut off');
  const open = (asLast: boolean): Buffer | null => {
    const decipher = createDecipheriv(cipherName, key, nonceOf(number, asLast));
    decipher.setAuthTag(bytes.subarray(-tagBytes));
    const text = decipher.update(bytes.subarray(0, -tagBytes));
    try {
      return Buffer.concat([text, decipher.final()]);
    } catch {
      return null;
    }
  };
  const text = open(isLast);
  if (text !== null) return text;
  // A file that ends after a whole chunk that is not the last one.
  throw new EncryptionError(isLast && open(false) !== null ? 'cut off' : 'changed');
}

const restOf = (start: Buffer, chunks: AsyncIterator<Buffer>) =>
  async function* (from: number): AsyncGenerator<Buffer> {
    if (start.length > from) yield start.subarray(from);
    for (;;) {
      const { value, done } = await chunks.next();
      if (done === true) return;
      yield value;
    }
  };

/** Cuts a stream into pieces of equal size; the last one, which may be shorter, is marked, so nothing can be cut off. */
async function* inPieces(
  source: AsyncIterable<Buffer>,
  size: number,
): AsyncGenerator<{ bytes: Buffer; isLast: boolean }> {
  let held: Buffer = Buffer.alloc(0);
  for await (const chunk of source) {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    let at = 0;
    for (; held.length - at > size; at += size) yield { bytes: held.subarray(at, at + size), isLast: false };
    held = held.subarray(at);
  }
  yield { bytes: held, isLast: true };
}

/** The number of the chunk, then 1 for the last one: unique, because each file has a key of its own by its salt. */
function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(number, 5, 6);
  nonce.writeUInt8(isLast ? 1 : 0, 11);
  return nonce;
}

const checkOf = ({ check }: Keys, head: Buffer): Buffer => createHmac('sha256', check).update(head).digest();

async function deriveKeys(key: string, salt: Buffer): Promise<Keys> {
  const bytes = await new Promise<Buffer>((resolve, reject) => {
    scrypt(key, salt, 64, hardness, (error, derived) => (error === null ? resolve(derived) : reject(error)));
  });
  return { cipher: bytes.subarray(0, 32), check: bytes.subarray(32) };
}
