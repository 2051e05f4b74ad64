import { describe, expect, it } from 'vitest';
import { parseDialect } from '../../src/market/vast/dialect.ts';
import { reply, startScriptedServer } from './scripted-server.ts';
import { anyQuery, createTestClient, errorOf, smallRecord, testKey } from './test-client.ts';

const good = reply(200, { offers: [smallRecord] });
const html = '<!doctype html>\n<html><body>Sign in</body></html>';

async function search(...steps: Parameters<typeof startScriptedServer>) {
  const { baseUrl, received } = await startScriptedServer(...steps);
  const { client, waits, lines } = createTestClient(baseUrl);
  return { call: client.searchOffers(anyQuery), received, waits, lines };
}

describe('a refused key', () => {
  it.each([
    ['401', 401, { error: 'auth_error', msg: 'Invalid user key' }],
    ['403', 403, { error: 'auth_error', msg: 'no rights' }],
    ['403 with HTML', 403, html],
    ['404 that names the key', 404, { success: false, error: 'not_found', msg: 'Invalid user key' }],
    ['200 without success that names the key', 200, { success: false, msg: 'Invalid user key' }],
  ])('is never tried again and names the setting: %s', async (_name, status, body) => {
    const { call, received, waits } = await search(reply(status, body), good);
    const error = await errorOf(call);
    expect(error).toMatchObject({ kind: 'auth', httpStatus: status });
    expect(error.message).toContain('MARKET_API_KEY');
    expect([received.length, waits.length]).toEqual([1, 0]);
  });
});

describe('an answer that is wrong for good', () => {
  it.each([
    [
      '400 with an error body',
      400,
      { error: 'invalid_request', msg: 'no JSON' },
      'http',
      'answered 400 (invalid_request: no JSON)',
    ],
    ['404 without a key in it', 404, 'no such page', 'http', "is MARKET_URL the API's base address?"],
    ['HTML', 200, html, 'parse', "with HTML: is MARKET_URL the API's base address?"],
    ['plain text', 200, 'hello', 'parse', 'text that is not JSON (hello)'],
    [
      'success false',
      200,
      { success: false, error: 'e1', msg: 'broken today' },
      'contract',
      'e1: broken today',
    ],
    ['error with status 200', 200, { error: 'e2', message: 'no' }, 'contract', 'e2: no'],
    ['an array', 200, [1], 'contract', 'not an object'],
  ])('fails once with its reason: %s', async (_name, status, body, kind, text) => {
    const { call, received } = await search(reply(status, body), good);
    const error = await errorOf(call);
    expect(error).toMatchObject({ kind, httpStatus: status });
    expect(error.message).toContain(text);
    expect(error.message).not.toContain('\n');
    expect(received).toHaveLength(1);
  });

  it('is quoted up to a maximum length, cut between characters', async () => {
    for (const length of [180, 181]) {
      const msg = `${'x'.repeat(length)}${'\u{1F600}'.repeat(60)}`;
      const { message } = await errorOf((await search(reply(400, { error: 'long', msg }))).call);
      expect([message.isWellFormed(), message.includes('…')]).toEqual([true, true]);
    }
  });

  it('includes a redirect, which is not followed, so that the key stays here', async () => {
    const other = await startScriptedServer(good);
    const { call } = await search(reply(302, '', { location: `${other.baseUrl}/login` }));
    expect((await errorOf(call)).message).toContain(`a redirect to ${other.baseUrl}/login: is MARKET_URL`);
    expect(other.received).toHaveLength(0);
  });

  it('includes a body in an encoding that was not requested', async () => {
    const { call } = await search(reply(200, 'x', { 'content-encoding': 'rot13' }));
    expect(await errorOf(call)).toMatchObject({ kind: 'parse', message: expect.stringContaining('rot13') });
  });
});

describe('a key', () => {
  it('never appears in a message, a cause or a log, though the market repeats it', async () => {
    const echo = { error: testKey, msg: `Invalid user key ${testKey} ${encodeURIComponent(testKey)}` };
    const steps = [
      [reply(500, echo), reply(401, echo)],
      [reply(500, JSON.stringify(echo).slice(0, -1))],
      [reply(302, '', { location: `/?api_key=${encodeURIComponent(testKey)}` })],
      [reply(200, testKey)],
      [reply(200, { [testKey]: 1 })],
      [reply(200, 'x', { 'content-encoding': testKey })],
    ];
    for (const script of steps) {
      const { call, lines } = await search(...script);
      const error = await errorOf(call);
      const all = [error.message, error.stack, String(error.cause), JSON.stringify(error), ...lines].join(
        '\n',
      );
      for (const form of [testKey, JSON.stringify(testKey).slice(1, -1), encodeURIComponent(testKey)]) {
        expect(all).not.toContain(form);
      }
    }
  });

  it('that an HTTP header cannot carry is refused without being shown', () => {
    const make = () => createTestClient('http://127.0.0.1:1', { apiKey: 'two\nlines' });
    expect(make).toThrow(/^MARKET_API_KEY /);
    expect(make).not.toThrow(/two/);
  });
});

it('a malformed market address is refused', () => {
  for (const baseUrl of ['market.example', 'ftp://market.example', '']) {
    expect(() => createTestClient(baseUrl)).toThrow(/^MARKET_URL /);
  }
});

it('the dialect says which answers are about keys and which about rate limits', async () => {
  const text = JSON.stringify({
    auth: { statuses: [418], phrases: ['who are you'] },
    rateLimit: { statuses: [420], phrases: ['calm down'], firstWaitSeconds: 7 },
  });
  const { baseUrl } = await startScriptedServer(
    reply(420, ''),
    reply(400, 'please calm down'),
    reply(404, { msg: 'Who are you?' }),
  );
  const { client, waits } = createTestClient(baseUrl, { dialect: parseDialect(text, 'd.json') });
  expect(await errorOf(client.searchOffers(anyQuery))).toMatchObject({ kind: 'auth', httpStatus: 404 });
  expect(waits).toEqual([7_000, 14_000]);
});
