import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../client/client.js';
import type { Role } from '../../src/core/http/credential.ts';
import { loadConfig } from '../../src/service/config.ts';
import { openNotify } from '../../src/service/notify-access.ts';
import { addDeliveries, countDeliveries } from '../../src/watches/channels/deliveries.sql.ts';
import { sendDue } from '../../src/watches/channels/outbox.ts';
import type { WebhookBody } from '../../src/watches/channels/webhook-body.ts';
import { runInProcess } from '../support/run-in-process.ts';
import { silentLog } from '../support/silent-log.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';
import { databaseUrl } from '../support/test-database.ts';
import { requireDescribedWebhook } from './described-webhooks.ts';
import { startReceiver } from './receiver.ts';

const day = '2026-07-20';
const settings = { SECRETS_KEY: 'a key of the tests', WEBHOOK_ALLOW_PRIVATE: 'on' };

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
});

const apiOf = (role: Role) => {
  const fetchFromApp = async (address: string, init: RequestInit) => await test.app.request(address, init);
  return createClient({ baseUrl: 'http://localhost', token: test.tokens[role], fetch: fetchFromApp });
};

/** A webhook with its receiver, to which `titles` were sent from 10:00 of the day, an hour apart. */
async function sentTo(name: string, titles: readonly string[] = ['one', 'two', 'three']) {
  const { sql, clock } = test;
  const receiver = await startReceiver();
  const api = apiOf('operator');
  const { id } = await apiOf('admin').createChannel({
    body: { kind: 'webhook', name, config: { url: receiver.url } },
  });
  const { secrets, tools, close } = await openNotify(loadConfig(settings), () => clock.now, {
    sql,
    mayMakeKey: async () => false,
  });
  onTestFinished(close);
  const never = new AbortController().signal;
  const outbox = { sql, secrets, tools, log: silentLog, now: () => clock.now };
  const deliver = async () => await sendDue(outbox, id, never);
  const write = async (title: string, at: Date) => {
    const fields = { lines: [], link: null, at: at.toISOString(), watchId: null, ruleId: null };
    const notice = { kind: 'test' as const, title, ...fields, data: { sample: true } };
    await addDeliveries(sql, [{ notice, channelIds: [id] }], at);
  };
  for (const [index, title] of titles.entries()) {
    clock.now = new Date(Date.parse(`${day}T10:00:00Z`) + index * 3_600_000);
    await write(title, clock.now);
    await deliver();
  }
  clock.now = new Date('2026-07-22T00:00:00Z');
  const first = receiver.received.splice(0);
  const bodies = () => receiver.received.map(({ body }) => JSON.parse(body) as WebhookBody);
  const replay = async (body: object) => await api.replayDeliveries({ id, body: { ...body } });
  return { id, api, receiver, deliver, write, replay, first, bodies };
}

const titlesOf = (bodies: readonly WebhookBody[]) => bodies.map(({ data }) => data.title);

