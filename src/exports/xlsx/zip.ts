import { once } from 'node:events';
import { crc32, createDeflateRaw, type DeflateRaw } from 'node:zlib';

/** A file of an archive. */
export interface ZipFile {
  path: string;
  content: AsyncIterable<string>;
}

interface Written {
  path: Buffer;
  crc: number;
  compressed: number;
  size: number;
  offset: number;
}

const limit = 0xffffffff;
/** Sizes follow the content; names are UTF-8. */
const flags = 0x0808;
/** 1980-01-01: the same content gives the same bytes whenever it is written. */
const dosDate = 0x0021;

/** A zip archive of files that are compressed while they come; memory does not grow with them. */
export async function* writeZip(files: AsyncIterable<ZipFile> | Iterable<ZipFile>): AsyncGenerator<Buffer> {
  const written: Written[] = [];
  let offset = 0;
  const count = (piece: Buffer): Buffer => {
    offset += piece.length;
    if (offset > limit) throw new Error('the workbook is over 4 GB: export fewer rows, or CSV');
    return piece;
  };
  for await (const { path, content } of files) {
    const file: Written = { path: Buffer.from(path), crc: 0, compressed: 0, size: 0, offset };
    yield count(localHeader(file));
    for await (const piece of deflate(content, file)) yield count(piece);
    yield count(descriptor(file));
    written.push(file);
  }
  const directoryAt = offset;
  for (const file of written) yield count(directoryEntry(file));
  yield directoryEnd(written.length, offset - directoryAt, directoryAt);
}

async function* deflate(content: AsyncIterable<string>, file: Written): AsyncGenerator<Buffer> {
  const stream = createDeflateRaw({ level: 6 });
  const places = createPlaces();
  const ready: Buffer[] = [];
  let writing: Promise<void> = Promise.resolve();
  stream.on('data', (piece: Buffer) => void ready.push(piece));
  const take = function* (): Generator<Buffer> {
    for (let piece = ready.shift(); piece !== undefined; piece = ready.shift()) {
      file.compressed += piece.length;
      yield piece;
    }
  };
  try {
    for await (const text of content) {
      const bytes = places.fill(text);
      file.crc = crc32(bytes, file.crc);
      file.size += bytes.length;
      await writing;
      writing = write(stream, bytes);
      // Who leaves in between does not wait for it.
      writing.catch(() => {});
      yield* take();
    }
    await writing;
    stream.end();
    await once(stream, 'end');
    yield* take();
  } finally {
    stream.destroy();
  }
}

const write = (stream: DeflateRaw, bytes: Buffer): Promise<void> =>
  new Promise((resolve, reject) => {
    stream.write(bytes, (error) => (error ? reject(error) : resolve()));
  });

/**
 * Two places that texts become bytes in by turns: one is compressed while the next is filled. Buffers of their own would be
 * garbage by the hundred megabytes.
 */
function createPlaces(): { fill: (text: string) => Buffer } {
  const places: Buffer[] = [Buffer.alloc(0), Buffer.alloc(0)];
  let turn = 0;
  return {
    fill: (text) => {
      turn = 1 - turn;
      const most = text.length * 3;
      let place = places[turn] as Buffer;
      if (place.length < most) {
        place = Buffer.allocUnsafeSlow(most);
        places[turn] = place;
      }
      return place.subarray(0, place.write(text));
    },
  };
}

function localHeader({ path }: Written): Buffer {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(20, 4);
  header.writeUInt16LE(flags, 6);
  header.writeUInt16LE(8, 8);
  header.writeUInt16LE(dosDate, 12);
  header.writeUInt16LE(path.length, 26);
  return Buffer.concat([header, path]);
}

function descriptor({ crc, compressed, size }: Written): Buffer {
  const bytes = Buffer.alloc(16);
  bytes.writeUInt32LE(0x08074b50, 0);
  bytes.writeUInt32LE(crc, 4);
  bytes.writeUInt32LE(compressed, 8);
  bytes.writeUInt32LE(size, 12);
  return bytes;
}

function directoryEntry({ path, crc, compressed, size, offset }: Written): Buffer {
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.writeUInt16LE(20, 4);
  entry.writeUInt16LE(20, 6);
  entry.writeUInt16LE(flags, 8);
  entry.writeUInt16LE(8, 10);
  entry.writeUInt16LE(dosDate, 14);
  entry.writeUInt32LE(crc, 16);
  entry.writeUInt32LE(compressed, 20);
  entry.writeUInt32LE(size, 24);
  entry.writeUInt16LE(path.length, 28);
  entry.writeUInt32LE(offset, 42);
  return Buffer.concat([entry, path]);
}

function directoryEnd(files: number, size: number, offset: number): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(files, 8);
  end.writeUInt16LE(files, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(offset, 16);
  return end;
}
