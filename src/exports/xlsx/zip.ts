import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';

/** Adds a file to an archive; resolves when its content was taken. */
export type AddFile = (path: string, content: Iterable<string> | AsyncIterable<string>) => Promise<void>;

// The same content gives the same bytes whenever it is written: 1980-01-01, the first day that an archive can hold.
const always = { mtime: new Date(0), forceDosTimestamp: true };

/** A zip archive of the files that `fill` adds, compressed while they come; memory does not grow with them. */
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
