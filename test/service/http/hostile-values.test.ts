import { beforeAll, describe, expect, it } from 'vitest';
import type { WatchAnswer } from '../../../src/watches/watches.routes.ts';
import { createTestAccount, type TestAccount } from '../../rentals/test-account.ts';
import { createTestApp, readProblem, type TestApp } from '../../support/test-app.ts';

let test: TestApp;
let account: TestAccount | null = null;
beforeAll(async () => {
  test = await createTestApp({
    actor: async () => {
      if (account === null) throw new Error('no account yet');
      return account.actor;
    },
  });
});

const send = async (method: string, path: string, body?: unknown): Promise<Response> =>
  await test.app.request(path, {
    method,
    headers: { authorization: `Bearer ${test.tokens.admin}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
const refused = async (method: string, path: string, body?: unknown): Promise<string[]> =>
  (await readProblem(await send(method, path, body), 400)).errors.map(({ name }) => name);

describe('an impossible value', () => {
  it.each(['foo', 'http://', 'http://[', 'http://a.example/\0', 'http://a.example/\ud800'])(
    'is refused as the address of a channel, by name: %j',
    async (url) => {
      for (const kind of ['webhook', 'ntfy']) {
        const config = kind === 'ntfy' ? { url, topic: 'offers' } : { url };
        expect(await refused('POST', '/api/channels', { kind, config })).toContain('config.url');
      }
    },
  );

  it('is refused as the secret of a channel, by name', async () => {
    const config = { url: 'https://ntfy.example', topic: 'offers' };
    for (const secret of ['\ud800', 'a\0b']) {
      expect(await refused('POST', '/api/channels', { kind: 'ntfy', config, secret })).toEqual(['secret']);
    }
  });

  it.each(['0000-01-01T00:00:00Z', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z'])(
    'is refused as a limit of a backtest, by name: %s',
    async (moment) => {
      const watch = (await (await send('POST', '/api/watches', { name: moment })).json()) as WatchAnswer;
      const rule = { watchId: watch.id, kind: 'priceBelow', params: { usd: 1 } };
      expect(await refused('POST', '/api/rules/backtest', { ...rule, from: moment })).toEqual(['from']);
      expect(await refused('POST', '/api/rules/backtest', { ...rule, to: moment })).toEqual(['to']);
    },
  );

  it('is refused if the market would refuse it, naming the given fields', async () => {
    account = await createTestAccount(test.sql);
    for (const orderBy of ['1e15', 'no_such_column', 'foo bar', '%00']) {
      expect(await refused('GET', `/api/templates?orderBy=${orderBy}`)).toEqual(['orderBy']);
    }
    for (const filters of ['{"days":{"eq":1}}', '{"name":{"eq":"\\u0000"}}', '[]']) {
      const query = new URLSearchParams({ filters });
      expect(await refused('GET', `/api/templates?${query}`)).toEqual(['filters']);
    }
    const draft = { name: 'x', image: 'ubuntu' };
    expect(await refused('POST', '/api/templates', { ...draft, env: '--gpus' })).toEqual(['env']);
    expect(await refused('POST', '/api/templates', { ...draft, tag: '\0' })).toEqual(['tag']);
    const { items } = (await (await send('GET', '/api/volumes/offers')).json()) as {
      items: { volumeOfferId: number }[];
    };
    const request = { volumeOfferId: items[0]?.volumeOfferId, sizeGb: 900_000 };
    expect(await refused('POST', '/api/volumes', request)).toEqual(['volumeOfferId', 'sizeGb']);
  });

  it('is a 404 as the id of a thing that the market does not have', async () => {
    account = await createTestAccount(test.sql);
    const hash = 'b'.repeat(32);
    const cases: [status: number, says: RegExp, method: string, path: string, body?: object][] = [
      [404, /^The account has no volume 987654: /, 'DELETE', '/api/volumes/987654'],
      [404, /^The account has no template with the number 987654: /, 'DELETE', '/api/templates/987654'],
      [
        404,
        /^The account has no template with the hash b{32}: /,
        'PATCH',
        `/api/templates/${hash}`,
        { tag: 'x' },
      ],
      [404, /^The account has no instance 987654: /, 'POST', '/api/instances/987654/stop'],
      [410, /^The offer is gone: /, 'POST', '/api/volumes', { volumeOfferId: 1, sizeGb: 1 }],
    ];
    for (const [status, says, method, path, body] of cases) {
      const { detail } = await readProblem(await send(method, path, body), status);
      expect(detail).toMatch(says);
      expect(detail).not.toContain('/api/v');
    }
  });

  it('is refused as a malformed JSON body, named `body`', async () => {
    expect(await refused('POST', '/api/watches', '{"name":')).toEqual(['body']);
    expect(await refused('POST', '/api/watches', '')).toEqual(['body']);
  });
});
