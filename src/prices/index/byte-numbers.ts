const perByte = 128;

/** Writes numbers in as few bytes as each needs. */
export interface NumberWriter {
  /** Writes a whole number from 0 up, seven bits per byte, lowest first. */
  put: (value: number) => void;
  putDouble: (value: number) => void;
  /** Returns the written bytes. */
  take: () => Buffer;
}

/** Writes numbers into a buffer of at most `maxBytes`. */
export function createNumberWriter(maxBytes: number): NumberWriter {
  const bytes = Buffer.allocUnsafe(maxBytes);
  let at = 0;
  return {
    put(value) {
      let rest = value;
      for (; rest >= perByte; rest = Math.floor(rest / perByte)) {
        bytes[at] = (rest % perByte) + perByte;
        at += 1;
      }
      bytes[at] = rest;
      at += 1;
    },
    putDouble(value) {
      bytes.writeDoubleLE(value, at);
      at += 8;
    },
    take: () => Buffer.from(bytes.subarray(0, at)),
  };
}

/** Reads numbers in the order they were written. */
interface NumberReader {
  take: () => number;
  takeDouble: () => number;
  isAtEnd: () => boolean;
}

/** Reads what a writer wrote, in the same order. Throws if the bytes end too early. */
export function createNumberReader(bytes: Buffer): NumberReader {
  let at = 0;
  return {
    isAtEnd: () => at >= bytes.length,
    take() {
      let value = 0;
      for (let scale = 1; ; scale *= perByte) {
        const byte = bytes[at];
        if (byte === undefined)
          throw new Error('a stored day of the index is damaged: run `offerbook rebuild`');
        at += 1;
        if (byte < perByte) return value + byte * scale;
        value += (byte - perByte) * scale;
      }
    },
    takeDouble() {
      at += 8;
      return bytes.readDoubleLE(at - 8);
    },
  };
}
