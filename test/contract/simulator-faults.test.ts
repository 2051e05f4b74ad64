import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { type CallOutcome, MarketError, type MarketErrorKind } from '../../src/core/errors.ts';
import type { Log } from '../../src/core/log.ts';
import type { MarketClient } from '../../src/market/vast/client.ts';
import { type FaultKind, faultKinds } from '../../src/simulator/faults/fault-kinds.ts';
import { anyQuery, createTestClient, testActKey, testKey } from '../market/test-client.ts';
import { bookOf, offer, openedAt, openMarket } from '../simulator/market-account.ts';

const lately = { from: new Date(openedAt.getTime() - 86_400_000), to: new Date(openedAt.getTime() + 1_000) };
const read = (list: { rejected: readonly unknown[] }, rows: number) => {
  expect(list.rejected).toEqual([]);
  return rows;
};

/** Each gives its number of rows; a row that cannot be read fails the test. */
const readingCalls = {
  search: async (client: MarketClient) => {
    const page = await client.searchOffers({ ...anyQuery, afterId: 1 });
    return read(page, page.offers.length);
  },
  instances: async (client: MarketClient) => {
    const list = await client.listInstances();
    return read(list, list.instances.length);
  },
  templates: async (client: MarketClient) => {
    const list = await client.searchTemplates();
    return read(list, list.templates.length);
  },
  invoices: async (client: MarketClient) => {
    const page = await client.readInvoicePage(lately, null);
    return read(page, page.entries.length);
  },
};
type ReadingCall = keyof typeof readingCalls;
type ActingCall = 'create' | 'stop';
type Kind = MarketErrorKind | 'success';
const reads: readonly ReadingCall[] = ['search', 'instances', 'templates', 'invoices'];
const acts: readonly ActingCall[] = ['create', 'stop'];

interface Expected {
  /** The calls that it affects. */
  strikes: readonly (ReadingCall | ActingCall)[];
  once: Kind;
  always: Kind;
  /** Attempts of an affected read while the fault lasts. */
  attempts: number;
  acting: Kind;
  /** null: the call succeeds. */
  outcome: CallOutcome | null;
  /** Whether an affected acting call takes effect nevertheless. */
  happens: boolean;
  /** How many rows of an affected read differ from those without the fault. */
  rows?: Partial<Record<ReadingCall, number>>;
}

const everywhere = [...reads, ...acts];
const nothing = { strikes: everywhere, once: 'success', happens: false } as const;
const effect = { strikes: everywhere, once: 'success', happens: true } as const;
const throttled = {
  always: 'rate_limited',
  attempts: 7,
  acting: 'rate_limited',
  outcome: 'refused',
} as const;
const contract = { always: 'contract', attempts: 1, acting: 'contract', outcome: 'refused' } as const;
const http = { always: 'http', attempts: 5, acting: 'http', outcome: 'unknown' } as const;
const timeout = { always: 'timeout', attempts: 5, acting: 'timeout', outcome: 'unknown' } as const;
const network = { always: 'network', attempts: 5, acting: 'network', outcome: 'unknown' } as const;
const delivered: Omit<Expected, 'strikes'> = {
  once: 'success',
  always: 'success',
  attempts: 1,
  acting: 'success',
  outcome: null,
  happens: true,
};

/** From docs/faults.md, by hand. `500-after` is its row `500`, `duplicate-rows` one more fault of the contents. */
const table: Record<string, Expected> = {
  '429-json': { ...nothing, ...throttled },
  '429-text': { ...nothing, ...throttled },
  '500': { ...nothing, ...http },
  '502-html': { ...nothing, ...http },
  'success-false': { ...nothing, ...contract, once: 'contract' },
  'reset-before': { ...nothing, ...network },
  'hang-before-headers': { ...nothing, ...timeout },
  'reset-after': { ...effect, ...network },
  '500-after': { ...effect, ...http },
  'hang-in-body': { ...effect, ...timeout },
  'slow-drip': { ...effect, ...timeout },
  'truncated-json': { ...effect, always: 'parse', attempts: 5, acting: 'parse', outcome: 'unknown' },
  'lost-create': { ...effect, ...network, strikes: ['create'] },
  'single-object': { ...delivered, strikes: ['search'], rows: { search: 1 } },
  'moving-rows': { ...delivered, strikes: ['search'] },
  'duplicate-rows': { ...delivered, strikes: ['search'], rows: { search: 4 } },
  hiding: {
    ...delivered,
    strikes: ['search', 'instances', 'templates'],
    rows: { search: 0, instances: 0, templates: 0 },
  },
  'unpageable-ids': { ...delivered, strikes: ['search'], rows: { search: 3 } },
  'shifting-pages': { ...delivered, strikes: ['invoices'] },
  'lagging-instances': { ...delivered, strikes: ['instances'], rows: { instances: 0 } },
  'labels-ignored': { ...delivered, strikes: ['create', 'stop'] },
};
const kinds = Object.keys(faultKinds) as FaultKind[];
const rowOf = (kind: string): Expected => {
  const row = table[kind];
  if (row === undefined) throw new Error(`the table has no row for ${kind}`);
  return row;
};

/** Short for slow faults only, so that on a busy machine no other fault times out. */
const slowDeadlines = { headersMs: 600, idleMs: 600, totalMs: 600, callMs: 300_000 };
const otherDeadlines = { headersMs: 10_000, idleMs: 10_000, totalMs: 10_000, callMs: 300_000 };
/** Time that timers and a busy machine may add to an attempt. */
const slackMs = 1_500;

const book = bookOf([1, 2, 3, 4].map((id) => offer(id, { dph_total: 0.46, storage_total_cost: 0.1 })));

