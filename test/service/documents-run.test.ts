import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ensureMarket } from '../../src/books/markets.sql.ts';
import { seedMoments } from '../../src/books/seed-history.ts';
import { pointStatistics } from '../../src/prices/statistics/point-statistics.ts';
import { loadConfig } from '../../src/service/config.ts';
import { prepareMarket } from '../../src/service/open-market.ts';
import { seedSimulated } from '../../src/service/seed-simulated.ts';
import { createSimulator } from '../../src/simulator/simulator.ts';
import { readFiles, readText, root } from '../structure/source-files.ts';
import { shellBlocks } from '../support/document-blocks.ts';
import { freePort } from '../support/free-port.ts';
import { type BlockEnd, runDocument } from '../support/run-document.ts';
import { shareOfToday } from '../support/share-of-today.ts';
import { silentLog } from '../support/silent-log.ts';
import { createTestDatabase, databaseUrl, type TestDatabase } from '../support/test-database.ts';

/** They only read, or have servers, names and files of their own: they run beside the others, in the time that those wait. */
const besideOthers = [
  'docs/guides/behind-a-proxy.md',
  'docs/guides/export.md',
  'docs/guides/get-started.md',
  'docs/guides/install-and-upgrade.md',
  'docs/guides/production.md',
  'docs/guides/scale-out.md',
  'docs/guides/simulator.md',
  'docs/lake.md',
];

/** README first, as a newcomer reads; then the guides, then the reference. */
const documents = [
  { path: 'README.md', text: readText('README.md') },
  ...readFiles('docs', ['.md'])
    .filter(({ path }) => !path.startsWith('docs/decisions/'))
    .sort((a, b) => Number(b.path.includes('/guides/')) - Number(a.path.includes('/guides/'))),
]
  .map(({ path, text }) => ({ path, blocks: shellBlocks(text) }))
  .filter(({ blocks }) => blocks.length > 0);

/** Those that a newcomer reads first; of the others `npm test` runs a quarter, another one each day. */
const always = ['README.md', 'docs/guides/get-started.md'];
const rest = documents.filter(({ path }) => !always.includes(path));
const today = [...documents.filter(({ path }) => always.includes(path)), ...shareOfToday(rest, 4)];

it('the documents that run beside the others are there', () => {
  expect(documents.map(({ path }) => path)).toEqual(expect.arrayContaining(besideOthers));
});

