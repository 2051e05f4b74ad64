import { readdir, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { runOfferbook } from '../support/offerbook-command.ts';

it('a command leaves its compiled code for the next', async () => {
  const cache = fileURLToPath(new URL('../../node_modules/.cache/offerbook', import.meta.url));
  await rm(cache, { recursive: true, force: true });
  const { code, stdout } = await runOfferbook(['--version'], {});
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^\d+\.\d+\.\d+\n$/)]);
  expect((await readdir(cache, { recursive: true })).length).toBeGreaterThan(100);
});