describe('a replay', () => {
  it("sends a day's deliveries again, in their order, under their ids, and says so", async () => {
    const { id, api, receiver, deliver, write, replay, first, bodies } = await sentTo('again');
    await write('the next day', new Date('2026-07-21T00:00:00Z'));
    await deliver();
    receiver.received.splice(0);
    // The second was sent again since: its place in the queue is the last one.
    const second = String(first[1]?.headers['webhook-id']);
    await api.resendDelivery({ id: second });
    await deliver();
    expect(bodies().map(({ replay: is }) => is)).toEqual([true]);
    receiver.received.splice(0);
    test.clock.now = new Date('2026-07-22T00:02:00Z');

    expect(await replay({ day, dryRun: true })).toMatchObject({ dryRun: true, deliveries: 3, queued: 3 });
    await deliver();
    expect(receiver.received).toEqual([]);
    expect(await replay({ day })).toEqual({
      ...{ from: '2026-07-20T00:00:00.000Z', to: '2026-07-21T00:00:00.000Z', dryRun: false },
      ...{ deliveries: 3, queued: 3, alreadyQueued: 0, justReplayed: 0, deletedBefore: null },
    });
    const listed = async () => (await api.listDeliveries({ channelId: id })).items;
    const replayedAt = '2026-07-22T00:02:00.000Z';
    expect((await listed()).map(({ title, state, replayedAt: at }) => [title, state, at])).toEqual([
      ['the next day', 'sent', null],
      ['three', 'queued', replayedAt],
      ['two', 'queued', replayedAt],
      ['one', 'queued', replayedAt],
    ]);
    await deliver();
    expect(titlesOf(bodies())).toEqual(['one', 'two', 'three']);
    const ids = (requests: typeof first) => requests.map(({ headers }) => headers['webhook-id']);
    expect(ids(receiver.received)).toEqual(ids(first));
    for (const [index, { body }] of receiver.received.entries()) {
      expect(JSON.parse(body)).toEqual({ ...JSON.parse(first[index]?.body ?? ''), replay: true });
      requireDescribedWebhook(body);
    }
    expect((await listed()).map(({ state, attempts }) => [state, attempts])).toEqual(
      Array(4).fill(['sent', 1]),
    );
  });

  it('called many times at once, or again within a minute, sends nothing twice', async () => {
    const { deliver, replay, bodies, receiver } = await sentTo('at once');
    const answers = await Promise.all(Array.from({ length: 8 }, async () => await replay({ day })));
    expect(answers.map(({ queued }) => queued).sort()).toEqual([0, 0, 0, 0, 0, 0, 0, 3]);
    expect(await replay({ day })).toMatchObject({ queued: 0, alreadyQueued: 3 });
    await deliver();
    expect(await replay({ day })).toMatchObject({ queued: 0, alreadyQueued: 0, justReplayed: 3 });
    await deliver();
    expect(titlesOf(bodies())).toEqual(['one', 'two', 'three']);
    test.clock.now = new Date(test.clock.now.getTime() + 60_000);
    expect(await replay({ day })).toMatchObject({ queued: 3 });
    await deliver();
    expect(receiver.received).toHaveLength(6);
  });

  it('takes what was refused, leaves what still waits, and a range is exclusive of its end', async () => {
    const { id, api, receiver, deliver, write, replay, bodies } = await sentTo('range', []);
    receiver.answer(401);
    await write('refused', new Date(`${day}T08:00:00Z`));
    await deliver();
    receiver.answer(200);
    await write('waits', new Date(`${day}T09:00:00Z`));
    await write('later', new Date(`${day}T10:00:00Z`));
    const range = { from: `${day}T08:00:00Z`, to: `${day}T10:00:00Z` };
    const refused = async () =>
      (await api.listDeliveries({ channelId: id })).items.find(({ title }) => title === 'refused');
    expect(await refused()).toMatchObject({ state: 'refused', problem: 'HTTP 401' });
    const { retrying } = await countDeliveries(test.sql, test.clock.now);
    expect(await replay(range)).toMatchObject({ deliveries: 2, queued: 1, alreadyQueued: 1 });
    // It waits for its first attempt: what the earlier ones met no longer counts.
    expect(await refused()).toMatchObject({ state: 'queued', problem: null });
    expect((await countDeliveries(test.sql, test.clock.now)).retrying).toBe(retrying);
    receiver.received.splice(0);
    await deliver();
    expect(bodies().map(({ data, replay: is }) => [data.title, is])).toEqual([
      ['waits', false],
      ['later', false],
      ['refused', true],
    ]);
    // The same day in a zone in which it began two hours before.
    expect(await replay({ day, timeZone: 'Europe/Berlin', dryRun: true })).toMatchObject({
      ...{ from: '2026-07-19T22:00:00.000Z', to: '2026-07-20T22:00:00.000Z', deliveries: 3 },
    });
  });

  it('of one delivery forgets why it was refused before', async () => {
    const { id, api, receiver, deliver, write } = await sentTo('resent', []);
    receiver.answer(401);
    await write('refused', test.clock.now);
    await deliver();
    const [refused] = (await api.listDeliveries({ channelId: id })).items;
    expect(refused).toMatchObject({ state: 'refused', problem: 'HTTP 401' });
    expect(await api.resendDelivery({ id: refused?.id ?? '' })).toMatchObject({
      state: 'queued',
      problem: null,
    });
  });

  it('says up to when deliveries are no longer stored', async () => {
    const { replay } = await sentTo('old');
    test.clock.now = new Date('2026-10-18T10:30:00Z');
    expect(await replay({ day, dryRun: true })).toMatchObject({ deletedBefore: '2026-07-20T10:30:00.000Z' });
    expect(await replay({ day: '2026-07-21', dryRun: true })).toMatchObject({ deletedBefore: null });
  });

  it('is refused to viewers, for kinds that cannot mark it, and without a range', async () => {
    const { id, replay } = await sentTo('rights', []);
    await expect(apiOf('viewer').replayDeliveries({ id, body: { day } })).rejects.toMatchObject({
      status: 403,
    });
    for (const body of [{}, { from: day }, { day, to: day }, { from: day, to: day }, { day: '2026-02-30' }]) {
      await expect(replay(body), JSON.stringify(body)).rejects.toMatchObject({ status: 400 });
    }
    const file = await apiOf('admin').createChannel({ body: { kind: 'file', name: 'a file' } });
    await expect(apiOf('operator').replayDeliveries({ id: file.id, body: { day } })).rejects.toMatchObject({
      status: 409,
    });
  });

  it('is a command with a dry run', async () => {
    const { deliver, bodies, id } = await sentTo('by command');
    const env = { DATABASE_URL: databaseUrl(test.target), ...settings };
    const run = async (...args: string[]) =>
      await runInProcess(['channel', 'replay', 'by command', ...args], loadConfig(env));
    const dry = await run('--day', day, '--dry-run');
    expect([dry.code, dry.stdout]).toEqual([0, expect.stringContaining('3 would be sent again')]);
    const counted = JSON.parse((await run('--day', day, '--dry-run', '--json')).stdout);
    expect(counted).toMatchObject({ deliveries: 3, queued: 3, dryRun: true });
    const done = await run('--from', `${day}T11:00:00Z`, '--to', `${day}T13:00:00Z`);
    expect(done.stdout).toContain('2 are queued again');
    await deliver();
    expect(titlesOf(bodies())).toEqual(['two', 'three']);
    const { stdout } = await runInProcess(['channel', 'deliveries', '--json'], loadConfig(env));
    const { deliveries } = JSON.parse(stdout) as { deliveries: { channelId: string; replayedAt: string }[] };
    expect(deliveries.filter((each) => each.channelId === id && each.replayedAt !== null)).toHaveLength(2);
  });
});
