import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { leavesOf } from '../../../scripts/command-tables.ts';
import { ensureMarket } from '../../../src/books/markets.sql.ts';
import { createProgram } from '../../../src/cli.ts';
import type { Sql } from '../../../src/database/connection.ts';
import { type Service, startService } from '../../../src/main.ts';
import { splitWords } from '../../../src/market/shell-words.ts';
import { type Config, loadConfig } from '../../../src/service/config.ts';
import { openRuntime } from '../../../src/service/runtime.ts';
import { createSimulator, type Simulator } from '../../../src/simulator/simulator.ts';
import { createTestContext, runInProcess } from '../../support/run-in-process.ts';
import { silentLog } from '../../support/silent-log.ts';
import { createTestDatabase, databaseUrl } from '../../support/test-database.ts';

/** Commands that are a server themselves or need none. */
const servers = ['start', 'simulate', 'config check', 'completion'];
/** Where the example of its help reads a file. */
const words: Record<string, readonly string[]> = {
  'templates create': ['--name', 'a', '--image', 'b'],
};

interface Leaf {
  path: string;
  command: Command;
}

const program = createProgram(createTestContext(loadConfig({}), { code: 0, stdout: '', notes: [] }));
const leaves = leavesOf(program, [])
  .map(([path, command]): Leaf => ({ path, command }))
  .filter(({ path }) => !servers.includes(path));

/** The command as the example of its own help has it. */
function wordsOf({ path, command }: Leaf): string[] {
  const given = words[path];
  if (given !== undefined) return [...path.split(' '), ...given];
  const help: string[] = [];
  command.configureOutput({ writeOut: (text) => void help.push(text) }).outputHelp();
  const [, example = ''] = /Example:\n.*?\bofferbook ((?:.|\\\n)+)/.exec(help.join('')) ?? [];
  return (splitWords(example.replaceAll('\\\n', ' ')) ?? []).filter((word) => word.trim() !== '');
}

describe('with OFFERBOOK_URL set', () => {
  let folder: string;
  let server: Server;
  let asked = 0;
  let config: Config;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'offerbook-over-'));
    server = createServer((request, response) => {
      asked += 1;
      request.resume();
      response.writeHead(418, { 'content-type': 'application/problem+json' });
      response.end(JSON.stringify({ type: '/api/docs#stub', detail: 'the stub has no answer', errors: [] }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    config = loadConfig({
      OFFERBOOK_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      OFFERBOOK_TOKEN: 'a-token-of-that-server',
      DATA_DIR: join(folder, 'data'),
    });
  });

  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true, force: true });
  });

  it.each(leaves.map((leaf) => [leaf.path, leaf] as const))(
    '%s uses that server, or refuses before anything is created here',
    async (_, leaf) => {
      const before = asked;
      const { code, notes } = await runInProcess(wordsOf(leaf), config);
      if (asked === before) {
        expect(notes.join('\n')).toMatch(/OFFERBOOK_URL points to http/);
        expect(code).toBe(2);
      } else expect(notes.join('\n')).toContain('the stub has no answer');
      expect(await readdir(folder)).toEqual([]);
    },
  );

  it('commands that a server supports use it, and the others refuse', async () => {
    const refused: string[] = [];
    for (const leaf of leaves) {
      const before = asked;
      await runInProcess(wordsOf(leaf), config);
      if (asked === before) refused.push(leaf.path);
    }
    expect(refused.sort()).toEqual([
      ...[
        'backup',
        'backup list',
        'backup run',
        'backup verify',
        'catalogs import',
        'doctor',
        'import',
        'lake',
        'migrate',
      ],
      ...['rebuild', 'restore', 'seed'],
      ...['token login', 'token rotate', 'upgrade'],
    ]);
  });
});

