import { describe, expect, it, vi } from 'vitest';
import { freeTurn, type RequestBudget } from '../../src/core/request-budget.ts';
import { defaultDialect } from '../../src/market/vast/dialect.ts';
import type { Timeouts } from '../../src/market/wire/deadlines.ts';
import { reply, type Step, startScriptedServer } from './scripted-server.ts';
import { anyQuery, createTestClient, errorOf, smallRecord } from './test-client.ts';

const good = reply(200, { offers: [smallRecord] });
const reset: Step = (response) => response.socket?.resetAndDestroy();
const truncated: Step = (response) => {
  response.writeHead(200, { 'content-length': '1000' }).write('{"offers":[');
  setTimeout(() => response.socket?.destroy(), 10);
};
const cutJson: Step = (response) => response.writeHead(200, { connection: 'close' }).end('{"offers":[{"id":');
const stalled: Step = (response) => response.writeHead(200).write('{"offers":[');
const silent: Step = () => undefined;
const dripping: Step = (response) => {
  response.writeHead(200);
  const timer = setInterval(() => response.write(' '), 20);
  response.on('close', () => clearInterval(timer));
};

describe('one failure by chance', () => {
  it.each<[string, Step]>([
    ['500', reply(500, { error: 'oops' })],
    ['502 with HTML', reply(502, '<html>bad gateway</html>')],
    ['a reset connection', reset],
    ['a body cut by the connection', truncated],
    ['JSON cut short', cutJson],
    ['an empty body', reply(200, '')],
    ['no answer', silent],
    ['an answer that stops', stalled],
  ])('is retried with success and counted: %s', async (_name, step) => {
    const { baseUrl, received } = await startScriptedServer(step, good);
    const { client, waits } = createTestClient(baseUrl, { timeouts: { headersMs: 150, idleMs: 150 } });
    const page = await client.searchOffers(anyQuery);
    expect(page).toMatchObject({ rows: 1, retries: 1, throttles: 0 });
    expect(received).toHaveLength(2);
    expect(waits).toEqual([500]);
  });

  it.each<[string, Step]>([
    ['429 in plain text', reply(429, 'API requests too frequent endpoint threshold=3.0')],
    ['429 with detail', reply(429, { detail: 'API requests too frequent: endpoint threshold=3.0' })],
    ['429 without a body', reply(429, '')],
    ['detail with status 400', reply(400, { detail: 'endpoint threshold 3.0' })],
    ['detail with status 200', reply(200, { detail: 'endpoint threshold 3.0' })],
    ['plain text with status 503', reply(503, 'Too many requests')],
    ['plain text with status 200', reply(200, 'Too Many Requests')],
    ['the error code', reply(400, { success: false, error: 'rate_limit_exceeded' })],
  ])('counts as throttling if the market asks for fewer requests: %s', async (_name, step) => {
    const { baseUrl } = await startScriptedServer(step, good);
    const { client, waits } = createTestClient(baseUrl);
    expect(await client.searchOffers(anyQuery)).toMatchObject({ rows: 1, retries: 1, throttles: 1 });
    expect(waits).toEqual([2_000]);
  });
});

describe('Retry-After', () => {
  it('is respected in seconds and as a date, up to a maximum', async () => {
    const now = Date.parse('2026-01-05T00:00:00Z');
    const { baseUrl } = await startScriptedServer(
      reply(429, 'slow', { 'retry-after': '17' }),
      reply(503, 'busy', { 'retry-after': 'Mon, 05 Jan 2026 00:00:40 GMT' }),
      reply(429, 'slow', { 'retry-after': '86400' }),
      good,
    );
    const { client, waits } = createTestClient(baseUrl, { now: () => now, random: () => 0 });
    expect(await client.searchOffers(anyQuery)).toMatchObject({ retries: 3, throttles: 2 });
    expect(waits).toEqual([17_000, 40_000, 120_000]);
  });
});

describe('a failure that stays', () => {
  it('ends after a bounded number of attempts, with the last reason', async () => {
    const { baseUrl, received } = await startScriptedServer(reply(500, { msg: 'still broken' }));
    const error = await errorOf(createTestClient(baseUrl).client.searchOffers(anyQuery));
    expect(error).toMatchObject({ kind: 'http', httpStatus: 500 });
    expect(error.message).toBe('POST /api/v0/bundles/ answered 500 (still broken) (tried 5 times)');
    expect(received).toHaveLength(5);
  });

  it('is rate_limited when every answer asks for fewer requests, after more than a minute', async () => {
    const { baseUrl } = await startScriptedServer(reply(429, 'slow down'));
    const { client, waits } = createTestClient(baseUrl);
    const error = await errorOf(client.searchOffers(anyQuery));
    expect(error).toMatchObject({ kind: 'rate_limited', httpStatus: 429 });
    expect(error.message).toContain('SEARCHES_PER_MINUTE');
    expect(waits).toEqual([2_000, 4_000, 8_000, 16_000, 32_000, 60_000]);
  });

  it('is a network error if nobody listens', async () => {
    const error = await errorOf(createTestClient('http://127.0.0.1:1').client.searchOffers(anyQuery));
    expect(error).toMatchObject({ kind: 'network', httpStatus: null });
    expect(error.message).toMatch(/ECONNREFUSED.*check MARKET_URL/);
    // Others' error objects carry addresses, sockets and headers.
    expect(Object.keys(Object(error.cause))).toEqual([]);
    expect(String(error.cause)).toContain('ECONNREFUSED');
  });

  it.each<[string, Step, Partial<Timeouts>, string]>([
    ['headers', silent, { headersMs: 60 }, 'no answer within 0.06 s'],
    ['the next bytes', stalled, { idleMs: 60 }, 'its answer stopped for 0.06 s'],
    ['the end', dripping, { totalMs: 120 }, 'no complete answer within 0.12 s'],
  ])('is a timeout that says it waited for %s', async (_name, step, timeouts, text) => {
    const { baseUrl } = await startScriptedServer(step);
    const error = await errorOf(createTestClient(baseUrl, { timeouts }).client.searchOffers(anyQuery));
    expect(error).toMatchObject({ kind: 'timeout', httpStatus: null });
    expect(error.message).toContain(text);
  });
});

