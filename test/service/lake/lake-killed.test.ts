import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openS3Store } from '../../../src/exports/lake/s3-store.ts';
import { loadConfig } from '../../../src/service/config.ts';
import { landOffers } from '../../prices/made-offers.ts';
import { backdateFiles, filesIn, seeLake } from '../../support/lake-files.ts';
import { runOfferbook, startOfferbook } from '../../support/offerbook-command.ts';
import { type S3Server, startS3Server } from '../../support/s3-server.ts';
import { createTestApp, type TestApp } from '../../support/test-app.ts';
import { databaseUrl } from '../../support/test-database.ts';
import { landDays, offersAt } from './made-lake.ts';

const patienceMs = 240_000;

/** When files were written that the next run may clear away. */
const twoHoursAgo = (): Date => new Date(Date.now() - 2 * 3_600_000);

/** Seeded numbers below a bound. */
function createDraw(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

describe('a killed run', () => {
  let test: TestApp;
  let server: S3Server;
  let folder: string;
  let env: Record<string, string>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'offerbook-lake-killed-'));
    test = await createTestApp();
    server = await startS3Server();
    env = {
      ...{ DATABASE_URL: databaseUrl(test.target), DATA_DIR: join(folder, 'data') },
      ...server.env,
    };
    await landDays(test.sql, test.market.id, 28, 2);
  }, patienceMs);
  afterAll(async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Every file of a lake, by its content. */
  const contentOf = async (root: string): Promise<string[]> =>
    seeLake(await filesIn(root)).manifest?.files.map(({ path, sha256 }) => `${path} ${sha256}`) ?? [];

  it('leaves whole files only in a folder, and the next one completes them', {
    timeout: patienceMs,
  }, async () => {
    const draw = createDraw(20_260_728);
    const root = join(folder, 'local');
    let killed = 0;
    for (let round = 0; round < 5; round += 1) {
      const { child, ended } = startOfferbook(['lake', '--out', root], env);
      const limit = 1 + draw(90);
      let isOver = false;
      void ended.then(() => {
        isOver = true;
      });
      const countNow = async (): Promise<number> =>
        (await readdir(root, { recursive: true }).catch(() => [])).filter((name) => name.endsWith('.parquet'))
          .length;
      const before = await countNow();
      while (!isOver && (await countNow()) < before + limit) await delay(1);
      child.kill('SIGKILL');
      await ended;
      if (child.signalCode === 'SIGKILL') killed += 1;
      const seen = seeLake(await filesIn(root));
      expect(seen.broken).toEqual([]);
      // Changes every day, so that the next run replaces files too.
      await landOffers(test.sql, test.market.id, `2026-07-${10 + round}T21:30:00Z`, offersAt(round));
    }
    expect(killed).toBeGreaterThan(2);
    await backdateFiles(root, twoHoursAgo());
    const end = await runOfferbook(['lake', '--out', root], env);
    expect([end.code, end.stderr]).toEqual([0, []]);
    const seen = seeLake(await filesIn(root));
    expect([seen.broken, seen.beside.filter((path) => path.includes('.parquet'))]).toEqual([[], []]);
    expect(seen.manifest?.days).toHaveLength(28);
    const fresh = join(folder, 'fresh');
    await runOfferbook(['lake', '--out', fresh], env);
    expect(await contentOf(root)).toEqual(await contentOf(fresh));
  });

  it('leaves whole files only on S3, and the next one completes them', { timeout: patienceMs }, async () => {
    const draw = createDraw(7);
    const address = 's3://lake/years';
    const { s3 } = loadConfig(env);
    const store = await openS3Store(address, s3, { signal: new AbortController().signal });
    const download = async (): Promise<Map<string, Buffer>> => {
      const files = new Map<string, Buffer>();
      const found = await store.readManifest();
      if (found !== null) files.set('manifest.json', Buffer.from(found.text));
      for await (const { path } of store.list('')) {
        if (path !== 'manifest.json') files.set(path, await server.read(`years/${path}`));
      }
      return files;
    };
    let killed = 0;
    for (let round = 0; round < 4; round += 1) {
      const { child, ended } = startOfferbook(['lake', '--out', address], env);
      let left = 1 + draw(60);
      server.fault.of = (method) => {
        if (method !== 'GET') left -= 1;
        if (left > 0) return null;
        child.kill('SIGKILL');
        // The request may have arrived, or not.
        return left % 2 === 0 ? 'cut after' : 'cut';
      };
      await ended;
      server.fault.of = () => null;
      if (child.signalCode === 'SIGKILL') killed += 1;
      expect(seeLake(await download()).broken).toEqual([]);
      await landOffers(test.sql, test.market.id, `2026-07-${20 + round}T21:30:00Z`, offersAt(round));
    }
    expect(killed).toBeGreaterThan(2);
    await backdateFiles(server.folder, twoHoursAgo());
    const end = await runOfferbook(['lake', '--out', address], env);
    expect([end.code, end.stderr]).toEqual([0, []]);
    const files = await download();
    const seen = seeLake(files);
    expect([seen.broken, seen.beside]).toEqual([[], []]);
    const copy = join(folder, 'downloaded');
    for (const [path, bytes] of files) {
      await mkdir(dirname(join(copy, path)), { recursive: true });
      await writeFile(join(copy, path), bytes);
    }
    const fresh = join(folder, 'fresh-too');
    await runOfferbook(['lake', '--out', fresh], env);
    expect(await contentOf(copy)).toEqual(await contentOf(fresh));
  });
});
