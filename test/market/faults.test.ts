import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { MarketError } from '../../src/core/errors.ts';
import type { MarketClient } from '../../src/market/vast/client.ts';
import { bookTimeouts, recordTimeouts } from '../../src/market/wire/deadlines.ts';
import { faultKinds } from '../../src/simulator/faults/fault-kinds.ts';
import { actGood, actingCalls, readingCalls } from './every-call.ts';
import { type RawStep, rawAnswer, startRawServer } from './raw-server.ts';
import { anyQuery, createTestClient, smallRecord, testActKey, testKey } from './test-client.ts';

const faultPage = readFileSync(new URL('../../docs/faults.md', import.meta.url), 'utf8');
const rows = [...faultPage.matchAll(/^\| `([\w-]+)` \| (\S+) \| (\S+) \| (\d) \| (\S+) \| (\S+) \|$/gm)].map(
  ([, fault = '', once = '', always = '', attempts = '', acting = '', outcome = '']) => ({
    ...{ fault, once, always, attempts: Number(attempts), acting, outcome },
  }),
);

/** Short where the fault is to be slow, so that a busy machine makes no other fault slow. */
const slowDeadlines = { headersMs: 250, idleMs: 250, totalMs: 500, callMs: 300_000 };
const otherDeadlines = { headersMs: 10_000, idleMs: 10_000, totalMs: 10_000, callMs: 300_000 };
/** What timers and two busy cores may add to an attempt. */
const slackMs = 1_500;

const json = (status: number, body: object, raw = JSON.stringify(body)): string =>
  rawAnswer(status, 'application/json', raw);
const keyIn = (request: string): string => /authorization: Bearer (\S+)/i.exec(request)?.[1] ?? 'none';
/** A step whose answer repeats the key, as a careless market might. */
const says =
  (answer: (key: string) => string): RawStep =>
  (socket, request) =>
    socket.end(answer(keyIn(request)));
const reset: RawStep = (socket) => socket.resetAndDestroy();
const hang: RawStep = () => undefined;
const begin = (socket: Socket): boolean =>
  socket.write(rawAnswer(200, 'application/json', '{"offers":[', 900));

const faults: Record<string, RawStep> = {
  '429-json': says((key) => json(429, { detail: `endpoint threshold=3.0 ${key}` })),
  '429-text': says((key) => rawAnswer(429, 'text/plain', `Too Many Requests ${key}`)),
  '500': says((key) => json(500, { error: 'oops', msg: key })),
  // What has happened meanwhile is the market's to know: the client sees the same answer.
  '500-after': says((key) => json(500, { error: 'oops', msg: key })),
  '502-html': says((key) => rawAnswer(502, 'text/html', `<html>Bad Gateway ${key}</html>`)),
  'hang-before-headers': hang,
  'hang-in-body': (socket) => begin(socket),
  'slow-drip': (socket) => {
    begin(socket);
    const timer = setInterval(() => socket.write(' '), 15);
    socket.on('close', () => clearInterval(timer));
  },
  'truncated-json': says((key) => json(200, {}, `{"success":true,"offers":[{"id":1,"key":"${key}`)),
  'truncated-body': (socket) => {
    begin(socket);
    setTimeout(() => socket.destroy(), 5);
  },
  'empty-body': says(() => json(200, {}, '')),
  'reset-before': reset,
  'reset-after': reset,
  'lost-create': (socket) => socket.end(),
  'success-false': says((key) => json(200, { success: false, error: 'oops', msg: key })),
  '200-html': says((key) => rawAnswer(200, 'text/html', `<!doctype html><p>${key}`)),
  redirect: (socket, request) =>
    socket.end(
      `HTTP/1.1 302 X\r\nLocation: /login?key=${encodeURIComponent(keyIn(request))}\r\nContent-Length: 0\r\n\r\n`,
    ),
  '401': says((key) => json(401, { error: 'auth_error', msg: `Invalid user key ${key}` })),
  '403': says((key) => json(403, { error: 'auth_error', msg: key })),
  '404-user-key': says((key) => json(404, { error: 'not_found', msg: `Invalid user key ${key}` })),
  '404-no-such-instance': says((key) => json(404, { error: 'no_such_instance', msg: key })),
  '410': says((key) => json(410, { msg: `gone ${key}` })),
  '400-no-such-ask': says((key) => json(400, { error: 'no_such_ask', msg: key })),
};

async function play(
  call: (client: ReturnType<typeof createTestClient>['client']) => Promise<unknown>,
  steps: RawStep[],
  fault: string,
) {
  const isListening = fault !== 'nobody-listens';
  const deadlines = /hang|drip/.test(fault) ? slowDeadlines : otherDeadlines;
  const server = await startRawServer(...steps);
  const baseUrl = isListening ? server.baseUrl : 'http://127.0.0.1:1';
  const options = { timeouts: deadlines, actApiKey: testActKey };
  const { client, lines, waits } = createTestClient(baseUrl, options);
  const startedAt = performance.now();
  const error = await call(client).then(
    () => null,
    (reason: unknown) => reason,
  );
  const tookMs = performance.now() - startedAt;
  // What a hasty client sends may not have arrived; nothing may arrive that it does not count.
  const attempts = waits.length + 1;
  expect(server.requests.length).toBeLessThanOrEqual(isListening ? attempts : 0);
  expect(tookMs).toBeLessThan(attempts * (deadlines.totalMs + slackMs));
  expectNoKey([...lines, inspect(error, { depth: 9, showHidden: true }), JSON.stringify(error)].join('\n'));
  if (error !== null && !(error instanceof MarketError)) throw error;
  return { kind: error?.kind ?? 'success', outcome: error?.outcome ?? null, attempts };
}

