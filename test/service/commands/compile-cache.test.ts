import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';

const checkout = fileURLToPath(new URL('../../../', import.meta.url));

it('a command stores its compiled code for the next one', async () => {
  // A place of its own: the checkout's cache is in use by whatever else runs.
  const folder = await mkdtemp(join(tmpdir(), 'offerbook-cache-'));
  onTestFinished(async () => await rm(folder, { recursive: true, force: true }));
  await mkdir(join(folder, 'bin'));
  await mkdir(join(folder, 'node_modules'));
  await copyFile(join(checkout, 'bin/offerbook.mjs'), join(folder, 'bin/offerbook.mjs'));
  await symlink(join(checkout, 'src'), join(folder, 'src'));
  const { NODE_COMPILE_CACHE: _, ...env } = process.env;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(folder, 'bin/offerbook.mjs'), '--version'],
    { env },
  );
  expect(stdout).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?\n$/);
  const cache = await readdir(join(folder, 'node_modules/.cache/offerbook'), { recursive: true });
  expect(cache.length).toBeGreaterThan(100);
});
