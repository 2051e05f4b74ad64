import { createDecipheriv, createHmac, scryptSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { decryptWith, encryptWith } from '../../src/database/backup/encryption.ts';

const key = 'a-key-of-the-tests';

/** A stream of these bytes in pieces of one size. */
async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function joined(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(piece);
  return Buffer.concat(pieces);
}

const encrypted = (bytes: Buffer, size = 10_007): Promise<Buffer> =>
  joined(encryptWith(key)(inPieces(bytes, size)));
const opened = (bytes: Buffer, with_: string | null = key, size = 9_001): Promise<Buffer> =>
  joined(decryptWith(inPieces(bytes, size), with_));

const textOf = (length: number): Buffer => Buffer.from(Array.from({ length }, (_, at) => (at * 31) % 251));

describe('an encrypted backup', () => {
  it('gives back every byte, whatever its size and the pieces it comes in', async () => {
    for (const length of [0, 1, 65_535, 65_536, 65_537, 131_072, 200_000]) {
      const text = textOf(length);
      const file = await encrypted(text, length === 1 ? 1 : 70_001);
      expect(file.includes(text.subarray(0, 40)) && length > 1, String(length)).toBe(false);
      expect((await opened(file)).equals(text), String(length)).toBe(true);
      expect((await opened(file, key, file.length)).equals(text)).toBe(true);
    }
  });

  it('opens as docs/backups.md says, without this program', async () => {
    const text = textOf(100_000);
    const file = await encrypted(text);
    expect(file.toString('latin1', 0, 29)).toBe('offerbook-encrypted-backup 1\n');
    const keys = scryptSync(key, file.subarray(29, 45), 64, { N: 32_768, r: 8, p: 1, maxmem: 2 ** 26 });
    const hash = createHmac('sha256', keys.subarray(32)).update(file.subarray(0, 45)).digest();
    expect(file.subarray(45, 77).equals(hash)).toBe(true);
    const chunks = [file.subarray(77, 77 + 65_552), file.subarray(77 + 65_552)];
    const plain = chunks.map((chunk, number) => {
      const nonce = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, number, number === 1 ? 1 : 0]);
      const decipher = createDecipheriv('aes-256-gcm', keys.subarray(0, 32), nonce);
      decipher.setAuthTag(chunk.subarray(-16));
      return Buffer.concat([decipher.update(chunk.subarray(0, -16)), decipher.final()]);
    });
    expect(Buffer.concat(plain).equals(text)).toBe(true);
  });

  it('is refused without its key, with another, and when it was changed or cut off anywhere', async () => {
    const file = await encrypted(textOf(140_000));
    const chunk = 65_552;
    const flipped = (at: number): Buffer => {
      const copy = Buffer.from(file);
      copy.writeUInt8(copy.readUInt8(at) ^ 1, at);
      return copy;
    };
    const swapped = Buffer.concat([
      file.subarray(0, 77),
      file.subarray(77 + chunk, 77 + 2 * chunk),
      file.subarray(77, 77 + chunk),
      file.subarray(77 + 2 * chunk),
    ]);
    await expect(opened(file, null)).rejects.toMatchObject({ kind: 'no key' });
    await expect(opened(file, 'another-key-of-tests')).rejects.toMatchObject({ kind: 'wrong key' });
    await expect(opened(flipped(30))).rejects.toMatchObject({ kind: 'wrong key' });
    for (const at of [78, 77 + chunk, file.length - 1]) {
      await expect(opened(flipped(at))).rejects.toMatchObject({ kind: 'changed' });
    }
    await expect(opened(swapped)).rejects.toMatchObject({ kind: 'changed' });
    for (const length of [60, 77, 77 + chunk, 77 + 2 * chunk]) {
      await expect(opened(file.subarray(0, length))).rejects.toMatchObject({ kind: 'cut off' });
    }
    await expect(opened(file.subarray(0, file.length - 5))).rejects.toMatchObject({ kind: 'changed' });
  });

  it('leaves a file that is not encrypted as it is', async () => {
    for (const text of [textOf(0), textOf(3), textOf(90_000)]) {
      expect((await opened(text, null)).equals(text)).toBe(true);
    }
  });
});
