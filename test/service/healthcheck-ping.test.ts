import { describe, expect, it } from 'vitest';
import {
  type CrawlEnd,
  createHealthcheckPing,
  type HealthcheckPingOptions,
} from '../../src/service/healthcheck-ping.ts';
import { reply, type Step, startScriptedServer } from '../market/scripted-server.ts';
import { freePort } from '../support/free-port.ts';

const complete: CrawlEnd = { kind: 'complete', scope: 'default', type: 'on-demand', reason: null };
const hang: Step = () => {};

async function startMonitor(
  steps: Step[],
  options: Partial<HealthcheckPingOptions> = {},
  path = '/s3cret-id',
) {
  const { baseUrl, received } = await startScriptedServer(...steps);
  const lines: string[] = [];
  const write = (fields: object, message: string) => void lines.push(`${JSON.stringify(fields)} ${message}`);
  const log = { debug: write, info: write, warn: write, error: write };
  const sleeps: number[] = [];
  const sleep = async (ms: number) => void sleeps.push(ms);
  const ping = createHealthcheckPing({ url: baseUrl + path, log, sleep, ...options });
  const asked = () => received.map(({ method, url, body }) => [method, url, body]);
  return { ping, asked, lines, sleeps, baseUrl };
}

describe('the healthcheck ping', () => {
  it('goes to the address after a complete book, and to /fail with the reason after any other', async () => {
    const { ping, asked, lines } = await startMonitor([reply(200, 'OK')]);
    await ping(complete);
    await ping({ ...complete, kind: 'partial', type: 'bid', reason: '3 of 100 rows could not be read' });
    await ping({ ...complete, kind: 'failed', reason: 'the market was down' });
    expect(asked()).toEqual([
      ['GET', '/s3cret-id', ''],
      ['POST', '/s3cret-id/fail', 'The crawl of bid offers was partial: 3 of 100 rows could not be read'],
      ['POST', '/s3cret-id/fail', 'The crawl of on-demand offers failed: the market was down'],
    ]);
    expect(lines).toEqual([]);
  });

  it('keeps the query of the address', async () => {
    const { ping, asked } = await startMonitor([reply(200, 'OK')], {}, '/key/slug/?create=1');
    await ping({ ...complete, kind: 'failed', reason: 'x' });
    expect(asked().map(([, url]) => url)).toEqual(['/key/slug/fail?create=1']);
  });

  it('is not sent for other scopes, nor without an address', async () => {
    const { ping, asked } = await startMonitor([reply(200, 'OK')]);
    await ping({ ...complete, scope: 'rented' });
    const none = await startMonitor([reply(200, 'OK')], { url: null });
    await none.ping(complete);
    expect([...asked(), ...none.asked()]).toEqual([]);
  });

  it('is tried three times, then logged without the address', async () => {
    const { ping, asked, lines, sleeps } = await startMonitor([
      reply(500, 'x'),
      reply(302, '', { location: '/y' }),
    ]);
    await ping(complete);
    expect(asked()).toHaveLength(3);
    expect(sleeps).toEqual([1_000, 5_000]);
    expect(lines).toEqual([
      '{"type":"on-demand","kind":"complete","problem":"HTTP 302"} the healthcheck ping did not arrive',
    ]);
  });

  it('survives one failure', async () => {
    const { ping, asked, lines } = await startMonitor([reply(503, 'x'), reply(200, 'OK')]);
    await ping(complete);
    expect([asked().length, lines]).toEqual([2, []]);
  });

  it('ends in bounded time if a monitor hangs or does not listen', async () => {
    const hanging = await startMonitor([hang], { timeoutMs: 50 });
    await hanging.ping(complete);
    const nobody = await startMonitor([hang], { url: `http://127.0.0.1:${await freePort()}/s3cret-id` });
    await nobody.ping(complete);
    const text = [...hanging.lines, ...nobody.lines].join('\n');
    expect(text).toMatch(/TimeoutError.*\n.*ECONNREFUSED.*did not arrive/s);
    for (const secret of ['s3cret', hanging.baseUrl.slice(7), '127.0.0.1'])
      expect(text).not.toContain(secret);
  });

  it('never throws, whatever the address is', async () => {
    const { ping, lines } = await startMonitor([hang], { url: 'http://user:pass@127.0.0.1:1/x' });
    await ping(complete);
    expect(lines).toHaveLength(1);
    expect(lines.join()).not.toMatch(/user|pass@/);
  });
});
