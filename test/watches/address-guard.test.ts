import type { LookupFunction } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isPublicAddress } from '../../src/core/outgoing/address-guard.ts';
import type { GuardOptions } from '../../src/core/outgoing/guarded-agent.ts';
import { createGuardedHttp } from '../../src/watches/channels/guarded-http.ts';
import { startReceiver } from './receiver.ts';

const ask = { method: 'POST', body: '{}', headers: {} } as const;

function guarded(options: Partial<GuardOptions> = {}) {
  const http = createGuardedHttp({ allowPrivate: false, ...options });
  onTestFinished(() => http.close());
  return http;
}

const lookupOf = (answers: readonly string[][]): LookupFunction & { asked: () => number } =>
  Object.assign(
    ((_host, _options, callback) => {
      const found = answers[Math.min(asks, answers.length - 1)] ?? [];
      asks += 1;
      callback(
        null,
        found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      );
    }) as LookupFunction,
    { asked: () => asks },
  );
let asks = 0;

describe('addresses', () => {
  it.each([
    ['127.0.0.1', '127.1.2.3', '0.0.0.0', '10.1.2.3', '172.16.0.1', '172.31.255.255', '192.168.1.1'],
    [
      '169.254.169.254',
      '169.254.0.1',
      '100.64.0.1',
      '198.18.0.1',
      '224.0.0.1',
      '255.255.255.255',
      '192.0.2.1',
    ],
    ['::', '::1', '::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:a9fe:a9fe', 'fe80::1', 'fe80::1%eth0'],
    ['fc00::1', 'fd00:ec2::254', 'ff02::1', '64:ff9b::a00:1', '2002:7f00:1::', '2001::1', '2001:db8::1'],
  ])('are private for %s, %s, %s, %s, %s, %s and %s', (...inside) => {
    expect(inside.filter(isPublicAddress)).toEqual([]);
  });

  it('on the public internet pass', () => {
    const outside = ['1.1.1.1', '93.184.215.14', '172.32.0.1', '2606:4700::1111', '::ffff:8.8.8.8'];
    expect(outside.filter(isPublicAddress)).toEqual(outside);
  });
});

