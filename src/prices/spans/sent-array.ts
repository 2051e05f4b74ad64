/** A cast of `array_send(array_agg(…))`, which sends columns from the database in binary. */
export type SentArray = Buffer | null;

/** Milliseconds from 1970 to 2000, PostgreSQL's epoch. */
const epochMs = Date.UTC(2000, 0, 1);
/** Bytes before the first element: dimensions, null flag, type, and each dimension's length and lower bound. */
const headerBytes = (sent: Buffer): number => 12 + 8 * sent.readInt32BE(0);
const microsecondsPerDay = 86_400_000_000;
/** The date `infinity`. */
const lastDay = 0x7fffffff;

/** Returns the number of elements in all dimensions. */
export function sentLength(sent: SentArray): number {
  const dimensions = sent?.readInt32BE(0) ?? 0;
  if (sent === null || dimensions === 0) return 0;
  let length = 1;
  for (let each = 0; each < dimensions; each += 1) length *= sent.readInt32BE(12 + 8 * each);
  return length;
}

/** Reads elements of fixed width, matrices row by row; null becomes `missing`. */
function readFixed<T extends { [index: number]: number }>(
  sent: SentArray,
  into: (length: number) => T,
  read: (sent: Buffer, at: number) => number,
  missing = 0,
): T {
  const length = sentLength(sent);
  const values = into(length);
  if (sent === null) return values;
  let at = headerBytes(sent);
  for (let index = 0; index < length; index += 1) {
    const bytes = sent.readInt32BE(at);
    at += 4;
    values[index] = bytes < 0 ? missing : read(sent, at);
    if (bytes > 0) at += bytes;
  }
  return values;
}

const float64s = (length: number): Float64Array => new Float64Array(length);

/** Reads int2; null is -1. */
export const readInt2s = (sent: SentArray): Int16Array =>
  readFixed(
    sent,
    (length) => new Int16Array(length),
    (bytes, at) => bytes.readInt16BE(at),
    -1,
  );

/** Reads int4. */
export const readInt4s = (sent: SentArray): Int32Array =>
  readFixed(
    sent,
    (length) => new Int32Array(length),
    (bytes, at) => bytes.readInt32BE(at),
  );

/** Reads int8 below 2^53, and moments in microseconds since 2000; infinity is beyond any moment. */
export const readInt8s = (sent: SentArray, missing = 0): Float64Array =>
  readFixed(
    sent,
    float64s,
    (bytes, at) => bytes.readInt32BE(at) * 0x1_0000_0000 + bytes.readUInt32BE(at + 4),
    missing,
  );

/** Reads float8; null is NaN. */
export const readFloat8s = (sent: SentArray): Float64Array =>
  readFixed(sent, float64s, (bytes, at) => bytes.readDoubleBE(at), Number.NaN);

/** Reads dates as the microseconds at which they begin. */
export const readDays = (sent: SentArray): Float64Array =>
  readFixed(sent, float64s, (bytes, at) => {
    const day = bytes.readInt32BE(at);
    return day === lastDay ? Number.POSITIVE_INFINITY : day * microsecondsPerDay;
  });

/** Reads booleans; 1 is true, null is 0. */
export const readFlags = (sent: SentArray): Int8Array =>
  readFixed(
    sent,
    (length) => new Int8Array(length),
    (bytes, at) => bytes[at] ?? 0,
  );

/** Reads texts. */
export function readTexts(sent: SentArray): (string | null)[] {
  const length = sentLength(sent);
  const values: (string | null)[] = new Array<string | null>(length);
  if (sent === null) return values;
  let at = headerBytes(sent);
  for (let index = 0; index < length; index += 1) {
    const bytes = sent.readInt32BE(at);
    at += 4;
    values[index] = bytes < 0 ? null : sent.toString('utf8', at, at + bytes);
    if (bytes > 0) at += bytes;
  }
  return values;
}

/** Converts microseconds since 2000, truncating to milliseconds. */
export const fromMicroseconds = (at: number): Date => new Date(Math.floor(at / 1000) + epochMs);
