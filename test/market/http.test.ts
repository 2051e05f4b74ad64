import { expect, it, onTestFinished } from 'vitest';
import { freeTurn } from '../../src/core/request-budget.ts';
import { settingNames } from '../../src/market/setting-names.ts';
import { defaultDialect } from '../../src/market/vast/dialect.ts';
import { createVastEngine, type VastEngineOptions } from '../../src/market/vast/engine.ts';
import { systemClock } from '../../src/market/wire/clock.ts';
import { reply, startScriptedServer } from './scripted-server.ts';
import { errorOf, testKey } from './test-client.ts';

function createEngine(baseUrl: string, options: Partial<VastEngineOptions> = {}) {
  const quiet = () => undefined;
  const engine = createVastEngine({
    baseUrl,
    apiKey: testKey,
    source: { names: settingNames(), key: 'apiKey' },
    secrets: [],
    dialect: defaultDialect,
    maxBodyBytes: 1_000,
    keepAlive: true,
    log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
    clock: systemClock,
    random: Math.random,
    timeouts: {},
    budget: { awaitTurn: async () => freeTurn, noteThrottled: () => undefined },
    ...options,
  });
  onTestFinished(() => engine.close());
  return engine;
}

const once = { endpoint: 'changeInstance', method: 'PUT', path: '/once' } as const;

it.each(['never', 'unsent'] as const)(
  'a request to repeat %s is sent once, whatever the failure',
  async (repeat) => {
    for (const failure of [reply(500, ''), reply(429, ''), reply(200, '{"cut":')]) {
      const { baseUrl, received } = await startScriptedServer(failure);
      await errorOf(createEngine(baseUrl).send({ ...once, repeat }));
      expect(received).toMatchObject([{ method: 'PUT', url: '/once', body: '' }]);
    }
  },
);

it('a request of which no byte was sent is retried unless retries are off', async () => {
  const waits: number[] = [];
  const clock = { now: systemClock.now, sleep: async (ms: number) => void waits.push(ms) };
  const engine = createEngine('http://127.0.0.1:1', { clock, random: () => 0.5 });
  for (const [repeat, count] of [
    ['never', 0],
    ['unsent', 4],
  ] as const) {
    expect(await errorOf(engine.send({ ...once, repeat }))).toMatchObject({ outcome: 'not-sent' });
    expect(waits).toHaveLength(count);
  }
});

it('connections are reused for reading and never for acting', async () => {
  for (const keepAlive of [true, false]) {
    const { baseUrl, received } = await startScriptedServer(reply(200, { success: true }));
    const engine = createEngine(baseUrl, { keepAlive });
    for (const _ of [1, 2]) await engine.send({ ...once, repeat: 'never' });
    const headers = received.map((request) => request.headers.connection);
    expect(headers).toEqual(keepAlive ? ['keep-alive', 'keep-alive'] : ['close', 'close']);
  }
});

it('a call ends before its deadline, including the waits between its attempts', async () => {
  const { baseUrl, received } = await startScriptedServer(reply(429, ''));
  let now = 0;
  const clock = {
    now: () => now,
    sleep: async (ms: number) => {
      now += ms;
    },
  };
  const engine = createEngine(baseUrl, { clock, random: () => 0.5, timeouts: { callMs: 15_000 } });
  await errorOf(engine.send({ ...once, repeat: 'always' }));
  // 2 + 4 + 8 s are below 15 s; 16 s more are not.
  expect([now, received.length]).toEqual([14_000, 4]);
});

it('an attempt gets at most the time that is left of its call', async () => {
  const { baseUrl } = await startScriptedServer(() => undefined);
  const engine = createEngine(baseUrl, { timeouts: { callMs: 80 } });
  const startedAt = Date.now();
  expect(await errorOf(engine.send({ ...once, repeat: 'always' }))).toMatchObject({ kind: 'timeout' });
  expect(Date.now() - startedAt).toBeLessThan(20_000);
});

it('secret values of a request are hidden if the market repeats them', async () => {
  const { baseUrl } = await startScriptedServer(reply(400, { error: 'invalid_args', msg: 'bad pa55word-x' }));
  const error = await errorOf(
    createEngine(baseUrl).send({ ...once, repeat: 'never', secrets: ['pa55word-x'] }),
  );
  expect(error.message).toContain('(invalid_args: bad [key])');
});
