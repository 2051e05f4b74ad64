import { describe, expect, it } from 'vitest';
import { proxiesAt } from '../../../src/service/http/client-address.ts';
import { createTestApp, readProblem, type TestApp } from '../../support/test-app.ts';

const bearerOf = (token: string) => ({ authorization: `Bearer ${token}` });

describe('a client that guesses tokens', () => {
  const from = (remoteAddress: string) => ({ incoming: { socket: { remoteAddress }, headers: {} } });
  const ask = async ({ app }: TestApp, token: string, address: string, path = '/api/status') =>
    await app.request(path, { headers: bearerOf(token) }, from(address));

  it('waits longer after each wrong one, by address; known clients and other addresses do not', async () => {
    const test = await createTestApp();
    const { viewer, operator } = test.tokens;
    expect((await ask(test, viewer, '203.0.113.7')).status).toBe(200);
    const statuses: number[] = [];
    for (let guess = 0; guess < 300; guess += 1) {
      statuses.push((await ask(test, `guess-${guess}`, '203.0.113.7')).status);
    }
    expect(statuses.filter((status) => status === 401)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(295);
    const refused = await ask(test, operator, '203.0.113.7');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    expect((await readProblem(refused, 429)).detail).toMatch(/try again in 1 s/);
    // Behind the same proxy, and from elsewhere.
    expect((await ask(test, viewer, '203.0.113.7')).status).toBe(200);
    expect((await ask(test, operator, '203.0.113.8')).status).toBe(200);
    const waits: (string | null)[] = [];
    for (const more of [1, 2, 4, 8]) {
      test.clock.now = new Date(test.clock.now.getTime() + more * 1_000);
      expect((await ask(test, `later-${more}`, '203.0.113.7')).status).toBe(401);
      waits.push((await ask(test, `other-${more}`, '203.0.113.7')).headers.get('retry-after'));
    }
    expect(waits).toEqual(['2', '4', '8', '16']);
    test.clock.now = new Date(test.clock.now.getTime() + 16_000);
    expect((await ask(test, operator, '203.0.113.7')).status).toBe(200);
  });

  it('is told from others behind the same trusted proxy, and cannot pretend to be another', async () => {
    const test = await createTestApp({ trustedProxies: proxiesAt(['10.0.0.0/8', '::1']) });
    const through = async (token: string, forwarded: string, proxy = '10.1.2.3') =>
      (
        await test.app.request(
          '/api/status',
          { headers: { ...bearerOf(token), 'x-forwarded-for': forwarded } },
          from(proxy),
        )
      ).status;
    for (let guess = 0; guess < 5; guess += 1) {
      // What a client writes itself comes before what the proxy adds.
      expect(await through(`guess-${guess}`, `198.51.100.${guess}, 203.0.113.7`)).toBe(401);
    }
    expect(await through('one-more', '203.0.113.9, 203.0.113.7')).toBe(429);
    expect(await through('one-more', '203.0.113.7, 10.9.9.9', '::1')).toBe(429);
    expect(await through('one-more', '203.0.113.8')).toBe(401);
    // Nobody but a proxy is believed.
    for (let guess = 0; guess < 5; guess += 1)
      await through(`own-${guess}`, `198.51.100.${guess}`, '192.0.2.1');
    expect(await through('one-more', '198.51.100.77', '192.0.2.1')).toBe(429);
  });

  it('waits as long when all guesses are sent at once', async () => {
    const test = await createTestApp();
    const burst = async (name: string) => {
      const answers = await Promise.all(
        Array.from({ length: 300 }, (_, guess) => ask(test, `${name}-${guess}`, '203.0.113.7')),
      );
      return answers.filter(({ status }) => status === 401).length;
    };
    expect(await burst('first')).toBe(5);
    test.clock.now = new Date(test.clock.now.getTime() + 1_000);
    expect(await burst('second')).toBe(1);
  });

  it('is identified by its /64 network', async () => {
    const test = await createTestApp();
    for (let guess = 0; guess < 5; guess += 1) await ask(test, `guess-${guess}`, `2001:db8:1:2::${guess}`);
    expect((await ask(test, 'one-more', '2001:db8:1:2:3:4:5:6')).status).toBe(429);
    expect((await ask(test, 'one-more', '2001:db8:1:3::1')).status).toBe(401);
  });

  it('is distinguished from a page whose session has ended, which repeats one secret', async () => {
    const test = await createTestApp();
    for (let turn = 0; turn < 50; turn += 1) {
      expect((await ask(test, 'ended-session', '203.0.113.7')).status).toBe(401);
    }
    expect((await ask(test, test.tokens.viewer, '203.0.113.7')).status).toBe(200);
  });

  it.each([
    ['/login?code=', 401],
    ['/api/feeds/deals.rss?watch=x&token=', 401],
    ['/sheets/', 404],
  ])('waits at %s too', async (path, wrong) => {
    const test = await createTestApp();
    const tryOut = async (guess: number) => {
      const full = path === '/sheets/' ? `/sheets/guess-${guess}/spend.csv` : `${path}guess-${guess}`;
      return (await test.app.request(full, {}, from('203.0.113.7'))).status;
    };
    for (let guess = 0; guess < 5; guess += 1) expect(await tryOut(guess)).toBe(wrong);
    expect(await tryOut(6)).toBe(429);
  });
});
