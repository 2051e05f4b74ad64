import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import { UserError } from '../../core/errors.ts';

const pack = promisify(deflateRaw);
const unpack = promisify(inflateRaw);

/** Maximum bytes in memory before a spool writes to a file. */
const maxHeldBytes = 32 * 1024 * 1024;
/** Approximate size of a piece that is written and read at once. */
const pieceBytes = 4 * 1024 * 1024;
const lengthBytes = 4;

/** Holds groups of records until all have arrived: some in memory, the rest compressed in a temporary file. */
export interface RecordSpool {
  put: (group: string, record: Buffer) => Promise<void>;
  /** Yields the records of a group in the order of `put`, some megabytes at a time. */
  read: (group: string) => AsyncGenerator<Buffer[]>;
  close: () => Promise<void>;
}

interface Group {
  held: Buffer[];
  heldBytes: number;
  written: { position: number; length: number }[];
}

export function createRecordSpool(): RecordSpool {
  const groups = new Map<string, Group>();
  let heldBytes = 0;
  let file: { handle: FileHandle; folder: string; end: number } | null = null;

  async function openFile() {
    const folder = await mkdtemp(join(tmpdir(), 'offerbook-import-'));
    return { folder, handle: await open(join(folder, 'records'), 'w+'), end: 0 };
  }

  /** Writes the largest group to the file. */
  async function writeLargest(): Promise<void> {
    const largest = [...groups.values()].reduce((a, b) => (b.heldBytes > a.heldBytes ? b : a));
    const { held } = largest;
    largest.held = [];
    heldBytes -= largest.heldBytes;
    largest.heldBytes = 0;
    file ??= await openFile();
    for (let from = 0; from < held.length; ) {
      const { piece, next } = pieceOf(held, from);
      const packed = await pack(piece, { level: 1 });
      await file.handle.write(packed, 0, packed.length, file.end);
      largest.written.push({ position: file.end, length: packed.length });
      file.end += packed.length;
      from = next;
    }
  }

  return {
    async put(name, record) {
      const group = groups.get(name) ?? { held: [], heldBytes: 0, written: [] };
      groups.set(name, group);
      // A copy, because a slice would keep its whole source buffer in memory.
      group.held.push(Buffer.from(record));
      group.heldBytes += record.length;
      heldBytes += record.length;
      if (heldBytes > maxHeldBytes) await writeLargest().catch(refuseFullDisk);
    },
    async *read(name) {
      const group = groups.get(name);
      for (const { position, length } of group?.written ?? []) {
        const packed = Buffer.allocUnsafe(length);
        await file?.handle.read(packed, 0, length, position);
        yield recordsOf(await unpack(packed));
      }
      if (group !== undefined && group.held.length > 0) yield group.held;
    },
    async close() {
      groups.clear();
      await file?.handle.close();
      if (file !== null) await rm(file.folder, { recursive: true, force: true });
      file = null;
    },
  };
}

/** Returns a piece of records with their lengths, and the index where the next piece begins. */
function pieceOf(records: readonly Buffer[], from: number): { piece: Buffer; next: number } {
  const parts: Buffer[] = [];
  let size = 0;
  let next = from;
  for (let record = records[next]; record !== undefined && size < pieceBytes; record = records[next]) {
    const length = Buffer.allocUnsafe(lengthBytes);
    length.writeUInt32LE(record.length);
    parts.push(length, record);
    size += record.length;
    next += 1;
  }
  return { piece: Buffer.concat(parts), next };
}

function recordsOf(piece: Buffer): Buffer[] {
  const records: Buffer[] = [];
  for (let at = 0; at < piece.length; ) {
    const length = piece.readUInt32LE(at);
    records.push(piece.subarray(at + lengthBytes, at + lengthBytes + length));
    at += lengthBytes + length;
  }
  return records;
}

function refuseFullDisk(error: NodeJS.ErrnoException): never {
  if (error.code !== 'ENOSPC') throw error;
  throw new UserError(
    `${tmpdir()} has no room for what is being unpacked: free space there, or set TMPDIR to a folder that has it.`,
    { cause: error },
  );
}
