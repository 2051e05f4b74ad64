import { randomUUID } from 'node:crypto';
import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { DatabaseTarget, Sql } from '../../src/database/connection.ts';
import { openJobQueue } from '../../src/jobs/job-queue.ts';
import { createOutageLog } from '../../src/jobs/outage-log.ts';
import { startWorker } from '../../src/jobs/worker.ts';
import { listEvents, newestEventId } from '../../src/rentals/events.sql.ts';
import { deliverSlots } from '../../src/service/delivery-work.ts';
import { withChannelLock } from '../../src/watches/channels/channel-lock.sql.ts';
import { saveChannel } from '../../src/watches/channels/channels.sql.ts';
import { addDeliveries, listDeliveries, queueAgain } from '../../src/watches/channels/deliveries.sql.ts';
import { createGuardedHttp } from '../../src/watches/channels/guarded-http.ts';
import type { Notice } from '../../src/watches/channels/notice.ts';
import { type Outbox, pauseMs, sendDue, triesForMs } from '../../src/watches/channels/outbox.ts';
import { createSecretBox } from '../../src/watches/channels/secret-box.ts';
import { silentLog } from '../support/silent-log.ts';
import { createTestDatabase } from '../support/test-database.ts';
import { noPush } from './no-push.ts';
import { type Receiver, startReceiver } from './receiver.ts';

let sql: Sql;
let target: DatabaseTarget;
beforeAll(async () => {
  ({ sql, target } = await createTestDatabase());
});

const secrets = createSecretBox('the key of this test');
const key = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const never = new AbortController().signal;

const notice = (title: string): Notice => ({
  ...{ kind: 'alert', title, lines: [], link: null, at: '2026-07-30T08:00:00.000Z' },
  ...{ watchId: null, ruleId: null, data: {} },
});

interface Place {
  receiver: Receiver;
  channelId: string;
  clock: { now: Date };
  outbox: Outbox;
  write: (...titles: string[]) => Promise<void>;
  send: (signal?: AbortSignal) => Promise<number>;
  states: () => Promise<[title: string, state: string, attempts: number][]>;
  titles: () => string[];
}

async function place(): Promise<Place> {
  const receiver = await startReceiver();
  const clock = { now: new Date('2026-07-30T08:00:00Z') };
  const http = createGuardedHttp({ allowPrivate: true, timeoutMs: 1_000 });
  onTestFinished(() => http.close());
  const now = () => clock.now;
  const outbox: Outbox = {
    ...{ sql, secrets, log: silentLog, now },
    tools: {
      http,
      smtpUrl: null,
      mailFrom: 'offerbook@example.com',
      filesDir: '/nowhere',
      now,
      push: noPush,
    },
  };
  const channelId = uuidv7();
  await saveChannel(sql, {
    ...{ id: channelId, kind: 'webhook', name: channelId, config: { url: receiver.url } },
    ...{ secret: secrets.seal(key, channelId), createdAt: clock.now },
  });
  const write = async (...titles: string[]): Promise<void> => {
    const entries = titles.map((title) => ({ notice: notice(title), channelIds: [channelId] }));
    await addDeliveries(sql, entries, clock.now);
  };
  const states: Place['states'] = async () => {
    const ask = { channelId, state: null, after: null, limit: 100 };
    const all = await listDeliveries(sql, ask);
    return all
      .map(({ title, state, attempts }) => [title, state, attempts] as [string, string, number])
      .reverse();
  };
  return {
    ...{ receiver, channelId, clock, outbox, write, states },
    send: (signal = never) => sendDue(outbox, channelId, signal),
    titles: () => receiver.received.map(({ body }) => (JSON.parse(body) as { data: Notice }).data.title),
  };
}

const idsOf = (receiver: Receiver) => receiver.received.map(({ headers }) => headers['webhook-id']);

