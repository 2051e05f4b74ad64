import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Sql } from '../../src/database/connection.ts';
import { loadConfig } from '../../src/service/config.ts';
import { openNotify } from '../../src/service/notify-access.ts';
import type { ChannelAnswer } from '../../src/watches/channels/channels.routes.ts';
import { addDeliveries, listDeliveries } from '../../src/watches/channels/deliveries.sql.ts';
import type { Notice } from '../../src/watches/channels/notice.ts';
import { sendDue } from '../../src/watches/channels/outbox.ts';
import { databaseText } from '../support/database-text.ts';
import { silentLog } from '../support/silent-log.ts';
import { createTestApp, readProblem, type TestApp } from '../support/test-app.ts';
import { type PushService, signedBy, startPushService } from './push-service.ts';

let test: TestApp;
let service: PushService;
beforeEach(async () => {
  test = await createTestApp();
  service = await startPushService();
});
afterEach(() => service.close());

const settings = { SECRETS_KEY: 'a key of the tests', WEBHOOK_ALLOW_PRIVATE: 'on' };
const open = async (sql: Sql, given: Record<string, string> = settings) =>
  await openNotify(loadConfig(given), () => test.clock.now, { sql, mayMakeKey: async () => false });

const send = async (method: string, address: string, body?: unknown) =>
  await test.app.request(address, {
    method,
    headers: { authorization: `Bearer ${test.tokens.admin}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
const subscribed = async (subscription: object = service.subscription): Promise<ChannelAnswer> => {
  const body = { kind: 'browser', name: 'laptop', secret: JSON.stringify(subscription) };
  const made = await send('POST', '/api/channels', body);
  expect(made.status, await made.clone().text()).toBe(201);
  return (await made.json()) as ChannelAnswer;
};
const tested = async ({ id }: ChannelAnswer) =>
  (await (await send('POST', `/api/channels/${id}/test`)).json()) as { state: string; problem: string };
const publicKey = async (): Promise<string> =>
  ((await (await test.get('/api/channels/push-key', 'admin')).json()) as { publicKey: string }).publicKey;
const channelNow = async ({ id }: ChannelAnswer) => await test.json<ChannelAnswer>(`/api/channels/${id}`);

/** Sends an alert as the service does; returns the state of its delivery. */
async function alert(channel: ChannelAnswer, fields: Partial<Notice>): Promise<unknown> {
  const { sql, clock } = test;
  const notice: Notice = {
    ...{ kind: 'alert', title: 'H100 SXM: $1.99/GPU-hour is below $2.00/GPU-hour', lines: ['Offer 7.'] },
    ...{ link: null, at: clock.now.toISOString(), watchId: null, ruleId: null, data: {} },
    ...fields,
  };
  await addDeliveries(sql, [{ notice, channelIds: [channel.id] }], clock.now);
  const { secrets, tools, close } = await open(sql);
  const outbox = { sql, secrets, tools, log: silentLog, now: () => clock.now };
  await sendDue(outbox, channel.id, new AbortController().signal);
  await close();
  const ask = { channelId: channel.id, state: null, after: null, limit: 1 };
  return (await listDeliveries(sql, ask)).map(({ state, problem }) => [state, problem])[0];
}

describe('a push message', () => {
  it('is encrypted for the browser alone and signed by the key that it subscribed with', async () => {
    const channel = await subscribed();
    expect(await tested(channel)).toEqual({ state: 'sent', problem: null });
    const [pushed] = service.pushed;
    expect(pushed?.message).toMatchObject({ title: 'Offerbook: a sample for laptop', path: '/watches' });
    expect(pushed?.path).toBe('/push/secret-address');
    expect(pushed?.headers).toMatchObject({
      'content-encoding': 'aes128gcm',
      ttl: '86400',
      urgency: 'normal',
    });
    const signed = pushed && signedBy(pushed);
    expect(signed?.publicKey).toBe(await publicKey());
    expect(signed?.claims).toMatchObject({ aud: service.url, sub: 'mailto:offerbook@127.0.0.1' });
    const hoursLeft = (Number(signed?.claims.exp) * 1_000 - Date.now()) / 3_600_000;
    expect([hoursLeft > 0, hoursLeft <= 24]).toEqual([true, true]);
    // Neither the subscription nor the private key can be read anywhere.
    const shown = JSON.stringify(await test.json('/api/channels'));
    const stored = await databaseText(test.sql);
    const { privateKey = '' } = (await (await open(test.sql)).tools.push.keys()) ?? {};
    expect(privateKey.length).toBeGreaterThan(40);
    for (const secret of ['secret-address', service.subscription.keys.auth, privateKey]) {
      expect(shown).not.toContain(secret);
      expect(stored).not.toContain(secret);
    }
  });

  it.each<[Partial<Notice>, string]>([
    [{ link: 'http://offerbook.test/rent/7?storageGb=8' }, '/rent/7?storageGb=8'],
    [
      { link: 'http://offerbook.test', watchId: '01983f2c-8b1e-7c40-9d3a-5b6e7f809a1b' },
      '/watches/01983f2c-8b1e-7c40-9d3a-5b6e7f809a1b',
    ],
    [{ link: 'http://offerbook.test' }, '/watches'],
  ])('leads to its offer, else to its watch, else to all: %j', async (fields, path) => {
    expect(await alert(await subscribed(), fields)).toEqual(['sent', null]);
    expect(service.pushed[0]?.message).toMatchObject({ path, body: 'Offer 7.' });
    expect(service.pushed[0]?.headers.urgency).toBe('high');
  });

  it('fits into what push services accept, however long the text', async () => {
    const lines = Array.from({ length: 100 }, () => '大きな値下げ 🎉');
    expect(await alert(await subscribed(), { title: '値'.repeat(200), lines })).toEqual(['sent', null]);
    expect(service.pushed[0]?.message?.title).toBe('値'.repeat(200));
    expect(service.pushed[0]?.bytes).toBeLessThanOrEqual(4_096);
  });

  it('is not sent to a private address unless that is allowed', async () => {
    const { WEBHOOK_ALLOW_PRIVATE: _, ...careful } = settings;
    const notify = await open(test.sql, careful);
    test = await createTestApp({ notify: async () => notify });
    const channel = await subscribed();
    expect(await tested(channel)).toMatchObject({
      state: 'failed',
      problem: expect.stringMatching(/private|public/),
    });
    expect(service.pushed).toEqual([]);
    expect((await channelNow(channel)).offReason).toBeNull();
  });
});

describe('a browser whose subscription', () => {
  it.each([404, 410])('has ended (%i) switches its channel off until it subscribes again', async (status) => {
    const channel = await subscribed();
    service.answer(status);
    const ended = 'the browser has ended its subscription: subscribe again there, or remove the channel';
    expect(await alert(channel, {})).toEqual(['refused', ended]);
    expect((await channelNow(channel)).offReason).toBe(ended);
    expect(await alert(channel, {})).toEqual(['refused', `it is off: ${ended}`]);
    expect(service.pushed.length).toBe(1);
    service.answer(201);
    await send('PATCH', `/api/channels/${channel.id}`, { secret: JSON.stringify(service.subscription) });
    expect((await channelNow(channel)).offReason).toBeNull();
    expect(await alert(channel, {})).toEqual(['sent', null]);
  });

  it('only fails now is tried again', async () => {
    const channel = await subscribed();
    service.answer(503);
    expect(await alert(channel, {})).toEqual(['queued', 'HTTP 503']);
    expect((await channelNow(channel)).offReason).toBeNull();
  });

  it('is none is refused', async () => {
    const { endpoint, keys } = service.subscription;
    const bad = [
      'no JSON',
      { endpoint },
      { endpoint: 'ftp://x', keys },
      { endpoint, keys: { ...keys, auth: 'AA' } },
    ];
    for (const secret of bad.map((each) => (typeof each === 'string' ? each : JSON.stringify(each)))) {
      const answer = await send('POST', '/api/channels', {
        kind: 'browser',
        name: secret.slice(0, 20),
        secret,
      });
      expect((await readProblem(answer, 400)).errors.map(({ name }) => name)).toEqual(['secret']);
    }
  });
});

describe('the key of push messages', () => {
  it('is made once, also by several at the same time, and only for administrators', async () => {
    const keys = await Promise.all(Array.from({ length: 4 }, publicKey));
    expect(new Set(keys).size).toBe(1);
    expect(Buffer.from(keys[0] ?? '', 'base64url').length).toBe(65);
    await test.problem('/api/channels/push-key', 403);
  });

  it('of another SECRETS_KEY is kept while a browser waits for its messages, and made again otherwise', async () => {
    const first = await publicKey();
    const other = await open(test.sql, { SECRETS_KEY: 'another key of the tests' });
    const channel = await subscribed();
    expect(await other.tools.push.keys()).toBeNull();
    expect(await publicKey()).toBe(first);
    await send('DELETE', `/api/channels/${channel.id}`);
    const made = (await other.tools.push.keys())?.publicKey;
    expect(made).not.toBe(first);
    expect((await other.tools.push.keys())?.publicKey).toBe(made);
  });
});
