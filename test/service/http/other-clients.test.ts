import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { landOffers, makeOffer } from '../../prices/made-offers.ts';
import { createTestApp } from '../../support/test-app.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../../..');
const folder = mkdtempSync(join(tmpdir(), 'offerbook-clients-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Type checks a file of a project of its own, strictly. */
async function compile(file: string, lib: string[]): Promise<string> {
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: 'ES2022',
    module: 'ESNext',
    moduleResolution: 'bundler',
    lib,
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
  };
  const config = join(folder, 'tsconfig.json');
  writeFileSync(config, JSON.stringify({ compilerOptions, files: [file] }));
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  return await run(process.execPath, [tsc, '-p', config]).then(
    ({ stdout }) => stdout,
    (error: { stdout: string }) => error.stdout,
  );
}

describe('another generator', () => {
  it('makes a client from docs/openapi.json that compiles and reads from the service', async () => {
    const out = join(folder, 'generated');
    const generator = join(root, 'node_modules/@hey-api/openapi-ts/dist/run.mjs');
    const given = ['--input', join(root, 'docs/openapi.json'), '--output', out, '--silent'];
    await run(process.execPath, [
      '--import',
      join(root, 'test/support/classic-typescript.ts'),
      generator,
      ...given,
    ]);
    expect(await compile(join(out, 'index.ts'), ['ES2022', 'DOM', 'DOM.Iterable'])).toBe('');
    const test = await createTestApp();
    await landOffers(test.sql, test.market.id, '2026-07-30T00:00:00Z', [
      makeOffer(1, { gpuName: 'RTX 4090' }),
    ]);
    const { listOffers, createWatch } = await import(join(out, 'index.ts'));
    const how = {
      baseUrl: 'http://localhost',
      fetch: async (request: Request) => await test.app.request(request),
      headers: { authorization: `Bearer ${test.tokens.operator}` },
    };
    const offers = await listOffers({ ...how, query: { gpuName: ['RTX 4090'] } });
    expect(offers.data.items).toMatchObject([{ offerId: 1, gpuName: 'RTX 4090' }]);
    const watch = await createWatch({ ...how, body: { name: 'cheap' } });
    expect(watch.data).toMatchObject({ name: 'cheap', market: 'test-market' });
  });
});

describe('offerbook/client in another project', () => {
  it('compiles as docs/api.md shows it, and finds a wrong parameter, and runs', async () => {
    const [, example = ''] =
      /```ts\n([\s\S]*?)```/.exec(readFileSync(join(root, 'docs/api.md'), 'utf8')) ?? [];
    expect(example).toContain("from 'offerbook/client'");
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(root, join(folder, 'node_modules/offerbook'));
    const file = join(folder, 'example.ts');
    const lib = ['ES2022', 'DOM', 'DOM.Iterable'];
    const some =
      "import { createClientOf } from 'offerbook/client';\nimport { listOffers } from 'offerbook/client/operations';\n" +
      'await createClientOf({ listOffers }).listOffers({ limit: 1 });\n';
    for (const text of [example, some]) {
      writeFileSync(file, text);
      expect(await compile(file, lib)).toBe('');
    }
    writeFileSync(file, example.replace('limit: 5', 'limt: 5'));
    const said = await compile(file, lib);
    expect(said).toContain("'limt' does not exist");
    const script =
      "import('offerbook/client').then((client) => console.log(typeof client.createClient().listOffers))";
    const { stdout } = await run(process.execPath, ['-e', script], { cwd: folder });
    expect(stdout).toBe('function\n');
    const named =
      "import('offerbook/client/operations').then((operations) => console.log(operations.listOffers))";
    const again = await run(process.execPath, ['-e', named], { cwd: folder });
    expect(again.stdout).toBe('GET /api/offers\n');
  });
});
