import { expect, it } from 'vitest';
import { settingNames } from '../../src/market/setting-names.ts';
import { defaultDialect } from '../../src/market/vast/dialect.ts';
import { actGood, actingCalls, readingCalls } from './every-call.ts';
import { reply, startScriptedServer } from './scripted-server.ts';
import { createTestClient, errorOf, testActKey, testKey } from './test-client.ts';

const refused = reply(401, { error: 'auth_error', msg: 'Invalid user key' });

it('every call uses its own key, and the error for a refused key names its setting', async () => {
  const calls = [
    ...Object.values(readingCalls).map(({ call }) => ({ call, key: testKey, setting: 'MARKET_API_KEY' })),
    ...Object.values(actingCalls).map((call) => ({ call, key: testActKey, setting: 'MARKET_ACT_API_KEY' })),
  ];
  for (const { call, key, setting } of calls) {
    const { baseUrl, received } = await startScriptedServer(refused);
    const error = await errorOf(call(createTestClient(baseUrl, { actApiKey: testActKey }).client));
    expect(received.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${key}`]);
    expect(error).toMatchObject({ kind: 'auth', outcome: 'refused' });
    expect(error.message).toMatch(new RegExp(`check ${setting}\\b`));
  }
});

it('errors of a market in MARKETS name its own settings', async () => {
  const names = settingNames('MARKET_MINE_');
  const { baseUrl } = await startScriptedServer(refused, refused, reply(200, '<html>'), reply(200, '<html>'));
  const { client } = createTestClient(baseUrl, { actApiKey: testActKey, names });
  const named = [
    await errorOf(client.listInstances()),
    await errorOf(client.stopInstance(7)),
    await errorOf(client.listInstances()),
    await errorOf(createTestClient('http://127.0.0.1:9', { names }).client.listInstances()),
  ].map(({ message }) => /MARKET_\w+/.exec(message)?.[0]);
  expect(named).toEqual(['API_KEY', 'ACT_API_KEY', 'URL', 'URL'].map((name) => `MARKET_MINE_${name}`));
  expect(() => createTestClient('nowhere', { names })).toThrow(/^MARKET_MINE_URL /);
});

it('without a key for acting the only key acts, and errors name its setting', async () => {
  const { baseUrl, received } = await startScriptedServer(refused);
  const error = await errorOf(createTestClient(baseUrl).client.stopInstance(7));
  expect(received.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${testKey}`]);
  expect(error.message).toMatch(/check MARKET_API_KEY\b/);
});

it('an acting key that an HTTP header cannot carry is refused by its setting, without being shown', () => {
  const make = () => createTestClient('http://127.0.0.1:1', { actApiKey: 'two\nlines' });
  expect(make).toThrow(/^MARKET_ACT_API_KEY /);
  expect(make).not.toThrow(/two/);
});

it("each key is hidden in the other's errors", async () => {
  const { baseUrl } = await startScriptedServer(reply(400, { error: 'x', msg: `${testActKey} ${testKey}` }));
  const { client } = createTestClient(baseUrl, { actApiKey: testActKey });
  for (const call of [client.listInstances(), client.stopInstance(7)]) {
    expect((await errorOf(call)).message).toContain('[key] [key]');
  }
});

it('the minimum intervals of the dialect hold per endpoint, whichever key calls it', async () => {
  const { baseUrl } = await startScriptedServer(reply(200, { ...actGood, templates: [], instances: [] }));
  let now = 0;
  const clock = {
    now: () => now,
    sleep: async (ms: number) => {
      now += ms;
    },
  };
  const { client } = createTestClient(baseUrl, { dialect: defaultDialect, actApiKey: testActKey, ...clock });
  const took = async (call: () => Promise<unknown>): Promise<number> => {
    const before = now;
    await call();
    return now - before;
  };
  expect(await took(() => client.searchTemplates())).toBe(0);
  expect(await took(() => client.deleteTemplate(1))).toBe(3_000);
  expect(await took(() => client.listInstances())).toBe(0);
  expect(await took(() => client.listInstances())).toBe(1_000);
  expect(await took(() => client.createInstance(1, { image: 'i', diskGb: 8 }))).toBe(0);
  expect(await took(() => client.createInstance(2, { image: 'i', diskGb: 8 }))).toBe(4_500);
  expect(await took(() => client.stopInstance(2))).toBe(0);
});

const spelled: Record<string, (key: string) => string> = {
  'in another case': (key) => key.toUpperCase(),
  'percent-encoded throughout': (key) => key.replace(/./g, (char) => `%${Buffer.from(char).toString('hex')}`),
  'percent-encoded in part, in capitals': (key) =>
    key.replace(/[-+/]/g, (char) => `%${hexOf(char).toUpperCase()}`),
  'percent-encoded twice': (key) => key.replace(/./g, (char) => `%25${hexOf(char)}`),
  'escaped as in JSON': (key) => key.replace(/./g, (char) => `\\u00${hexOf(char)}`),
  'escaped as in JavaScript': (key) => key.replace(/./g, (char) => `\\x${hexOf(char)}`),
  'with its slashes escaped': (key) => key.replaceAll('/', '\\/'),
  'as HTML': (key) => key.replace(/./g, (char) => `&#${char.charCodeAt(0)};`),
  'as HTML in hex': (key) => key.replace(/./g, (char) => `&#x${hexOf(char)};`),
  'as base64': (key) => Buffer.from(key).toString('base64'),
  'as base64 of a header': (key) => Buffer.from(`Bearer ${key}`).toString('base64'),
  'as base64 of user and password': (key) => Buffer.from(`me:${key}:x`).toString('base64url'),
  'as hex': (key) => Buffer.from(key).toString('hex'),
  'as hex in capitals': (key) => Buffer.from(key).toString('hex').toUpperCase(),
};
const hexOf = (char: string): string => char.charCodeAt(0).toString(16);

it.each(Object.entries(spelled))('a key that the market says back is hidden: %s', async (_name, spell) => {
  const key = 'Sk-live/9+zQ_7f3a';
  for (const text of [spell(key), `you sent ${spell(key)}, which is wrong`]) {
    for (const answer of [reply(400, { error: 'x', msg: text }), reply(502, text), reply(200, text)]) {
      const { baseUrl } = await startScriptedServer(answer);
      const { client, lines } = createTestClient(baseUrl, { apiKey: key });
      const { message } = await errorOf(client.listInstances());
      expect(message).toContain('[key]');
      expect(`${message}${JSON.stringify(lines)}`).not.toContain(spell(key));
    }
  }
});
