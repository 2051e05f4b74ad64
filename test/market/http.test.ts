import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/market/clock.ts';
import { defaultDialect } from '../../src/market/dialect.ts';
import { defaultTimeouts } from '../../src/market/exchange.ts';
import { createRequestEngine } from '../../src/market/http.ts';
import { reply, startScriptedServer } from './scripted-server.ts';
import { errorOf, testKey } from './test-client.ts';

it('a request that must not be repeated is sent once, whatever the failure', async () => {
  for (const failure of [reply(500, ''), reply(429, ''), reply(200, '{"cut":')]) {
    const { baseUrl, received } = await startScriptedServer(failure);
    const quiet = () => undefined;
    const engine = createRequestEngine({
      baseUrl,
      apiKey: testKey,
      dialect: defaultDialect,
      maxBodyBytes: 1_000,
      log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
      clock: systemClock,
      random: Math.random,
      timeouts: defaultTimeouts,
      awaitTurn: async () => undefined,
    });
    onTestFinished(() => engine.close());
    await errorOf(engine.send({ endpoint: 'searchOffers', method: 'PUT', path: '/once', repeatable: false }));
    expect(received).toMatchObject([{ method: 'PUT', url: '/once', body: '' }]);
  }
});
