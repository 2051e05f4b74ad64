import { describe, expect, it } from 'vitest';
import { createTestApp, readProblem } from '../../support/test-app.ts';

const bearerOf = (token: string) => ({ authorization: `Bearer ${token}` });

describe('a request for a foreign host name', () => {
  const paths = [
    '/',
    '/metrics',
    '/healthz',
    '/readyz',
    '/login?code=x',
    '/api/status',
    '/sheets/x/y.csv',
    '/nothing',
  ];

  it.each(paths)('is refused: %s', async (path) => {
    const { app, tokens } = await createTestApp({ openMetrics: true });
    const ask = async (host: string) =>
      await app.request(path, { headers: { host, ...bearerOf(tokens.admin) } });
    for (const host of [
      'evil.example',
      'evil.example:8080',
      '127.0.0.1.evil.example',
      'localhost.evil.example',
      '',
    ]) {
      const { detail } = await readProblem(await ask(host), 421);
      expect(detail).toContain('PUBLIC_URL');
    }
    for (const host of ['127.0.0.1:8080', '[::1]:8080', 'localhost', '10.1.2.3', 'offerbook.test:443']) {
      expect((await ask(host)).status, host).not.toBe(421);
    }
  });
});
