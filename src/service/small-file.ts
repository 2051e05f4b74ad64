import { closeSync, openSync, readSync } from 'node:fs';

/** Maximum size of a settings file: a key has some bytes, a dialect some KB. */
const maxBytes = 1024 * 1024;

/** Returns the text of a small file. Throws if it cannot be read or has more than 1 MB, of which no more is read. */
export function readSmallFile(path: string): string {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(maxBytes + 1);
    let size = 0;
    for (let read = -1; read !== 0 && size <= maxBytes; size += read) {
      read = readSync(file, bytes, size, bytes.length - size, null);
    }
    if (size > maxBytes) throw new Error('it has more than 1 MB');
    return bytes.toString('utf8', 0, size);
  } finally {
    closeSync(file);
  }
}
