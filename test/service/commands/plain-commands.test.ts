import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { uuidv7 } from 'uuidv7';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { unknownModel } from '../../../src/books/choose-market.ts';
import { startCrawl } from '../../../src/books/crawls.sql.ts';
import { ensureMarket } from '../../../src/books/markets.sql.ts';
import { createProgram } from '../../../src/cli.ts';
import { didYouMean } from '../../../src/core/did-you-mean.ts';
import { formatTable } from '../../../src/core/terminal/table.ts';
import { timeWords } from '../../../src/core/time-words.ts';
import { otherCommands, otherOptions } from '../../../src/service/commands/other-names.ts';
import { loadConfig } from '../../../src/service/config.ts';
import { describeSettings } from '../../../src/service/describe-settings.ts';
import { mistypedSettings } from '../../../src/service/mistyped-settings.ts';
import type { ServiceContext } from '../../../src/service/service-context.ts';
import { landOffers, makeOffer } from '../../prices/made-offers.ts';
import { runInProcess } from '../../support/run-in-process.ts';
import { createTestDatabase, databaseUrl } from '../../support/test-database.ts';

const { sql, target } = await createTestDatabase();
const folder = await mkdtemp(join(tmpdir(), 'offerbook-plain-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
const run = (...args: string[]) =>
  runInProcess(args, loadConfig({ DATABASE_URL: databaseUrl(target), DATA_DIR: folder }));

describe('commands that show the current state', () => {
  it('report that there is no book yet, and what to do', async () => {
    for (const command of ['models', 'rank', 'deals', 'offers']) {
      const { stdout, code } = await run(
        command,
        '--market',
        (await ensureMarket(sql, 'empty', 'recorded')).name,
      );
      expect([code, stdout.trim()]).toEqual([
        0,
        'No book yet: a service makes one soon after its start; without a service, run `offerbook crawl offers`.',
      ]);
    }
  });

  it('print models, rankings and status with units and times', async () => {
    const { id } = await ensureMarket(sql, 'plain', 'recorded');
    const offers = [makeOffer(1, { gpuName: 'RTX 4090' }), makeOffer(2, { gpuName: 'H100 SXM' })];
    await landOffers(sql, id, '2026-07-30T10:00:00Z', offers);
    const models = (await run('models', '--market', 'plain')).stdout;
    expect(models).toMatch(/^Model +Offers +GPUs +Median \$\/GPU-hour +Lowest \$\/GPU-hour/);
    expect(models).toMatch(/H100 SXM +1 /);
    expect(models).toMatch(/Complete book of 2026-07-30 10:00 UTC \(\d+ d ago\)\./);
    expect(JSON.parse((await run('models', '--market', 'plain', '--json')).stdout).items).toHaveLength(2);
    const deals = (await run('deals', '--market', 'plain', '--metric', 'usdPerGpuHour')).stdout;
    expect(deals).toMatch(/^Rank +Offer +Model +GPUs +Type +\$\/GPU-hour +\$\/hour/);
    expect(deals).toContain('Ranked by usdPerGpuHour in the complete book of 2026-07-30 10:00 UTC');
    const status = (await run('status', '--market', 'plain')).stdout;
    expect(status).toMatch(/^Market +plain \(recorded\)\n/);
    expect(status).toMatch(/on-demand +2026-07-30 10:00 UTC \(\d+ d ago\) +complete +2/);
  });

  it('list crawls and explain one of them', async () => {
    const own = await createTestDatabase();
    const config = loadConfig({ DATABASE_URL: databaseUrl(own.target), DATA_DIR: join(folder, 'crawls') });
    const run = async (...args: string[]) => await runInProcess(args, config);
    expect((await run('crawl', 'offers', '--type', 'bid')).code).toBe(0);
    const { items } = JSON.parse((await run('crawls', '--json')).stdout);
    expect((await run('crawls')).stdout).toMatch(
      /^Started +Kind +Type +Outcome +Offers[^\n]*\n.*offers +bid +complete/,
    );
    const one = (await run('crawls', items[0].id)).stdout;
    expect(one).toContain(`Crawl    ${items[0].id}`);
    expect(one).toContain(items[0].explanation[0]);
    expect((await run('crawls', '0199c0de-0000-7000-8000-000000000000')).code).toBe(2);
  });
});

describe('commands that read several markets', () => {
  it('name the market of each row, and otherwise have no column for it', async () => {
    const ids = [await ensureMarket(sql, 'here', 'recorded'), await ensureMarket(sql, 'there', 'recorded')];
    for (const { id } of ids) {
      await landOffers(sql, id, '2026-07-30T10:00:00Z', [makeOffer(1)]);
      const crawl = { id: uuidv7(), marketId: id, scopeName: 'default', type: 'bid', cause: 'cron' } as const;
      await startCrawl(sql, { ...crawl, startedAt: new Date('2026-07-30T10:00:00Z') });
    }
    const both = ['--market', 'here', 'there'];
    const rows = async (...args: string[]) => (await run(...args)).stdout.trim().split('\n');
    const crawls = await rows('crawls', ...both);
    expect(crawls[0]).toMatch(/^Market +Started +Kind/);
    expect(crawls.slice(1).map((line) => line.split(' ')[0])).toEqual(['there', 'here']);
    expect((await rows('crawls', '--market', 'here'))[0]).toMatch(/^Started +Kind/);
    const books = await rows('delete', 'book', ...both);
    expect(books).toEqual([books[0], expect.stringMatching(/ there /), expect.stringMatching(/ here /)]);
    const add = async (market: string): Promise<void> => {
      expect((await run('watch', 'add', '--name', 'one', '--market', market)).code).toBe(0);
      const rule = ['rule', 'add', '--kind', 'crawlPartial', '--market', market];
      expect((await run(...rule)).code).toBe(0);
    };
    for (const market of ['here', 'there']) await add(market);
    const watches = await rows('watch', 'list', ...both);
    expect(
      watches
        .slice(1)
        .map((line) => / one +(\w+) /.exec(line)?.[1])
        .sort(),
    ).toEqual(['here', 'there']);
    const rules = await rows('rule', 'list', ...both);
    expect(rules[0]).toMatch(/^Id +Market +Kind/);
    expect(rules.slice(1).map((line) => line.split(/ +/)[1])).toEqual(['here', 'there']);
    expect((await rows('rule', 'list', '--market', 'here'))[0]).toMatch(/^Id +Kind/);
    const out = join(folder, 'both.csv');
    expect((await run('export', 'offers', ...both, '--out', out)).code).toBe(0);
    const csv = (await readFile(out, 'utf8')).trim().split('\n');
    expect(csv.map((line) => line.split(',')[0])).toEqual(['market', 'here', 'there']);
    const { series } = JSON.parse((await run('forecast', '--backtest', '--json', ...both)).stdout);
    expect(series.map(({ key }: { key: string }) => key)).toEqual([
      'here|on-demand|RTX 4090',
      'there|on-demand|RTX 4090',
    ]);
  });
});

describe('offerbook config check', () => {
  it('prints what is set and where it comes from, and never a secret', async () => {
    const file = join(folder, 'smtp');
    await writeFile(file, 'smtp://ada:hunter2@mail.example.com\n');
    vi.stubEnv('SMTP_URL_FILE', file);
    vi.stubEnv('MAX_BOOK_MINUTES', '90');
    try {
      const { stdout } = await run('config', 'check');
      expect(stdout).toMatch(/MAX_BOOK_MINUTES +90 +environment/);
      expect(stdout).toMatch(/SMTP_URL +\(secret\) +file/);
      expect(stdout).not.toContain('hunter2');
      expect(stdout).toContain('The configuration is valid.');
      const { settings } = JSON.parse((await run('config', 'check', '--json')).stdout);
      expect(settings).toContainEqual({ name: 'PORT', value: '8080', source: 'default' });
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it('names variables that are one typing slip from a setting, without their value', async () => {
    const values = { PROT: '9000', MARKET_URl: 'http://x.example', BACKUP_T0: '/secret', SMTP_URL_FIL: '/f' };
    for (const [name, value] of Object.entries(values)) vi.stubEnv(name, value);
    try {
      const { code, notes, stdout } = await run('config', 'check');
      expect([code, notes]).toEqual([
        0,
        [
          'BACKUP_T0 is not a setting and is ignored. Did you mean BACKUP_TO?',
          'MARKET_URl is not a setting and is ignored. Did you mean MARKET_URL?',
          'PROT is not a setting and is ignored. Did you mean PORT?',
          'SMTP_URL_FIL is not a setting and is ignored. Did you mean SMTP_URL_FILE?',
        ],
      ]);
      expect(JSON.parse((await run('config', 'check', '--json')).stdout).mistyped).toEqual(notes);
      expect(stdout).not.toContain('/secret');
      expect(
        mistypedSettings({ PORT: '1', HOME: '/', TERM: 'x', LANG: 'C', MARKETS: 'a', MARKET_A_URL: 'x' }),
      ).toEqual([]);
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it('prints all problems first', () => {
    expect(() => loadConfig({ PORT: 'x', TZ: 'Moon/Sea' })).toThrow(
      /^Invalid configuration:\n {2}PORT "x".*\n {2}TZ "Moon\/Sea"/s,
    );
  });
});

describe('a mistyped name', () => {
  it('is answered with the closest known one', async () => {
    expect(didYouMean('contry', ['county-fair', 'country', 'numGpus'])).toBe(' Did you mean `country`?');
    expect(didYouMean('zzz', ['country', 'numGpus'])).toBe('');
    const models = ['RTX 4060', 'RTX 4090', 'H100 SXM'];
    expect(unknownModel('RTX 4900', models)).toBe(
      'Unknown GPU model "RTX 4900". Did you mean "RTX 4090" or "RTX 4060"?',
    );
    const cases: [string[], string][] = [
      [['rnak'], 'Did you mean rank?'],
      [['rank', '--markt', 'x'], 'Did you mean --market?'],
      [['rank', '--filter', 'contry=DE'], 'Unknown parameter `contry`. Did you mean `country`?'],
      [['rank', '--filter', 'region=DE'], 'Unknown parameter `region`. Did you mean `country`?'],
      [['backup', 'rnu'], 'Did you mean `offerbook backup run`? For a file of that name, write ./rnu.'],
      [['export', 'offers', '--out', 'x.xls'], 'Unknown ending .xls of --out: choose one of .csv, .xlsx, '],
      [['rent'], 'Missing options: --offer or --watch; --image or --template; --disk.'],
      [
        ['rent', '--offer', '1', '--watch', 'w', '--image', 'i', '--disk', '1'],
        'Give either --offer or --watch.',
      ],
      [['rank', '--limit', 'abc'], '`limit` must be a number.'],
      [
        ['watch', 'add', '--name', 'x', '--cron', 'x'],
        '`schedule.cron` must be a cron expression like */10 * * * * with a date that exists.',
      ],
    ];
    for (const [args, words] of cases) {
      const { code, notes } = await run(...args);
      expect([args, code, notes.join('\n')]).toEqual([args, 2, expect.stringContaining(words)]);
    }
  });
});

describe('a name that a similar program has', () => {
  it.each([
    [['rank', '--model', 'x'], "Unknown option '--model'. Did you mean --gpu-name?"],
    [['rank', '--gpu=x'], "Unknown option '--gpu=x'. Did you mean --gpu-name?"],
    [['rank', '--top', '3'], "Unknown option '--top'. Did you mean --limit?"],
    [['rank', '--format', 'json'], "Unknown option '--format'. Did you mean --json?"],
    [['offers', '--country', 'DE'], "Unknown option '--country'. Did you mean --filter country=DE?"],
    [['trends', '--since', 'x'], "Unknown option '--since'. Did you mean --from?"],
    [['start', '--port', '9'], "Unknown option '--port'. Set PORT in the environment instead."],
    [['search'], "Unknown command 'search'. Did you mean offers?"],
    [['kill', '1'], "Unknown command 'kill'. Did you mean destroy?"],
    [['watch', 'rm', 'x'], "Unknown command 'rm'. Did you mean remove?"],
    [['token', 'add'], "Unknown command 'add'. Did you mean create?"],
    [['spend', 'balance'], "Unknown command 'balance'. Did you mean balances?"],
    [['rank', 'x'], '`rank` takes no arguments, but got: x.'],
  ])('is answered with the name here: %j', async (args, words) => {
    const { code, notes } = await run(...args);
    expect([code, notes.join('\n').split('\n')[0]]).toEqual([2, words]);
  });

  it('is answered only with commands, options and settings that exist', () => {
    const program = createProgram({} as ServiceContext);
    const commandsOf = (command: Command): Command[] => [command, ...command.commands.flatMap(commandsOf)];
    const all = commandsOf(program);
    const options = all.flatMap(({ options: each }) => each.flatMap(({ long }) => long ?? []));
    const settings = describeSettings({}).map(({ name }) => name);
    const missingOptions = Object.values(otherOptions)
      .flat()
      .filter((meant) => ![...options, ...settings].includes(meant.split(' ')[0] ?? ''));
    const missingCommands = Object.values(otherCommands)
      .flat()
      .filter((meant) => {
        const [first = '', second] = meant.split(' ');
        const found = all.filter((each) => each.name() === first || each.aliases().includes(first));
        const holds =
          second === undefined ||
          found.some((each) => each.commands.some((child) => child.name() === second));
        return !(found.length > 0 && holds) && !options.includes(meant);
      });
    expect([missingOptions, missingCommands]).toEqual([[], []]);
  });
});

describe('offerbook completion', () => {
  /** What bash offers after a line, as it asks the function of the script. */
  async function complete(line: string): Promise<string[]> {
    const script = join(folder, 'completion.bash');
    await writeFile(script, (await run('completion', 'bash')).stdout);
    const words = line.split(' ');
    const asked = `source ${script}; COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _offerbook; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return execFileSync('bash', ['-c', asked], { encoding: 'utf8' }).trim().split('\n');
  }

  it('offers commands, options and the values of options in bash', async () => {
    expect(await complete('offerbook wat')).toEqual(['watch']);
    expect(await complete('offerbook watch ')).toEqual(expect.arrayContaining(['add', 'list', 'show']));
    expect(await complete('offerbook trends --buc')).toEqual(['--bucket']);
    expect(await complete('offerbook trends --bucket ')).toEqual(['auto', 'book', '1h', '1d', '1w']);
    expect(await complete('offerbook watch add --name x --top')).toEqual(['--top']);
    expect(await complete('offerbook actions ')).toEqual(expect.arrayContaining(['on', 'off']));
  });

  it('has every command for zsh and fish as well', async () => {
    const [zsh, fish] = [(await run('completion', 'zsh')).stdout, (await run('completion', 'fish')).stdout];
    expect(zsh).toMatch(/^#compdef offerbook\n/);
    expect(zsh).toContain("'spend vs-market') words_here=('--from:");
    expect(fish).toContain(
      "complete -c offerbook -n '__offerbook_at '\\''trends'\\''' -l bucket -x -a 'auto book 1h 1d 1w'",
    );
  });
});

describe('a table', () => {
  const head = ['Id', 'USD', 'Reason'];
  const rows = [[1234567, 0.5, 'The market hid a part of what it has in every pass of the crawl']];

  it('cuts its text columns to the width of the terminal, never its numbers', () => {
    expect(formatTable(head, rows, [0, 1], 40).split('\n').at(-1)?.trimEnd()).toBe(
      '1234567  0.5  The market hid a part of …',
    );
    expect(formatTable(head, rows, [0, 1], 20)).toBe(
      'Id 1234567, USD 0.5\n  Reason The market hid a part of what it has in every pass of the crawl',
    );
  });
});

it('shows absolute and relative times', () => {
  const now = new Date('2026-11-23T12:00:00Z');
  expect(timeWords('2026-11-23T11:57:00Z', now)).toBe('2026-11-23 11:57 UTC (3 min ago)');
  expect(timeWords('2026-11-20T11:57:00Z', now)).toBe('2026-11-20 11:57 UTC (3 d ago)');
  expect(timeWords('2026-11-23T14:30:00Z', now)).toBe('2026-11-23 14:30 UTC (in 2 h)');
});