describe('the guarded client', () => {
  it.each([
    'http://127.0.0.1:PORT/',
    'http://localhost:PORT/',
    'http://0.0.0.0:PORT/',
    'http://2130706433:PORT/',
    'http://0x7f.1:PORT/',
    'http://[::1]:PORT/',
    'http://[::ffff:127.0.0.1]:PORT/',
    'http://169.254.169.254/latest/meta-data/',
    'http://[fd00:ec2::254]/latest/meta-data/',
    'http://10.0.0.1/',
  ])('refuses %s permanently and sends it nothing', async (address) => {
    const receiver = await startReceiver();
    const url = address.replace('PORT', new URL(receiver.url).port);
    expect(await guarded().send(url, ask)).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining('not on the public internet; to allow it'),
    });
    expect(receiver.received).toEqual([]);
  });

  it('refuses a name that resolves to a private address, even if only one of several is', async () => {
    const receiver = await startReceiver();
    const { port } = new URL(receiver.url);
    for (const answer of [['127.0.0.1'], ['93.184.215.14', '127.0.0.1'], ['::ffff:127.0.0.1']]) {
      asks = 0;
      const end = await guarded({ lookup: lookupOf([answer]) }).send(`http://hook.example:${port}/`, ask);
      expect(end).toMatchObject({ kind: 'refused' });
    }
    expect(receiver.received).toEqual([]);
  });

  it('resolves a name once for check and connection, so that rebinding gains nothing', async () => {
    const receiver = await startReceiver();
    const { port } = new URL(receiver.url);
    asks = 0;
    // The receiver's address is the only one outside; every look but the first finds the name inside.
    const lookup = lookupOf([['127.0.0.1'], ['127.0.0.2']]);
    const isPublic = (address: string) => address === '127.0.0.1';
    const url = `http://hook.example:${port}/`;
    expect(await guarded({ lookup, isPublic }).send(url, ask)).toEqual({ kind: 'sent' });
    expect([lookup.asked(), receiver.received.length]).toEqual([1, 1]);
    // A new connection looks the address up again, and it is private by now.
    expect(await guarded({ lookup, isPublic }).send(url, ask)).toMatchObject({ kind: 'refused' });
    expect([lookup.asked(), receiver.received.length]).toEqual([2, 1]);
  });

  it('checks the address that it is connected to, whatever the lookup returned', async () => {
    const receiver = await startReceiver();
    const { port } = new URL(receiver.url);
    asks = 0;
    // A connection to 0.0.0.0 reaches loopback: the looked-up and the connected address differ.
    const lookup = lookupOf([['0.0.0.0']]);
    const url = `http://hook.example:${port}/`;
    const end = await guarded({ lookup, isPublic: (address) => address === '0.0.0.0' }).send(url, ask);
    expect(end).toMatchObject({ kind: 'refused', reason: expect.stringContaining('127.0.0.1') });
    expect(receiver.received).toEqual([]);
    expect(await guarded({ lookup, isPublic: () => true }).send(url, ask)).toEqual({ kind: 'sent' });
  });

  it.each(['POST', 'PUT'] as const)('uses the method that a channel asks for: %s', async (method) => {
    const receiver = await startReceiver();
    const end = await guarded({ allowPrivate: true }).send(receiver.url, { ...ask, method });
    expect([end, receiver.received]).toMatchObject([{ kind: 'sent' }, [{ method, body: '{}' }]]);
  });

  it('follows no redirect', async () => {
    const [receiver, inside] = [await startReceiver(), await startReceiver()];
    receiver.answer((response) => response.writeHead(307, { location: inside.url }).end());
    expect(await guarded({ allowPrivate: true }).send(receiver.url, ask)).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining('HTTP 307'),
    });
    expect(inside.received).toEqual([]);
  });

  it('distinguishes failures that may pass from permanent ones', async () => {
    const receiver = await startReceiver();
    const ends: Record<number, string> = {};
    for (const status of [200, 204, 400, 401, 403, 404, 408, 410, 413, 429, 500, 502, 503]) {
      receiver.answer(status);
      ends[status] = (await guarded({ allowPrivate: true }).send(receiver.url, ask)).kind;
    }
    expect(ends).toEqual({
      ...{ 200: 'sent', 204: 'sent', 400: 'refused', 401: 'refused', 403: 'refused', 404: 'refused' },
      ...{
        408: 'again',
        410: 'refused',
        413: 'refused',
        429: 'again',
        500: 'again',
        502: 'again',
        503: 'again',
      },
    });
  });

  it('waits as long as Retry-After says, and fails if nobody ever answers', async () => {
    const receiver = await startReceiver();
    receiver.answer((response) => response.writeHead(429, { 'retry-after': '120' }).end());
    expect(await guarded({ allowPrivate: true }).send(receiver.url, ask)).toMatchObject({ afterMs: 120_000 });
    receiver.answer('hang');
    const end = await guarded({ allowPrivate: true, timeoutMs: 500 }).send(receiver.url, ask);
    const { host } = new URL(receiver.url);
    expect(end).toMatchObject({
      kind: 'again',
      reason: expect.stringContaining(`${host} does not answer in time: check`),
    });
  });

  it('says in words why an address cannot be reached, with the code and without what may be secret in it', async () => {
    const failing =
      (code: string): LookupFunction =>
      (_host, _options, callback) =>
        callback(Object.assign(new Error(`getaddrinfo ${code} hook.example`), { code }), '', 0);
    const url = 'http://hook.example/services/T0/token-4711?key=secret';
    expect(await guarded({ lookup: failing('ENOTFOUND') }).send(url, ask)).toEqual({
      kind: 'again',
      reason: 'the address hook.example does not exist: check its spelling (ENOTFOUND)',
    });
    const receiver = await startReceiver();
    const { host } = new URL(receiver.url);
    receiver.answer((response) => response.destroy());
    const closed = await guarded({ allowPrivate: true }).send(`${receiver.url}/token-4711`, ask);
    expect(closed).toMatchObject({
      kind: 'again',
      reason: expect.stringContaining(`${host} closed the connection`),
    });
    const other = await guarded({ lookup: failing('EODD') }).send(url, ask);
    expect(other).toMatchObject({ reason: 'hook.example cannot be reached: check the address (EODD)' });
    expect(JSON.stringify([closed, other])).not.toMatch(/4711|secret/);
  });
});