/** Makes one call to a new market with one instance; `kind` null: without a fault. */
async function play(name: ReadingCall | ActingCall, kind: string | null, count: '' | '#1' = '') {
  const texts: string[] = [];
  const write = (fields: object, message: string) => {
    texts.push(`${inspect(fields, { depth: 9, showHidden: true })} ${JSON.stringify(fields)} ${message}`);
  };
  const log: Log = { debug: write, info: write, warn: write, error: write };
  const scopedKeys = { acting: { key: testActKey, permissions: ['instance_read', 'instance_write'] } };
  const market = await openMarket({ replay: book, apiKey: testKey, scopedKeys, pastPayments: 3, log });
  const timeouts = /hang|drip/.test(kind ?? '') ? slowDeadlines : otherDeadlines;
  const { client, waits } = createTestClient(market.url, { log, actApiKey: testActKey, timeouts });
  const rented = await market.call('PUT', '/api/v0/asks/4/', { image: 'ubuntu', disk: 8 }, testKey);
  const before = market.simulator.requests().length;
  if (kind !== null) market.simulator.setFaults([`${kind}:1${count}`]);
  const calls = {
    ...readingCalls,
    create: async () => {
      await client.createInstance(3, { image: 'ubuntu', diskGb: 8, label: 'second' });
      return null;
    },
    stop: async () => {
      await client.stopInstance(Number(rented.body.new_contract));
      return null;
    },
  };
  const startedAt = performance.now();
  const ended = await calls[name](client).then(
    (rows) => ({ rows, error: null }),
    (error: unknown) => ({ rows: null, error }),
  );
  const tookMs = performance.now() - startedAt;
  const { rows, error } = ended;
  texts.push(inspect(error, { depth: 9, showHidden: true }), JSON.stringify(error), ...chainOf(error));
  if (error !== null && !(error instanceof MarketError)) throw error;
  expect(texts.length).toBeGreaterThan(3);
  expectNoKey(texts.join('\n'));
  const attempts = waits.length + 1;
  expect(tookMs).toBeLessThan(attempts * (timeouts.totalMs + slackMs));
  const requests = market.simulator.requests().slice(before);
  const [first, second] = market.simulator.instances();
  return {
    ...{ kind: error?.kind ?? ('success' as const), outcome: error?.outcome ?? null, rows, attempts },
    /** Requests that arrived at the market, and how many of them the fault affected. */
    requests: requests.length,
    struck: requests.filter(({ faults }) => kind !== null && faults.includes(kind)).length,
    happened: name === 'create' ? second !== undefined : first?.intended === 'stopped',
    label: second?.label ?? null,
  };
}

/** Returns message and stack of an error and of its causes. */
function chainOf(error: unknown): string[] {
  return error instanceof Error ? [error.message, error.stack ?? '', ...chainOf(error.cause)] : [];
}

function expectNoKey(text: string): void {
  for (const key of [testKey, testActKey]) {
    for (const form of [key, JSON.stringify(key).slice(1, -1), encodeURIComponent(key), key.slice(0, 12)]) {
      expect(text).not.toContain(form);
    }
  }
  // A create is answered with the new instance's own key, 64 hexadecimal digits.
  expect(text).not.toMatch(/instance_api_key|[0-9a-f]{16}/);
}

/** Each call with a permanent and with a single fault, in parallel; and the result of a read without the fault. */
async function playEach<Name extends ReadingCall | ActingCall>(names: readonly Name[], kind: string) {
  return await Promise.all(
    names.map(async (name) => {
      const [usual, always, once] = await Promise.all([
        play(name, null),
        play(name, kind, ''),
        play(name, kind, '#1'),
      ]);
      return { name, usual: usual.rows, always, once };
    }),
  );
}

it('the table has every fault of the simulator, and no other', () => {
  expect(Object.keys(table).sort()).toEqual([...kinds].sort());
});

describe.each(kinds)('fault %s of the simulator', (kind) => {
  it('in every reading call', async () => {
    const row = rowOf(kind);
    for (const { name, usual, always, once } of await playEach(reads, kind)) {
      expect(usual, name).toBeGreaterThan(0);
      const unstruck = { kind: 'success', rows: usual, attempts: 1, requests: 1, struck: 0 };
      const isStruck = row.strikes.includes(name);
      const rows = row.always === 'success' ? (row.rows?.[name] ?? usual) : null;
      const { attempts } = row;
      expect(always, `${name}, always`).toMatchObject(
        isStruck ? { kind: row.always, rows, attempts, requests: attempts, struck: attempts } : unstruck,
      );
      const isRetried = row.once !== row.always;
      const sent = isRetried ? 2 : 1;
      expect(once, `${name}, once`).toMatchObject(
        isStruck
          ? { kind: row.once, rows: isRetried ? usual : rows, attempts: sent, requests: sent, struck: 1 }
          : unstruck,
      );
    }
  });

  it('in every acting call, which is sent once', async () => {
    const row = rowOf(kind);
    for (const { name, always, once } of await playEach(acts, kind)) {
      const isStruck = row.strikes.includes(name);
      const happened = isStruck ? row.happens : true;
      const isLabeled = name === 'create' && happened && kind !== 'labels-ignored';
      const expected = {
        kind: isStruck ? row.acting : 'success',
        outcome: isStruck ? row.outcome : null,
        rows: null,
        attempts: 1,
        requests: 1,
        struck: isStruck ? 1 : 0,
        happened,
        label: isLabeled ? 'second' : null,
      };
      expect(always, `${name}, always`).toEqual(expected);
      expect(once, `${name}, once`).toEqual(expected);
    }
  });
});