describe('the outbox', () => {
  it('sends in the order of writing, and contains nothing of a failed transaction', async () => {
    const { write, send, states, titles, channelId, clock } = await place();
    await write('one', 'two');
    const failing = sql.begin(async (tx) => {
      await addDeliveries(tx, [{ notice: notice('never'), channelIds: [channelId] }], clock.now);
      throw new Error('the book was not stored');
    });
    await expect(failing).rejects.toThrow('the book was not stored');
    await write('three');
    await send();
    expect(titles()).toEqual(['one', 'two', 'three']);
    expect(await states()).toEqual([
      ['one', 'sent', 1],
      ['two', 'sent', 1],
      ['three', 'sent', 1],
    ]);
  });

  it('retries with growing pauses under the same id, and later deliveries wait', async () => {
    const { receiver, write, send, states, titles, clock } = await place();
    await write('one', 'two');
    receiver.answer(500);
    for (let attempt = 1; attempt <= 4; attempt += 1) {
      await send();
      // Not before its time.
      clock.now = new Date(clock.now.getTime() + pauseMs(attempt) - 1);
      await send();
      expect(await states()).toEqual([
        ['one', 'queued', attempt],
        ['two', 'queued', 0],
      ]);
      clock.now = new Date(clock.now.getTime() + 1);
    }
    receiver.answer(200);
    await send();
    expect(titles()).toEqual(['one', 'one', 'one', 'one', 'one', 'two']);
    expect(new Set(idsOf(receiver).slice(0, 5)).size).toBe(1);
    expect(await states()).toEqual([
      ['one', 'sent', 5],
      ['two', 'sent', 1],
    ]);
  });

  it('reports the end of each attempt in an event', async () => {
    const { receiver, write, send, clock, channelId } = await place();
    const before = await newestEventId(sql);
    await write('one');
    receiver.answer(500);
    await send();
    receiver.answer(200);
    clock.now = new Date(clock.now.getTime() + pauseMs(1));
    await send();
    const [delivery] = await listDeliveries(sql, { channelId, state: null, after: null, limit: 1 });
    const event = { kind: 'delivery', marketId: null };
    const about = { deliveryId: delivery?.id, channelId };
    expect(await listEvents(sql, before)).toMatchObject([
      { ...event, data: { ...about, state: 'queued' } },
      { ...event, at: clock.now, data: { ...about, state: 'sent' } },
    ]);
  });

  it('gives up after a day and continues with the next', async () => {
    const { receiver, write, send, states, clock } = await place();
    await write('one');
    receiver.answer(503);
    const begin = clock.now.getTime();
    const isOver = async (): Promise<boolean> => (await states())[0]?.[1] === 'failed';
    for (let round = 0; round < 60 && !(await isOver()); round += 1) {
      await send();
      clock.now = new Date(clock.now.getTime() + pauseMs(round + 1));
    }
    const [one] = await states();
    expect(one?.slice(0, 2)).toEqual(['one', 'failed']);
    expect(clock.now.getTime() - begin).toBeGreaterThan(triesForMs - 3_600_000);
    receiver.answer(200);
    await write('two');
    await send();
    expect((await states())[1]).toEqual(['two', 'sent', 1]);
  });

  it('starts the day of everything that waits behind a dead receiver together', async () => {
    const { receiver, write, send, states, clock } = await place();
    await write('one', 'two', 'three');
    receiver.answer(503);
    const begin = clock.now.getTime();
    await send();
    for (let round = 1; round < 60 && clock.now.getTime() - begin < triesForMs; round += 1) {
      clock.now = new Date(clock.now.getTime() + pauseMs(round));
      if (round === 12) await write('four');
      await send();
    }
    const state = async () => (await states()).map(([title, is]) => `${title} ${is}`);
    expect(await state()).toEqual(['one failed', 'two failed', 'three failed', 'four queued']);
    // A delivery that was stored later has its own 24 hours.
    receiver.answer(200);
    clock.now = new Date(clock.now.getTime() + 3_600_000);
    await send();
    expect(await state()).toEqual(['one failed', 'two failed', 'three failed', 'four sent']);
  });

  it('refuses a hopeless delivery at once, and continues', async () => {
    const { receiver, write, send, states } = await place();
    await write('one', 'two');
    receiver.answer(410);
    await send();
    receiver.answer(200);
    expect(await states()).toEqual([
      ['one', 'refused', 1],
      ['two', 'refused', 1],
    ]);
  });

  it('repeats a delivery under the same id if its process died', async () => {
    const { receiver, write, send, states, titles } = await place();
    await write('one', 'two');
    // Received, but the process never learned of it: its attempt was begun and not ended.
    receiver.answer('hang');
    const dying = new AbortController();
    const attempt = send(dying.signal);
    await expect.poll(() => receiver.received.length, { timeout: 60_000 }).toBe(1);
    dying.abort();
    receiver.answer(200);
    // Another process takes over the channel; a later result of the first changes nothing.
    await send();
    await attempt;
    expect(titles().slice(0, 3)).toEqual(['one', 'one', 'two']);
    expect(new Set(idsOf(receiver).slice(0, 2)).size).toBe(1);
    expect((await states()).map(([, state]) => state)).toEqual(['sent', 'sent']);
  });

  it('is sent by one process at a time for each channel', async () => {
    const { channelId, write, send, titles } = await place();
    await write('one');
    let inner: boolean | null = null;
    await withChannelLock(sql, channelId, async () => {
      inner = await withChannelLock(sql, channelId, async () => void (await send()));
    });
    expect(inner).toBe(false);
    expect(titles()).toEqual([]);
    expect(await withChannelLock(sql, channelId, async () => void (await send()))).toBe(true);
    expect(titles()).toEqual(['one']);
  });

  it('is not blocked by a receiver that hangs: other channels get theirs meanwhile', async () => {
    const [hanging, well] = [await place(), await place()];
    hanging.receiver.answer('hang');
    const http = createGuardedHttp({ allowPrivate: true, timeoutMs: 600_000 });
    const { outbox } = well;
    const { now } = outbox;
    const notify = async () => ({ secrets, tools: { ...outbox.tools, http }, close: http.close });
    const queue = await openJobQueue({ target, log: silentLog, supervise: false });
    const worker = startWorker({
      ...{ sql, queue, outages: createOutageLog(silentLog, now), patience: { finishMs: 300, endMs: 300 } },
      slots: deliverSlots({ sql, log: silentLog, now, notify }),
    });
    onTestFinished(async () => {
      await http.close();
      await worker.stop();
      await queue.stop();
    });
    const deliver = async (to: Place): Promise<void> => {
      await to.write('one', 'two');
      const job = { id: randomUUID(), key: to.channelId, data: { channelId: to.channelId }, priority: 0 };
      await queue.add('deliver', [job]);
      worker.wake();
      await expect.poll(() => to.receiver.received.length, { timeout: 60_000 }).toBeGreaterThan(0);
    };
    await deliver(hanging);
    await deliver(well);
    const sent = async () => (await well.states()).map(([, state]) => state);
    await expect.poll(sent, { timeout: 60_000 }).toEqual(['sent', 'sent']);
    expect(hanging.titles()).toEqual(['one']);
  });

  it('sends a finished delivery again on request, once, behind the waiting ones', async () => {
    const { receiver, write, send, titles, clock } = await place();
    await write('one');
    receiver.answer(404);
    await send();
    receiver.answer(200);
    const [delivery] = await listDeliveries(sql, {
      channelId: null,
      state: 'refused',
      after: null,
      limit: 1,
    });
    await write('two');
    expect(await queueAgain(sql, delivery?.id ?? '', clock.now)).toBe(true);
    expect(await queueAgain(sql, delivery?.id ?? '', clock.now)).toBe(false);
    await send();
    expect(titles()).toEqual(['one', 'two', 'one']);
    const ids = idsOf(receiver);
    expect(ids[2]).toBe(ids[0]);
  });

  it('says what to do if the secret was sealed with another key', async () => {
    const { outbox, channelId, write, receiver } = await place();
    await write('one');
    await sendDue({ ...outbox, secrets: createSecretBox('another key of the test') }, channelId, never);
    const [delivery] = await listDeliveries(sql, { channelId, state: null, after: null, limit: 1 });
    expect(delivery).toMatchObject({ state: 'refused', problem: expect.stringContaining('enter it again') });
    expect(receiver.received).toEqual([]);
  });
});
