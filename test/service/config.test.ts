import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { UserError } from '../../src/core/errors.ts';
import { settingNames } from '../../src/market/setting-names.ts';
import { loadConfig, settings } from '../../src/service/config.ts';
import { describeSettings } from '../../src/service/describe-settings.ts';
import { prepareMarket } from '../../src/service/open-market.ts';
import { secretSettings } from '../../src/service/read-settings.ts';

const folder = mkdtempSync(join(tmpdir(), 'offerbook-config-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Returns the lines of the refusal; fails the test if there is no refusal. */
function problemsOf(env: Record<string, string>): string[] {
  try {
    loadConfig(env);
  } catch (error) {
    if (error instanceof UserError) return error.message.split('\n').slice(1);
    throw error;
  }
  throw new Error(`accepted: ${JSON.stringify(env)}`);
}

describe('the configuration', () => {
  it('has defaults for everything: simulator, embedded database, loopback', () => {
    expect(loadConfig({})).toMatchObject({
      ...{ market: null, databaseUrl: null, dialectFile: null, token: null },
      ...{ host: '127.0.0.1', port: 8080, publicUrl: 'http://127.0.0.1:8080', dataDir: resolve('data') },
      ...{ crawlOffers: '7 * * * *', allocatedStorageGb: 8, searchesPerMinute: 6, marketMaxBodyMb: 256 },
      ...{
        maxBookMinutes: 120,
        maxDataAgeMinutes: 180,
        retention: { pointsDays: 14, hoursDays: 400 },
        timeZone: 'UTC',
        logLevel: 'info',
        slowStatementMs: 2_000,
      },
    });
  });

  it('treats an empty variable as unset', () => {
    const empty = Object.fromEntries(Object.keys(settings).map((name) => [name, '']));
    expect(loadConfig(empty)).toEqual(loadConfig({}));
  });

  it('names the market after its host by default, and drops a slash at the end of the address', () => {
    const env = { MARKET_URL: 'https://market.example:8443/api/', MARKET_API_KEY: 'k' };
    expect(loadConfig(env).market).toEqual({
      kind: null,
      settings: settingNames(),
      ...{
        url: 'https://market.example:8443/api',
        apiKey: 'k',
        actApiKey: null,
        name: 'market.example:8443',
      },
    });
    expect(loadConfig({ ...env, MARKET_NAME: 'mine' }).market?.name).toBe('mine');
  });

  it.each([
    ['MARKET_URL', 'ftp://market.example', /http or https/],
    ['PUBLIC_URL', 'offerbook.example', /http or https/],
    ['PORT', '70000', /a whole number from 0 to 65535$/],
    ['PORT', '80.5', /whole number/],
    ['PORT', 'http', /whole number/],
    ['SEARCHES_PER_MINUTE', '0', /a whole number from 1$/],
    ['ALLOCATED_STORAGE_GB', '-8', /above 0/],
    ['ALLOCATED_STORAGE_GB', 'eight', /number/],
    ['MARKET_MAX_BODY_MB', '0', /above 0/],
    ['CRAWL_OFFERS', 'hourly', /cron expression or `off`/],
    ['TZ', 'Mars/Olympus', /time zone/],
    ['LOG_LEVEL', 'loud', /info/],
  ])('refuses %s=%s with the variable, its value and what is expected', (name, value, expected) => {
    const pair: Record<string, string> = name === 'MARKET_URL' ? { MARKET_API_KEY: 'k' } : {};
    const problems = problemsOf({ ...pair, [name]: value });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(`${name} "${value}": `);
    expect(problems[0]).toMatch(expected);
  });

  it('reports every problem at once', () => {
    const problems = problemsOf({
      PORT: 'x',
      TZ: 'x',
      LOG_LEVEL: 'x',
      MARKET_URL: 'http://m.example',
      OFFERBOOK_TOKEN: 'short',
    });
    expect(problems.map((line) => /^ {2}([A-Z_]+)/.exec(line)?.[1]).sort()).toEqual([
      ...['LOG_LEVEL', 'MARKET_API_KEY', 'OFFERBOOK_TOKEN', 'PORT', 'TZ'],
    ]);
  });

  it('requires both of MARKET_URL and MARKET_API_KEY or neither, and a database with a replica', () => {
    expect(problemsOf({ DATABASE_REPLICA_URL: 'postgres://a:b@r/d' })).toEqual([
      expect.stringContaining('DATABASE_URL: is missing'),
    ]);
    expect(problemsOf({ MARKET_API_KEY: 'k' })).toEqual([expect.stringContaining('MARKET_URL: is missing')]);
    for (const key of ['my key', 'mykey…']) {
      const unsent = problemsOf({ MARKET_URL: 'https://market.example', MARKET_API_KEY: key });
      expect(unsent).toEqual([
        expect.stringMatching(/MARKET_API_KEY.*expected letters, digits and signs of ASCII/),
      ]);
      expect(unsent.join()).not.toContain(key);
    }
    expect(problemsOf({ MARKET_URL: 'http://m.example' })).toEqual([
      expect.stringContaining('MARKET_API_KEY: is missing'),
    ]);
  });

  it('never shows the value of a secret', () => {
    const secret = 'zq-secret';
    for (const name of secretSettings) {
      // Wrong on purpose, each in its own way, beside something else that is wrong.
      const value = name === 'OFFERBOOK_TOKEN' ? 'zq-secr' : secret;
      const problems = problemsOf({ [name]: value, PORT: 'x' });
      expect(problems.join('\n'), name).not.toContain('zq-secr');
    }
    expect(problemsOf({ DATABASE_URL: 'mysql://a:zq-secret@b/c' }).join('\n')).not.toContain('zq-secret');
  });

  it('reads each secret from a file as well, and refuses both at once or an unreadable file', () => {
    const values: Record<string, string> = {
      MARKET_API_KEY: 'key-of-a-file',
      MARKET_ACT_API_KEY: 'acting-key-of-a-file',
      OFFERBOOK_TOKEN: 'token-of-a-file',
      DATABASE_URL: 'postgres://a:b@c/d',
      DATABASE_REPLICA_URL: 'postgres://a:b@r/d',
      HEALTHCHECK_PING_URL: 'https://ping.example/of-a-file',
      SECRETS_KEY: 'a-secrets-key-of-a-file',
      SMTP_URL: 'smtp://a:b@mail.example:25',
      AWS_ACCESS_KEY_ID: 'an-id',
      AWS_SECRET_ACCESS_KEY: 'a-key-of-s3',
      AWS_SESSION_TOKEN: 'a-session',
      BACKUP_KEY: 'a-key-of-backups',
    };
    expect(Object.keys(values).sort()).toEqual([...secretSettings].sort());
    const files = Object.fromEntries(
      Object.entries(values).map(([name, value]) => {
        const path = join(folder, name);
        writeFileSync(path, `${value}\n`);
        return [`${name}_FILE`, path];
      }),
    );
    expect(loadConfig({ MARKET_URL: 'http://m.example', ...files })).toMatchObject({
      ...{ market: { apiKey: 'key-of-a-file' }, token: 'token-of-a-file', databaseUrl: 'postgres://a:b@c/d' },
      healthcheckPingUrl: 'https://ping.example/of-a-file',
    });
    const [both] = problemsOf({
      ...files,
      MARKET_URL: 'http://m.example',
      OFFERBOOK_TOKEN: 'another-token-of-tests',
    });
    expect(both).toContain('OFFERBOOK_TOKEN_FILE: OFFERBOOK_TOKEN is set too');
    const missing = join(folder, 'missing');
    expect(problemsOf({ OFFERBOOK_TOKEN_FILE: missing })).toEqual([expect.stringContaining(`"${missing}"`)]);
  });

  it('formats an IPv6 host in the public address correctly', () => {
    expect(loadConfig({ HOST: '::1', PORT: '0' }).publicUrl).toBe('http://[::1]:0');
    expect(loadConfig({ PUBLIC_URL: 'https://offers.example/book/' }).publicUrl).toBe(
      'https://offers.example/book',
    );
  });
});

describe('a market that settings name', () => {
  it('has its own variables, and needs only its name if its kind needs nothing else', () => {
    const bare = { kind: 'clore', name: 'clore', url: null, apiKey: null, actApiKey: null };
    expect(loadConfig({ MARKETS: 'clore' }).market).toMatchObject(bare);
    const config = loadConfig({
      ...{ MARKETS: 'my-vast', MARKET_MY_VAST_KIND: 'vast', MARKET_MY_VAST_URL: 'https://m.example/' },
      ...{ MARKET_MY_VAST_API_KEY: 'k', MARKET_MY_VAST_CRAWL_OFFERS: 'off' },
    });
    expect(config.market).toMatchObject({
      kind: 'vast',
      name: 'my-vast',
      url: 'https://m.example',
      apiKey: 'k',
    });
    expect(config.crawlOffers).toBeNull();
    const size = (list: string) => loadConfig({ MARKETS: list }).databasePoolSize;
    expect([size('vast'), size('vast,clore'), size('a,b,c')]).toEqual([15, 21, 27]);
  });

  const keyFile = join(folder, 'key-of-a-market');
  writeFileSync(keyFile, 'the-key\n');

  it('is described with all of its settings: where each comes from, and no secret', () => {
    const described = describeSettings({
      ...{ MARKETS: 'vast,clore', MARKET_CLORE_API_KEY_FILE: keyFile, MARKET_VAST_URL: 'http://x.example' },
    });
    const of = (name: string) => described.filter((setting) => setting.name.startsWith(`MARKET_${name}_`));
    expect(of('CLORE')).toEqual(
      ['KIND', 'URL', 'API_KEY', 'ACT_API_KEY', 'DIALECT', 'CRAWL_OFFERS'].map((name) => ({
        name: `MARKET_CLORE_${name}`,
        ...(name === 'API_KEY' ? { value: '(secret)', source: 'file' } : { value: null, source: 'not set' }),
      })),
    );
    expect(of('VAST')).toHaveLength(6);
    expect(of('VAST')[1]).toMatchObject({ value: 'http://x.example', source: 'environment' });
    expect(describeSettings({})).toHaveLength(Object.keys(settings).length);
  });

  it.each([
    [{ MARKETS: 'clore,clore' }, /MARKETS "clore,clore": expected different names/],
    [{ MARKETS: 'a b' }, /MARKETS "a b": expected different names/],
    [
      { MARKETS: 'clore', MARKET_URL: 'http://x.example', MARKET_API_KEY: 'k' },
      /MARKETS: MARKET_URL is set too/,
    ],
    [{ MARKETS: 'clore', MARKET_CLORE_URL: 'ftp://x' }, /MARKET_CLORE_URL "ftp:\/\/x": expected an http/],
    [{ MARKETS: 'clore', MARKET_CLORE_CRAWL_OFFERS: 'often' }, /MARKET_CLORE_CRAWL_OFFERS "often"/],
    [{ MARKETS: 'clore', MARKET_CLORE_API_KEY: 'two words' }, /^ *MARKET_CLORE_API_KEY: expected letters/],
    [
      { MARKETS: 'vast,clore', MARKET_CLORE_API_KEY: 'k', MARKET_CLORE_API_KEY_FILE: keyFile },
      /MARKET_CLORE_API_KEY_FILE: MARKET_CLORE_API_KEY is set too; keep one of them/,
    ],
    [{ MARKETS: 'clore', MARKET_CLORE_API_KEY_FILE: '/nowhere' }, /MARKET_CLORE_API_KEY_FILE "\/nowhere"/],
  ])('is refused by %j', (env, problem) => {
    expect(problemsOf(env)).toEqual([expect.stringMatching(problem)]);
  });

  it.each([
    [{ MARKETS: 'x' }, /Unknown kind of market "x"\. Known: vast, clore. Set MARKET_X_KIND\./],
    [{ MARKETS: 'vast', MARKET_VAST_URL: 'http://x.example' }, /needs a key: set MARKET_VAST_API_KEY\./],
    [{ MARKETS: 'vast', MARKET_VAST_API_KEY: 'k' }, /no public address of its own: set MARKET_VAST_URL\./],
    [
      { MARKETS: 'clore', MARKET_CLORE_DIALECT: '/nowhere' },
      /MARKET_CLORE_DIALECT "\/nowhere" cannot be read/,
    ],
    [{ MARKETS: 'clore', MARKET_CLORE_DIALECT: keyFile }, /^MARKET_CLORE_DIALECT \/.* is not JSON/],
  ])('cannot be opened by %j', (env, problem) => {
    expect(() => prepareMarket(loadConfig(env))).toThrow(problem);
  });
});

describe('a file that settings name', () => {
  it('is read up to 1 MB: what is larger is refused, not held', () => {
    const file = join(folder, 'large');
    writeFileSync(file, 'x'.repeat(1024 * 1024));
    expect(loadConfig({ SECRETS_KEY_FILE: file }).secretsKey).toHaveLength(1024 * 1024);
    writeFileSync(file, 'x'.repeat(1024 * 1024 + 1));
    expect(problemsOf({ SECRETS_KEY_FILE: file })).toEqual([
      expect.stringMatching(/SECRETS_KEY_FILE .* more than 1 MB/),
    ]);
    const market = { MARKET_URL: 'http://x.example', MARKET_API_KEY: 'k' };
    expect(() => prepareMarket(loadConfig({ ...market, MARKET_DIALECT: file }))).toThrow(/more than 1 MB/);
  });
});