function expectNoKey(text: string): void {
  for (const key of [testKey, testActKey]) {
    for (const form of [key, JSON.stringify(key).slice(1, -1), encodeURIComponent(key), key.slice(0, 12)]) {
      expect(text).not.toContain(form);
    }
  }
}

it('the table of faults lists every fault that is tested and no other', () => {
  expect(rows.map(({ fault }) => fault).sort()).toEqual([...Object.keys(faults), 'nobody-listens'].sort());
});

it('the table of faults shows the deadlines in force', () => {
  const seconds = (name: string) =>
    new RegExp(`^\\| ${name} \\| (\\d+) s \\| (\\d+) s \\| (\\d+) s \\| (\\d+) s \\|$`, 'm')
      .exec(faultPage)
      ?.slice(1)
      .map((text) => Number(text) * 1_000);
  expect(seconds('offer search')).toEqual(Object.values(bookTimeouts));
  expect(seconds('all others')).toEqual(Object.values(recordTimeouts));
});

describe.each(rows)('fault $fault', ({ fault, once, always, attempts, acting, outcome }) => {
  const step = faults[fault] ?? hang;

  it('has the documented outcome in every reading call', async () => {
    const played = Object.entries(readingCalls).map(async ([name, { call, good }]) => {
      const goodStep = says(() => json(200, good));
      const { kind } = await play(call, [step, goodStep], fault);
      return [name, kind, await play(call, [step], fault)];
    });
    const expected = { kind: always, attempts };
    expect(await Promise.all(played)).toMatchObject(
      Object.keys(readingCalls).map((name) => [name, once, expected]),
    );
  });

  it('has the documented outcome in every acting call', async () => {
    const goodStep = says(() => json(200, actGood));
    const played = Object.entries(actingCalls).map(async ([name, call]) => [
      name,
      await play(call, [step, goodStep], fault),
    ]);
    const expected = Object.keys(actingCalls).map((name) => {
      const isSentOnce = fault !== 'nobody-listens' || name === 'createInstance' || name === 'createVolume';
      const kind = fault === '410' && name !== 'createInstance' ? 'http' : acting;
      return [name, { kind, outcome, attempts: isSentOnce ? 1 : attempts }];
    });
    expect(await Promise.all(played)).toEqual(expected);
  });
});

const moved = { ...smallRecord, dph_base: 0.6, dph_total: 0.602 };
const instance = { id: 7, actual_status: 'running' };
const invoice = { amount: '-5', start: 1_767_225_600, metadata: { invoice_id: 3 } };
const searchTwice = async (client: MarketClient): Promise<number[]> => {
  const { ids } = await client.searchOffers(anyQuery);
  return [...ids, ...(await client.searchOffers({ ...anyQuery, afterId: 7 })).ids];
};
const day = { from: new Date('2026-01-01'), to: new Date('2026-01-02') };
const readTwoPages = async (client: MarketClient): Promise<(number | null)[]> => {
  const { entries, nextToken } = await client.readInvoicePage(day, null);
  const next = await client.readInvoicePage(day, nextToken);
  return [...entries, ...next.entries].map(({ invoiceId }) => invoiceId);
};
const page = (next_token: string | null): object => ({
  ...{ success: true, count: 1, total: 2, next_token, results: [invoice] },
});

/** Well-formed but wrong answers, which the client passes on as they are. */
const contents: Record<
  string,
  { answers: object[]; call: (client: MarketClient) => Promise<unknown>; gives: unknown }
> = {
  'single-object': {
    answers: [{ offers: smallRecord }],
    call: (client) => client.searchOffers(anyQuery),
    gives: { rows: 1 },
  },
  'moving-rows': {
    answers: [{ offers: [smallRecord] }, { offers: [moved] }],
    call: searchTwice,
    gives: [7, 7],
  },
  'duplicate-rows': {
    answers: [{ offers: [smallRecord, smallRecord] }],
    call: (client) => client.searchOffers(anyQuery),
    gives: { rows: 2, ids: [7, 7] },
  },
  hiding: {
    answers: [{ offers: [] }],
    call: (client) => client.searchOffers(anyQuery),
    gives: { rows: 0, ids: [] },
  },
  'unpageable-ids': { answers: [{ offers: [smallRecord] }], call: searchTwice, gives: [7, 7] },
  'shifting-pages': { answers: [page('t'), page(null)], call: readTwoPages, gives: [3, 3] },
  'lagging-instances': {
    answers: [{ instances_found: 0, instances: [] }],
    call: (client) => client.listInstances(),
    gives: { instances: [] },
  },
  'labels-ignored': {
    answers: [{ instances_found: 1, instances: [instance] }],
    call: (client) => client.listInstances(),
    gives: { instances: [{ instanceId: 7, label: null }] },
  },
};

describe('a fault of the contents', () => {
  it.each(Object.entries(contents))('%s is passed on as delivered', async (_, { answers, call, gives }) => {
    const { baseUrl } = await startRawServer(...answers.map((answer) => says(() => json(200, answer))));
    expect(await call(createTestClient(baseUrl).client)).toMatchObject(Object(gives));
  });

  it('has a row in the table, and the table has no others', () => {
    const [, table = ''] = faultPage.split('## Faults of the contents');
    const named = [...table.matchAll(/^\| `([\w-]+)` \| success: /gm)].map(([, fault]) => fault);
    expect(named.sort()).toEqual(Object.keys(contents).sort());
  });
});

it('the tests cover every fault of the simulator', () => {
  const named = [...Object.keys(faults), ...Object.keys(contents)];
  expect(Object.keys(faultKinds).filter((fault) => !named.includes(fault))).toEqual([]);
});
