import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureMarket } from '../../../src/books/markets.sql.ts';
import type { Sql } from '../../../src/database/connection.ts';
import { loadConfig } from '../../../src/service/config.ts';
import { landOffers, makeOffer } from '../../prices/made-offers.ts';
import { type CommandEnd, runOfferbook } from '../../support/offerbook-command.ts';
import { runInProcess } from '../../support/run-in-process.ts';
import { createTestDatabase, databaseUrl } from '../../support/test-database.ts';

const program = fileURLToPath(new URL('../../../bin/offerbook.mjs', import.meta.url));

describe('offerbook', () => {
  let folder: string;
  let sql: Sql;
  let env: Record<string, string>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'offerbook-ends-'));
    const database = await createTestDatabase();
    ({ sql } = database);
    env = { DATABASE_URL: databaseUrl(database.target), DATA_DIR: join(folder, 'data') };
    const { id } = await ensureMarket(sql, 'simulator', 'simulated');
    await landOffers(sql, id, '2026-07-30T10:00:00Z', [makeOffer(1), makeOffer(2)]);
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  const run = async (...args: string[]): Promise<CommandEnd> => await runOfferbook(args, env);

  it('refuses to export into a missing folder before it opens or creates anything', async () => {
    const empty = { DATA_DIR: join(folder, 'untouched') };
    const out = join(folder, 'missing', 'offers.csv');
    const { code, stderr } = await runOfferbook(['export', 'offers', '--out', out], empty);
    expect([code, stderr]).toEqual([
      2,
      [`There is no folder ${join(folder, 'missing')}: create it first, or choose another.`],
    ]);
    expect(existsSync(empty.DATA_DIR)).toBe(false);
  });

  it.each([['offers'], ['offers', '--json'], ['export', 'offers'], ['--version'], ['rank', '--help']])(
    'reports that stdout is full and exits with 1: %s %s',
    async (...args) => {
      const full = await open('/dev/full', 'w');
      const { PATH = '', HOME = '/' } = process.env;
      const child = spawn(process.execPath, [program, ...args], {
        stdio: ['ignore', full.fd, 'pipe'],
        env: { PATH, HOME, ...env },
      });
      let said = '';
      child.stderr?.setEncoding('utf8').on('data', (part: string) => {
        said += part;
      });
      await once(child, 'close');
      await full.close();
      expect([child.exitCode, said]).toEqual([
        1,
        'Cannot write the output (ENOSPC): free some space there, then run the command again.\n',
      ]);
    },
  );

  it.each([
    ['watch', 'show', 'nobody'],
    ['watch', 'show', '0199c0de-0000-7000-8000-000000000001'],
    ['watch', 'edit', 'nobody', '--name', 'x'],
    ['watch', 'remove', 'nobody'],
    ['report', 'nobody'],
    ['rule', 'remove', '0199c0de-0000-7000-8000-000000000001'],
    ['channel', 'remove', 'nobody'],
    ['budget', 'remove', '--label', 'nobody'],
    ['token', 'revoke', 'nobody'],
  ])('exits with 2 and one line for an unknown name: %s %s %s', async (...args) => {
    const { code, stdout, notes } = await runInProcess(args, loadConfig(env));
    expect([code, stdout, notes], args.join(' ')).toEqual([2, '', [expect.stringMatching(/^There is no /)]]);
  });

  it('prints the help of a command at any depth, and refuses unknown ones', async () => {
    for (const [asked, same] of [
      [
        ['help', 'watch', 'add'],
        ['watch', 'add', '--help'],
      ],
      [
        ['watch', 'help', 'add'],
        ['watch', 'add', '--help'],
      ],
      [
        ['help', 'rank'],
        ['rank', '--help'],
      ],
      [['help'], ['--help']],
    ] as const) {
      const shown = await run(...asked);
      expect([shown.code, shown.stdout], asked.join(' ')).toEqual([0, (await run(...same)).stdout]);
    }
    for (const [asked, says] of [
      [['help', 'nope'], /Unknown command `nope`\. Commands: models, rank, deals, /],
      [['help', 'watch', 'ad'], /^Unknown command `watch ad`\. Did you mean `add`\?/],
      [['help', 'watch', 'nope'], /Unknown command `watch nope`\. Commands: add, list, /],
      [['watch', 'help', 'nope'], /Unknown command `watch nope`\. Commands: add, list, /],
      [['help', 'serve'], /^Unknown command `serve`\. Did you mean start\?$/],
      [['help', 'rank', 'x'], /Unknown command `rank x`\.$/],
    ] as const) {
      const { code, stderr } = await run(...asked);
      expect([code, stderr[0]], asked.join(' ')).toEqual([2, expect.stringMatching(says)]);
    }
  });

  it('reports whether `migrate` changed anything', async () => {
    expect((await run('migrate')).stdout).toBe(
      'The database is already at this version; nothing was changed.\n',
    );
    await sql`delete from schema_migration where name like '%plain_model_names'`;
    expect((await run('migrate')).stdout).toMatch(
      /^Applied 1 migration: \d{4}_plain_model_names\. The database is now at this version\.\n$/,
    );
  });

  it.each([
    ['worker', 'SIGHUP', /^Offerbook runs as a worker \(ROLE=worker\): /],
    [
      'api',
      'SIGTERM',
      /^Offerbook listens on http:\/\/127\.0\.0\.1:\d+\nIt only answers requests \(ROLE=api\): /,
    ],
  ] as const)(
    'reports at its start what it does as %s, and ends in order at %s',
    async (role, signal, says) => {
      const { PATH = '', HOME = '/' } = process.env;
      const child = spawn(process.execPath, [program, 'start'], {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { PATH, HOME, ...env, ROLE: role, PORT: '0' },
      });
      let said = '';
      let logged = '';
      child.stderr.setEncoding('utf8').on('data', (part: string) => {
        logged += part;
      });
      child.stdout.setEncoding('utf8');
      const closed = once(child, 'close');
      for await (const part of child.stdout) {
        said += part;
        if (says.test(said)) child.kill(signal);
      }
      await closed;
      expect([child.exitCode, said]).toEqual([0, expect.stringMatching(says)]);
      // One line of JSON each for the start and the end, because stderr is no terminal.
      const lines = logged
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>);
      const life = lines.filter(({ msg }) => msg === 'started' || msg === 'stopped');
      expect(life).toMatchObject([
        { msg: 'started', role },
        { msg: 'stopped', role, reason: signal },
      ]);
    },
  );

  it('links to the port of a running service next to it', async () => {
    const { PATH = '', HOME = '/' } = process.env;
    const child = spawn(process.execPath, [program, 'start'], {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { PATH, HOME, ...env, ROLE: 'api', PORT: '0' },
    });
    const ended = once(child, 'close');
    try {
      let said = '';
      for await (const part of child.stdout ?? []) {
        said += part;
        if (said.includes('Sign in')) break;
      }
      const [, url = 'none'] = /listens on (\S+)/.exec(said) ?? [];
      expect((await run('token', 'login')).stdout.startsWith(`${url}/login?code=`)).toBe(true);
      expect((await run('watch', 'add', '--name', 'linked')).code).toBe(0);
      const report = JSON.parse((await run('report', 'linked', '--json')).stdout) as { url: string };
      expect(report.url).toBe(`${url}/watches`);
      const given = { ...env, PUBLIC_URL: 'https://offerbook.example' };
      expect((await runOfferbook(['token', 'login'], given)).stdout).toMatch(
        /^https:\/\/offerbook\.example\/login/,
      );
    } finally {
      child.kill('SIGTERM');
      await ended;
    }
  });
});