describe('documents', () => {
  let folder = '';
  let env: Record<string, string> = {};
  let replaceAddresses = (text: string): string => text;
  let service: ReturnType<typeof spawn> | undefined;
  const endsBeside = new Map<string, BlockEnd[]>();
  let allBeside: Promise<void> | undefined;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'offerbook-documents-'));
    await writeRecordedBook(join(folder, 'books'));
    const { PATH = '' } = process.env;
    const database = await createTestDatabase();
    await seedSomeBooks(database.sql);
    env = {
      PATH: `${join(root, 'test/support/document-shims')}:${PATH}`,
      HOME: folder,
      USER: 'ada',
      OFFERBOOK_NODE: process.execPath,
      OFFERBOOK_CHECKOUT: root,
      OFFERBOOK_SIMULATORS: join(folder, 'simulators'),
      DATABASE_URL: databaseUrl(database.target),
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
    };
    const [port, marketPort] = await Promise.all([freePort(), freePort()]);
    replaceAddresses = (text) =>
      text
        .replaceAll('127.0.0.1:8080', `127.0.0.1:${port}`)
        .replaceAll('https://market.example', `http://127.0.0.1:${marketPort}`);
    const market = `offerbook simulate --port ${marketPort} --api-key your-key`;
    expect(await run([{ line: 0, heading: '', text: market }])).toEqual([{ outcome: 'done', output: '' }]);
    service = spawn(process.execPath, [join(root, 'bin/offerbook.mjs'), 'start'], {
      cwd: folder,
      env: { ...env, PORT: String(port), LOG_LEVEL: 'error' },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    await crawl(`http://127.0.0.1:${port}`);
    allBeside = runBeside();
  });

  /** What fails here appears in the tests of the document. */
  async function runBeside(): Promise<void> {
    for (const { path, blocks } of today) {
      if (besideOthers.includes(path)) endsBeside.set(path, await run(blocks));
    }
  }

  afterAll(async () => {
    await allBeside;
    service?.kill('SIGTERM');
    if (service?.exitCode === null) await once(service, 'exit');
    const simulators = await readFile(join(folder, 'simulators'), 'utf8').catch(() => '');
    const ids = simulators.split('\n').filter((line) => line !== '');
    for (const id of ids) process.kill(Number(id));
    // They write their state as they end.
    await vi.waitUntil(() => ids.every((id) => !isRunning(Number(id))), { timeout: 60_000 });
    await rm(folder, { recursive: true, force: true });
  });

  /** Runs blocks as those of one document, which may have a simulator and a second database of its own. */
  async function run(blocks: ReturnType<typeof shellBlocks>): Promise<BlockEnd[]> {
    const simulatorPort = String(await freePort());
    const unused = databaseUrl((await createTestDatabase()).target);
    const replaced = blocks.map((block) => ({
      ...block,
      text: replaceAddresses(block.text)
        .replaceAll(/\b8090\b/g, simulatorPort)
        .replaceAll('postgres://offerbook:secret@database.example/offerbook', unused),
    }));
    return await runDocument(replaced, { folder, env });
  }

  /** Lets the service crawl offers of both types, so that some can be rented now. */
  async function crawl(url: string): Promise<void> {
    const begunAt = Date.now();
    const ask = async (path: string, method = 'GET') => {
      const token = await readFile(join(folder, 'data/token'), 'utf8');
      const headers = { authorization: `Bearer ${token.trim()}`, 'content-type': 'application/json' };
      return await fetch(`${url}/api/${path}`, { method, headers, body: method === 'GET' ? null : '{}' });
    };
    const patiently = { interval: 500, timeout: 900_000 };
    await vi.waitUntil(
      async () => (await ask('crawls', 'POST').catch(() => null))?.status === 202,
      patiently,
    );
    await vi.waitUntil(async () => {
      const { newestBooks } = (await (await ask('status')).json()) as {
        newestBooks: { observedAt: string }[];
      };
      return newestBooks.filter(({ observedAt }) => Date.parse(observedAt) > begunAt).length === 2;
    }, patiently);
  }

  // Those beside come last, when they have mostly ended.
  const inOrder = [...today].sort(
    (a, b) => Number(besideOthers.includes(a.path)) - Number(besideOthers.includes(b.path)),
  );
  describe.each(inOrder)('$path', ({ path, blocks }) => {
    let ends: BlockEnd[] = [];
    beforeAll(async () => {
      if (!besideOthers.includes(path)) ends = await run(blocks);
      else {
        await allBeside;
        ends = endsBeside.get(path) ?? [];
      }
    });

    it.each(blocks.map((block, index) => ({ ...block, index })))('runs line $line: $heading', ({ index }) => {
      const { outcome, output } = ends[index] ?? { outcome: 'not reached', output: '' };
      expect(outcome, output).toBe('done');
    });
  });
});

/** Two weeks of the simulated market, of which every fourth book is enough for examples. */
async function seedSomeBooks(sql: TestDatabase['sql']): Promise<void> {
  const { id: marketId } = await ensureMarket(sql, 'simulator', 'simulated');
  const now = () => new Date();
  await seedSimulated({
    ...{ sql, marketId, log: silentLog, now, newId: uuidv7, statistics: pointStatistics },
    ...{ prepared: prepareMarket(loadConfig({})), allocatedStorageGb: 8, onProgress: () => {} },
    moments: seedMoments(now()).filter((_, index, { length }) => (length - 1 - index) % 4 === 0),
  });
  // As after a crawl: the service does not seed the others.
  await sql`update crawl set cause = 'cron' where kind = 'offers'`;
}

/** Search answers of an hour ago and two hours ago, as recorded books. */
async function writeRecordedBook(folder: string): Promise<void> {
  await mkdir(folder);
  for (const hours of [1, 2]) {
    const at = new Date(Date.now() - hours * 3_600_000);
    const answer = createSimulator({ offersPerType: 100 }).search({ type: 'on-demand', limit: 1000 }, at);
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    const lines = answer.body.offers.map((offer) =>
      JSON.stringify({ ...offer, scraped_at: at.toISOString(), rental_type: 'on-demand' }),
    );
    await writeFile(join(folder, `${hours}.jsonl.gz`), gzipSync(`${lines.join('\n')}\n`));
  }
}

function isRunning(processId: number): boolean {
  try {
    return process.kill(processId, 0);
  } catch {
    return false;
  }
}
