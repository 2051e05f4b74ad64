import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';

/** Adds a file to an archive; resolves once its content has been read. */
export type AddFile = (path: string, content: Iterable<string> | AsyncIterable<string>) => Promise<void>;

// A fixed date makes equal content give equal bytes; 1980-01-01 is the earliest that zip allows.
const always = { mtime: new Date(0), forceDosTimestamp: true };

/** Returns a zip archive of the files that `fill` adds, compressed while they arrive, in constant memory. */
export async function* writeZip(fill: (add: AddFile) => Promise<void>): AsyncGenerator<Buffer> {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  const left = new AbortController();
  zip.on('error', (error: Error) => output.destroy(error));
  const filling = fill(async (path, content) => {
    const stream = Readable.from(content, { highWaterMark: 1, signal: left.signal });
    zip.addReadStream(stream, path, always);
    await finished(stream);
  }).then(
    () => zip.end(),
    (error: Error) => output.destroy(error),
  );
  try {
    for await (const piece of output) yield piece as Buffer;
  } finally {
    left.abort();
    await filling;
  }
}