describe('a crawl over a server', () => {
  let folder: string;
  let simulator: Simulator;
  let service: Service;
  let config: Config;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'offerbook-over-'));
    simulator = createSimulator({ offersPerType: 20 });
    const { url } = await simulator.listen();
    const { target } = await createTestDatabase();
    const token = 'an-administrator-of-tests';
    service = await startService(
      loadConfig({
        ...{ MARKET_URL: url, MARKET_API_KEY: simulator.apiKey, DATABASE_URL: databaseUrl(target) },
        ...{ DATA_DIR: join(folder, 'server'), OFFERBOOK_TOKEN: token, PORT: '0' },
        ...{
          CRAWL_OFFERS: 'off',
          CRAWL_INVOICES: 'off',
          CRAWL_INSTANCES: 'off',
          SEARCHES_PER_MINUTE: '1000',
        },
      }),
      silentLog,
    );
    config = loadConfig({
      OFFERBOOK_URL: service.url,
      OFFERBOOK_TOKEN: token,
      DATA_DIR: join(folder, 'own'),
    });
  });

  afterAll(async () => {
    await service.stop();
    await simulator.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('of offers waits until the server has made its books, and reports them like local ones', async () => {
    const { code, stdout } = await runInProcess(['crawl', 'offers', '--type', 'bid', '--json'], config);
    const { crawls } = JSON.parse(stdout) as { crawls: Record<string, unknown>[] };
    expect(code).toBe(0);
    expect(crawls).toEqual([
      expect.objectContaining({ type: 'bid', outcome: 'complete', reason: null, bookId: expect.any(String) }),
    ]);
    const table = await runInProcess(['crawl', 'offers', '--type', 'bid', '--explain'], config);
    expect(table.stdout).toMatch(/bid +complete +\d+ +0/);
  });

  it.each(['invoices', 'charges'])('of %s prints what was read', async (name) => {
    const { code, stdout, notes } = await runInProcess(['crawl', name, '--all', '--json'], config);
    expect([code, notes]).toEqual([0, []]);
    expect(JSON.parse(stdout)).toMatchObject({ of: name, outcome: 'complete', reason: null });
  });

  it("of instances prints the account's instances", async () => {
    const { code, stdout } = await runInProcess(['crawl', 'instances'], config);
    expect([code, stdout]).toEqual([0, 'The account has no instances.\n']);
    expect(await readdir(folder)).toEqual(['server']);
  });
});

/** Stores a crawl that a market answered. */
async function answered(sql: Sql, marketId: number): Promise<void> {
  await sql`insert into crawl (id, market_id, kind, scope_name, cause, started_at, ended_at, outcome)
    values (gen_random_uuid(), ${marketId}, 'instances', 'instances', 'command', now(), now(), 'unchanged')`;
}

describe('simulated books', () => {
  const live = { MARKET_URL: 'http://127.0.0.1:9', MARKET_API_KEY: 'a-key' };

  it('`seed` refuses if MARKET_URL is set, before anything is created', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'offerbook-over-'));
    try {
      const config = loadConfig({ ...live, DATA_DIR: join(folder, 'data') });
      const { code, notes } = await runInProcess(['seed'], config);
      expect([code, notes.join()]).toEqual([2, expect.stringMatching(/MARKET_URL is set to http/)]);
      expect(await readdir(folder)).toEqual([]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it("cannot be added to a live market's database, by a command or a start", async () => {
    const folder = await mkdtemp(join(tmpdir(), 'offerbook-over-'));
    const { target, sql } = await createTestDatabase();
    const market = await ensureMarket(sql, 'market.example', 'live');
    const env = { DATABASE_URL: databaseUrl(target), DATA_DIR: join(folder, 'data'), PORT: '0' };
    const words = /holds the live market market\.example, and MARKET_URL is not set/;
    try {
      // A start with a wrong address leaves a market that never answered: the simulator may still be tried.
      const first = await openRuntime(loadConfig(env), silentLog);
      expect((await first.crawledMarket()).kind).toBe('simulated');
      await first.close();
      await answered(sql, market.id);
      for (const args of [['seed'], ['crawl', 'offers'], ['crawl', 'invoices'], ['crawl', 'instances']]) {
        const { code, notes } = await runInProcess(args, loadConfig(env));
        expect([args, code, notes.join()]).toEqual([args, 1, expect.stringMatching(words)]);
      }
      await expect(startService(loadConfig(env), silentLog)).rejects.toThrow(words);
      const runtime = await openRuntime(loadConfig({ ...env, ...live }), silentLog);
      expect((await runtime.crawledMarket()).kind).toBe('live');
      await runtime.close();
      expect(await sql`select from book`).toEqual([]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it("are not joined by a live market's, by a command or a start, and the market is not even named", async () => {
    const folder = await mkdtemp(join(tmpdir(), 'offerbook-over-'));
    const { target, sql } = await createTestDatabase();
    await answered(sql, (await ensureMarket(sql, 'simulator', 'simulated')).id);
    const env = { ...live, DATABASE_URL: databaseUrl(target), DATA_DIR: join(folder, 'data'), PORT: '0' };
    const words = /holds the simulated market, and MARKET_URL is set: .* Set DATA_DIR or DATABASE_URL/;
    try {
      const { code, notes } = await runInProcess(['models'], loadConfig(env));
      expect([code, notes.join()]).toEqual([1, expect.stringMatching(words)]);
      await expect(startService(loadConfig(env), silentLog)).rejects.toThrow(words);
      expect(await sql`select name from market`).toEqual([{ name: 'simulator' }]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