describe('the caller', () => {
  it('can abort a request, a wait and a wait for a permit, with its own reason', async () => {
    const reason = new Error('stopping');
    const hanging = await startScriptedServer(silent);
    const failing = await startScriptedServer(reply(500, ''));
    let waiting = 0;
    const never = () => {
      waiting += 1;
      return new Promise<never>(() => undefined);
    };
    const budget = { awaitTurn: never, noteThrottled: () => undefined };
    const abortWhen = async (
      options: Parameters<typeof createTestClient>[1],
      server: string,
      ready: () => boolean,
    ) => {
      const controller = new AbortController();
      const { client } = createTestClient(server, options);
      const call = expect(client.searchOffers(anyQuery, { signal: controller.signal })).rejects.toBe(reason);
      await vi.waitFor(() => expect(ready()).toBe(true), { timeout: 120_000 });
      controller.abort(reason);
      await call;
    };
    await abortWhen({}, hanging.baseUrl, () => hanging.received.length === 1);
    await abortWhen({ sleep: never }, failing.baseUrl, () => waiting === 1);
    await abortWhen({ budget }, failing.baseUrl, () => waiting === 2);
    const { client } = createTestClient(failing.baseUrl);
    await expect(client.searchOffers(anyQuery, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect([hanging.received.length, failing.received.length]).toEqual([1, 1]);
  });

  it('ends open calls by closing the client', async () => {
    const { baseUrl } = await startScriptedServer(silent);
    const { client } = createTestClient(baseUrl);
    const call = expect(client.searchOffers(anyQuery)).rejects.toThrow('the market client was closed');
    setTimeout(() => void client.close(), 30);
    await call;
  });

  it('is asked for a permit before every attempt', async () => {
    const { baseUrl } = await startScriptedServer(reply(500, ''), reply(429, ''), good);
    const turns: string[] = [];
    const throttled: string[] = [];
    const budget: RequestBudget = {
      awaitTurn: async (endpoint) => {
        turns.push(endpoint);
        return freeTurn;
      },
      noteThrottled: (endpoint) => void throttled.push(endpoint),
    };
    await createTestClient(baseUrl, { budget }).client.searchOffers(anyQuery);
    expect(turns).toEqual(['searchOffers', 'searchOffers', 'searchOffers']);
    // Of three answers one asked for fewer requests.
    expect(throttled).toEqual(['searchOffers']);
  });

  it('sends nothing with an expired permit and asks for another', async () => {
    const { baseUrl, received } = await startScriptedServer(good);
    const ages = [true, true, false];
    const sentAt: number[] = [];
    const ended: boolean[] = [];
    const budget: RequestBudget = {
      awaitTurn: async () => {
        const old = ages.shift() ?? false;
        const isStale = (): boolean => {
          sentAt.push(received.length);
          return old;
        };
        const end = (): void => void ended.push(old);
        return { isStale, end };
      },
      noteThrottled: () => undefined,
    };
    const page = await createTestClient(baseUrl, { budget }).client.searchOffers(anyQuery);
    expect(page).toMatchObject({ rows: 1, retries: 0 });
    expect([received.length, sentAt, ages]).toEqual([1, [0, 0, 0], []]);
    // By the answer and by its end; a permit that sent nothing has neither.
    expect(ended).toEqual([false, false]);
  });

  it('is not kept waiting forever if every permit expires before it can be used', async () => {
    const { baseUrl, received } = await startScriptedServer(good);
    const turn = { isStale: () => true, end: () => undefined };
    const budget = { awaitTurn: async () => turn, noteThrottled: () => undefined };
    await createTestClient(baseUrl, { budget }).client.searchOffers(anyQuery);
    expect(received).toHaveLength(1);
  });

  it('waits the minimum interval of the dialect between starts, retries included', async () => {
    const { baseUrl } = await startScriptedServer(reply(500, ''), good);
    let now = 1_000_000;
    const waits: number[] = [];
    const sleep = async (ms: number) => {
      waits.push(ms);
      now += ms;
    };
    const dialect = {
      ...defaultDialect,
      minIntervalSeconds: { ...defaultDialect.minIntervalSeconds, searchOffers: 3 },
    };
    const { client } = createTestClient(baseUrl, { dialect, now: () => now, sleep });
    await client.searchOffers(anyQuery);
    await client.searchOffers(anyQuery);
    expect(waits).toEqual([500, 2_500, 3_000]);
  });
});
