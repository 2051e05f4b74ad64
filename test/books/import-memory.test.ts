import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sql } from '../../src/database/connection.ts';
import { startOfferbook } from '../support/offerbook-command.ts';
import { watchMemory } from '../support/peak-memory.ts';
import { createTestDatabase, databaseUrl } from '../support/test-database.ts';

/** What docs/settings.md promises of an import, however large its file. */
const promisedMb = 512;

const padding = 'ordinary text of an offer '.repeat(400);
const record = (id: number, fields: object): string =>
  JSON.stringify({
    ...{ id, machine_id: id % 900, gpu_name: 'RTX 4090', num_gpus: 1, dph_base: 0.3, dph_total: 0.31 },
    ...{ storage_cost: 0.1, padding, ...fields },
  });

function* searchResponse(records: number): Generator<string> {
  yield '{"offers":[';
  for (let id = 1; id <= records; id += 1) yield `${id === 1 ? '' : ','}${record(id, {})}`;
  yield '],"collected_utc":"2026-07-20T05:19:05Z"}';
}

/** Lines of two books whose records alternate. */
function* lines(records: number): Generator<string> {
  for (let id = 1; id <= records; id += 1) {
    const scraped_at = id % 2 === 0 ? '2026-07-20T05:19:05Z' : '2026-07-21T05:19:05Z';
    yield `${record(id, { rental_type: 'on-demand', scraped_at })}\n`;
  }
}

function* bomb(megabytes: number): Generator<Buffer> {
  const zeros = Buffer.alloc(1_000_000);
  for (let written = 0; written < megabytes; written += 1) yield zeros;
}

describe.runIf(process.platform === 'linux')('the memory of an import', () => {
  let folder: string;
  let sql: Sql;
  let env: Record<string, string>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'offerbook-import-memory-'));
    const database = await createTestDatabase();
    ({ sql } = database);
    env = { DATABASE_URL: databaseUrl(database.target), DATA_DIR: join(folder, 'data') };
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  async function importFile(name: string, content: Iterable<string | Buffer>) {
    const file = join(folder, name);
    const zip = name.endsWith('.gz') ? [createGzip({ level: 1 })] : [];
    await pipeline([Readable.from(content), ...zip, createWriteStream(file)]);
    const command = startOfferbook(['import', file, '--market', name], env);
    const peakMb = watchMemory(command.child);
    const { code, stderr } = await command.ended;
    await rm(file);
    return { code, stderr, peakMb: peakMb() };
  }

  it('stays within the promised limit for a search response of 250 MB', async () => {
    const { code, stderr, peakMb } = await importFile('search.json', searchResponse(24_000));
    expect(stderr.join('\n')).toBe('');
    expect(code).toBe(0);
    expect(await sql`select offers from book`).toEqual([{ offers: 24_000 }]);
    expect(peakMb).toBeGreaterThan(50);
    expect(peakMb).toBeLessThan(promisedMb);
  }, 600_000);

  it('stays within it for gzipped JSON lines of 250 MB with alternating books', async () => {
    const { code, peakMb } = await importFile('lines.jsonl.gz', lines(24_000));
    expect(code).toBe(0);
    expect(
      await sql`select offers from book where observed_at <> '2026-07-20T05:19:05Z' or verdict = 'complete'`,
    ).toEqual([{ offers: 12_000 }, { offers: 12_000 }]);
    expect(peakMb).toBeLessThan(promisedMb);
  }, 600_000);

  it('stays that of a small file for a compressed bomb of 1 GB, which is refused with a reason', async () => {
    const { code, stderr, peakMb } = await importFile('bomb.json.gz', bomb(1_000));
    expect(stderr).toEqual([
      'bomb.json.gz is not a recorded book: line 1 has more than 4 MB; records have some KB',
    ]);
    expect(code).toBe(1);
    expect(peakMb).toBeLessThan(promisedMb / 2);
  }, 600_000);
});
