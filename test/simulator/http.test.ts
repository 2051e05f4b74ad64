import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSimulator } from '../../src/simulator/simulator.ts';
import { allTiers, type Offer } from './simulated-books.ts';

const frozen = new Date('2026-11-21T12:00:03Z');
const simulator = createSimulator({ seed: 9, apiKey: 'right-key', cap: 1000, now: () => frozen });
let url = '';

beforeAll(async () => {
  ({ url } = await simulator.listen());
});
afterAll(() => simulator.close());

interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  bytes: Buffer;
}

/** A request with exactly these headers: fetch would add its own. */
function send(path: string, body: string, headers: Record<string, string>, method = 'POST'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(new URL(path, url), { method, headers }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(parts) }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

const authorized = { authorization: 'Bearer right-key' };
const readJson = (bytes: Buffer): unknown => JSON.parse(bytes.toString('utf8'));
const ask = async (body: object, path = '/api/v0/bundles/'): Promise<Offer[]> => {
  const { status, bytes } = await send(path, JSON.stringify(body), authorized);
  expect(status).toBe(200);
  return (readJson(bytes) as { offers: Offer[] }).offers;
};

describe('the search over HTTP', () => {
  it('returns on both spellings of the path what a search in the process returns', async () => {
    const inProcess = JSON.parse(JSON.stringify(simulator.search(allTiers).body)) as { offers: Offer[] };
    expect(inProcess.offers.length).toBe(64);
    expect(await ask(allTiers, '/api/v0/bundles')).toEqual(inProcess.offers);
    expect(await ask(allTiers, '/api/v0/bundles/')).toEqual(inProcess.offers);
  });

  it('returns 64 rows without a limit, and never more than the cap', async () => {
    expect((await ask({})).length).toBe(64);
    expect((await ask({ ...allTiers, limit: 700 })).length).toBe(700);
    expect((await ask({ ...allTiers, limit: 100_000 })).length).toBe(1000);
  });

  it('serves records of 96 fields', async () => {
    const [offer] = await ask({});
    expect(Object.keys(offer ?? {}).length).toBe(96);
  });

  it('visits every row once when paged by id', async () => {
    const paged: number[] = [];
    for (;;) {
      const after = paged.at(-1) ?? 0;
      const page = await ask({ ...allTiers, order: [['id', 'asc']], id: { gt: after }, limit: 128 });
      if (page.length === 0) break;
      paged.push(...page.map((offer) => offer.id));
    }
    const uncapped = createSimulator({ seed: 9 }).search({ ...allTiers, limit: 20_000 }, frozen).body;
    const ids = (uncapped as { offers: readonly object[] }).offers.map((offer) => (offer as Offer).id);
    expect(paged).toEqual(ids.toSorted((a, b) => a - b));
    expect(paged.length).toBeGreaterThan(1000);
  });

  it('compresses only for clients that accept gzip', async () => {
    const body = JSON.stringify({ ...allTiers, limit: 600 });
    const plain = await send('/api/v0/bundles', body, authorized);
    const zipped = await send('/api/v0/bundles', body, {
      ...authorized,
      'accept-encoding': 'deflate, gzip;q=0.8',
    });
    const refused = await send('/api/v0/bundles', body, { ...authorized, 'accept-encoding': 'gzip;q=0' });
    expect([plain, zipped, refused].map(({ headers }) => headers['content-encoding'])).toEqual([
      undefined,
      'gzip',
      undefined,
    ]);
    expect(gunzipSync(zipped.bytes).equals(plain.bytes)).toBe(true);
    expect(zipped.bytes.length).toBeLessThan(plain.bytes.length / 3);
  });

  it('returns an empty list for an empty book', async () => {
    expect(await ask({ gpu_name: { eq: 'RTX 9999' } })).toEqual([]);
  });
});

describe('a request is refused', () => {
  const body = '{}';

  it('without a key with 403, and with a wrong one with 401, with an explanation', async () => {
    for (const headers of [{}, { authorization: 'Basic right-key' }, { authorization: 'Bearer ' }]) {
      const answer = await send('/api/v0/bundles', body, headers as Record<string, string>);
      expect(answer.status).toBe(403);
    }
    const wrong = await send('/api/v0/bundles', body, { authorization: 'Bearer wrong-key' });
    expect(wrong.status).toBe(401);
    expect(readJson(wrong.bytes)).toEqual({ success: false, error: 'auth_error', msg: 'Invalid user key' });
  });

  it.each(['', '{', 'limit=5', '{"limit": 5'])('for a body that is not JSON: %j', async (text) => {
    const answer = await send('/api/v0/bundles', text, authorized);
    expect(answer.status).toBe(400);
    expect(readJson(answer.bytes)).toEqual({ error: 'invalid_request', msg: expect.any(String) });
  });

  it('for invalid arguments', async () => {
    const answer = await send('/api/v0/bundles', '{"nothing": {"eq": 1}}', authorized);
    expect(answer.status).toBe(400);
    expect(readJson(answer.bytes)).toMatchObject({ success: false, error: 'invalid_args' });
  });

  it('for a body over a megabyte, and for an unknown path or method', async () => {
    const large = JSON.stringify({ gpu_name: { eq: 'x'.repeat(1_100_000) } });
    expect((await send('/api/v0/bundles', large, authorized)).status).toBe(413);
    const elsewhere = await send('/api/v0/bundle', body, authorized);
    expect(elsewhere.status).toBe(404);
    expect(readJson(elsewhere.bytes)).toMatchObject({ error: 'not_found' });
    expect((await send('/api/v0/bundles', '', authorized, 'GET')).status).toBe(405);
  });
});

describe('the server', () => {
  it('keeps a list of the requests that it answered', async () => {
    const before = simulator.requests().length;
    await send('/api/v0/bundles/', '{}', authorized);
    await send('/api/v0/bundles', '{}', {});
    expect(simulator.requests().slice(before)).toEqual([
      {
        method: 'POST',
        path: '/api/v0/bundles/',
        query: '',
        at: frozen,
        status: 200,
        identity: 'account',
        faults: [],
      },
      {
        method: 'POST',
        path: '/api/v0/bundles',
        query: '',
        at: frozen,
        status: 403,
        identity: null,
        faults: [],
      },
    ]);
  });

  it('fails on a taken port, and closes while clients hold connections', async () => {
    const other = createSimulator({ apiKey: 'k', offersPerType: 10 });
    await expect(other.listen({ port: Number(new URL(url).port) })).rejects.toThrow('EADDRINUSE');
    const { url: own } = await other.listen();
    const answer = await fetch(`${own}/api/v0/bundles`, {
      method: 'POST',
      headers: { authorization: 'Bearer k' },
      body: '{}',
    });
    expect(answer.status).toBe(200);
    await answer.text();
    await other.close();
    await expect(fetch(`${own}/api/v0/bundles`)).rejects.toThrow();
  });
});
