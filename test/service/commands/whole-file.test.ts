import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { writeWholeFile } from '../../../src/service/commands/whole-file.ts';

it('a disk that fills up leaves no part of a file, keeps the one it would have replaced, and is named', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'whole-file-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'offers.csv');
  const options = { replace: true, signal: new AbortController().signal };
  const fill = () =>
    writeWholeFile(path, options, async (file) => {
      file.end('half of ');
      throw Object.assign(new Error('no space left'), { code: 'ENOSPC', syscall: 'write' });
    });
  const words = `${path} cannot be written (ENOSPC): its disk is full. Free space there, or choose another place.`;
  await expect(fill()).rejects.toThrow(words);
  expect(await readdir(folder)).toEqual([]);
  await writeFile(path, 'whole');
  await expect(fill()).rejects.toThrow(words);
  expect([await readdir(folder), await readFile(path, 'utf8')]).toEqual([['offers.csv'], 'whole']);
});
