import { describe, expect, it } from 'vitest';
import { faultText, parseFault } from '../../src/simulator/faults/fault-grammar.ts';
import { faultKinds } from '../../src/simulator/faults/fault-kinds.ts';
import { bookOf, offer, openMarket, rent, rowsOf, type TestMarket } from './market-account.ts';
import { sendRaw } from './raw-client.ts';

const search = { method: 'POST', path: '/api/v0/bundles/', body: {} };
const create = { method: 'PUT', path: '/api/v0/asks/1/', body: { image: 'ubuntu' } };
const existing = (market: TestMarket) => market.simulator.instances().length;
const bodyOf = (text: string) => text.slice(text.indexOf('\r\n\r\n') + 4);

/** Faults that a raw client shows, each by a test below. */
const shown = new Set<string>();
const faulty = (kind: string, more: object = {}) => {
  shown.add(kind.replace(/[=@:#].*/, ''));
  return openMarket({ faults: [kind], ...more });
};

describe('a fault instead of an effect', () => {
  it.each([
    ['429-json', 429, 'application/json', /^\{"detail":".*threshold=3\.0"\}$/],
    ['429-text', 429, 'text/plain', /threshold=3\.0$/],
    ['500', 500, 'application/json', /"internal_error"/],
    ['502-html', 502, 'text/html', /^<html>[\s\S]*502 Bad Gateway/],
    ['success-false', 200, 'application/json', /^\{"success":false/],
  ])('%s', async (kind, status, type, body) => {
    const market = await faulty(kind);
    const { text, end } = await sendRaw(market.url, create);
    expect(end).toBe('closed');
    expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(text.toLowerCase()).toContain(`content-type: ${type}`);
    expect(text.toLowerCase()).not.toContain('retry-after');
    const sent = bodyOf(text).replace(/^[0-9a-f]+\r\n|\r\n0\r\n\r\n$/g, '');
    expect(sent.trim()).toMatch(body);
    expect(existing(market)).toBe(0);
  });

  it.each([
    ['reset-before', 'reset'],
    ['hang-before-headers', 'silence'],
  ])('%s', async (kind, end) => {
    const market = await faulty(kind);
    expect(await sendRaw(market.url, create)).toEqual({ text: '', end, partsMs: [] });
    expect(existing(market)).toBe(0);
    expect(market.simulator.requests()).toMatchObject([{ status: null, faults: [kind] }]);
  });
});

describe('a fault after the effect', () => {
  it.each([
    ['reset-after', 'reset'],
    ['lost-create', 'closed'],
  ])('%s', async (kind, end) => {
    const market = await faulty(kind);
    expect(await sendRaw(market.url, create)).toMatchObject({ text: '', end });
    expect(existing(market)).toBe(1);
  });

  it('500-after', async () => {
    const market = await faulty('500-after');
    expect((await sendRaw(market.url, create)).text).toMatch(/^HTTP\/1\.1 500 /);
    expect(existing(market)).toBe(1);
  });

  it('lost-create only affects creates', async () => {
    const market = await openMarket({ faults: ['lost-create'] });
    expect((await sendRaw(market.url, search)).text).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('hang-in-body', async () => {
    const market = await faulty('hang-in-body');
    const { text, end } = await sendRaw(market.url, search);
    const length = Number(/content-length: (\d+)/i.exec(text)?.[1]);
    expect(end).toBe('silence');
    expect(bodyOf(text).length).toBe(Math.floor(length / 2));
  });

  it('slow-drip', async () => {
    const market = await faulty('slow-drip=1000@/api/v0/instances');
    const { text, end, partsMs } = await sendRaw(
      market.url,
      { method: 'GET', path: '/api/v0/instances/' },
      5000,
    );
    expect(end).toBe('closed');
    expect(JSON.parse(bodyOf(text))).toEqual({ instances_found: 0, instances: [] });
    const slow = await openMarket({ faults: ['slow-drip=100'] });
    const drip = await sendRaw(slow.url, search, 300);
    expect(drip.end).toBe('silence');
    expect(bodyOf(drip.text).length).toBeLessThan(60);
    expect(drip.partsMs.length).toBeGreaterThan(2);
    expect(partsMs.length).toBeGreaterThanOrEqual(1);
  });

  it('truncated-json', async () => {
    const market = await faulty('truncated-json');
    const { text, end } = await sendRaw(market.url, search);
    expect(end).toBe('closed');
    expect(text).toMatch(/^HTTP\/1\.1 200 /);
    expect(bodyOf(text)).toContain('{"offers":[{"id":1');
    expect(() => JSON.parse(bodyOf(text))).toThrow();
  });
});

describe('a fault within the response', () => {
  const ask = async (market: TestMarket, body: object = {}) =>
    rowsOf(
      await market.call('POST', '/api/v0/bundles/', { order: [['id', 'asc']], limit: 2000, ...body }),
      'offers',
    );
  const many = Array.from({ length: 1000 }, (_, index) =>
    offer(index + 1, { dph_total: 1, storage_total_cost: 0.1 }),
  );

  it('single-object', async () => {
    const market = await faulty('single-object');
    expect(await ask(market)).toMatchObject({ id: 1, gpu_name: 'RTX 4090' });
  });

  it('moving-rows', async () => {
    const market = await faulty('moving-rows:0.3', { replay: bookOf(many) });
    const [first, second] = [await ask(market), await ask(market)];
    expect(first.map(({ id }) => id)).toEqual(many.map(({ id }) => id));
    const moved = first.filter(({ dph_base }) => dph_base !== 0.36).length;
    expect(moved).toBeGreaterThan(240);
    expect(moved).toBeLessThan(360);
    expect(first.filter((row, index) => row.dph_total !== second[index]?.dph_total).length).toBeGreaterThan(
      300,
    );
    for (const row of first) {
      expect(Number(row.dph_base) === 0.36 || row.dph_total === Number(row.dph_base) + 0.1).toBe(true);
    }
  });

  it('hiding', async () => {
    const market = await faulty('hiding:0.1', { replay: bookOf(many) });
    const [first, second] = [await ask(market), await ask(market)];
    for (const rows of [first, second]) {
      expect(rows.length).toBeGreaterThan(850);
      expect(rows.length).toBeLessThan(950);
    }
    const ids = new Set(first.map(({ id }) => id));
    expect(second.some(({ id }) => !ids.has(id))).toBe(true);
    expect((await ask(market, { limit: 100 })).length).toBe(100);
  });

  it('duplicate-rows', async () => {
    const market = await faulty('duplicate-rows:0.1', { replay: bookOf(many) });
    const rows = await ask(market);
    expect(rows.length).toBeGreaterThan(1050);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(1000);
  });

  it('unpageable-ids', async () => {
    const market = await faulty('unpageable-ids');
    expect((await ask(market, { id: { gt: 2 } })).map(({ id }) => id)).toEqual([1, 2, 3]);
  });

  it('shifting-pages', async () => {
    const market = await faulty('shifting-pages', { pastPayments: 9 });
    const page = async (token: Record<string, string>) => {
      const filters = { select_filters: JSON.stringify({ when: { gte: 0 } }) };
      const query = new URLSearchParams({ limit: '4', latest_first: 'false', ...filters, ...token });
      const answer = await market.call('GET', `/api/v1/invoices?${query}`);
      const ids = rowsOf(answer, 'results').map(
        ({ metadata }) => (metadata as { invoice_id: number }).invoice_id,
      );
      return { ids, next: { next_token: String(answer.body.next_token) } };
    };
    const truth = market.simulator.invoices().map(({ id }) => id);
    const [oldest] = market.simulator.invoices();
    const first = await page({});
    expect(first.ids).toEqual(truth.slice(0, 4));
    const at = new Date(((oldest?.startS ?? 0) + 1) * 1_000);
    const added = market.simulator.addInvoice({ amountUsd: '-1', at });
    const repeating = await page(first.next);
    expect(repeating.ids).toEqual(truth.slice(3, 7));
    for (const id of [added, ...truth.slice(0, 2)]) market.simulator.removeInvoice(id);
    const lacking = await page(repeating.next);
    expect(lacking.ids).toEqual([]);
  });

  it('lagging-instances', async () => {
    const market = await faulty('lagging-instances=90');
    const id = await rent(market, 1);
    const list = async () => rowsOf(await market.call('GET', '/api/v0/instances/'), 'instances').length;
    market.goTo(89);
    expect(await list()).toBe(0);
    market.goTo(90);
    expect(await list()).toBe(1);
    await market.call('DELETE', `/api/v0/instances/${id}/`);
    market.goTo(179);
    expect(await list()).toBe(1);
    market.goTo(180);
    expect(await list()).toBe(0);
  });

  it('labels-ignored', async () => {
    const market = await faulty('labels-ignored');
    const id = await rent(market, 1, { label: 'mine' });
    await market.call('PUT', `/api/v0/instances/${id}/`, { label: 'mine' });
    expect(market.simulator.instances()[0]?.label).toBeNull();
  });
});

describe('faults', () => {
  it('all have a test above', () => {
    expect([...shown].sort()).toEqual(Object.keys(faultKinds).sort());
  });

  it('affect the given share, place and number of requests', async () => {
    const market = await openMarket({
      faults: ['500@POST /api/v0/bundles:0.3', '429-json@/api/v0/instances/*#2'],
    });
    const statuses = async (method: string, path: string, times: number) => {
      const seen: number[] = [];
      for (let time = 0; time < times; time += 1) {
        seen.push((await market.call(method, path, method === 'GET' ? undefined : {})).status);
      }
      return seen;
    };
    const searches = await statuses('POST', '/api/v0/bundles/', 200);
    const struck = searches.filter((status) => status === 500).length;
    expect(struck).toBeGreaterThan(40);
    expect(struck).toBeLessThan(80);
    expect(await statuses('GET', '/api/v0/instances/', 2)).toEqual([200, 200]);
    expect(await statuses('GET', '/api/v0/instances/1/', 3)).toEqual([429, 429, 404]);
    expect(market.simulator.faults().map(faultText)).toEqual(['500@POST /api/v0/bundles:0.3']);
    const again = await openMarket({ faults: ['500@POST /api/v0/bundles:0.3'] });
    const same: number[] = [];
    for (let time = 0; time < 200; time += 1) {
      same.push((await again.call('POST', '/api/v0/bundles/', {})).status);
    }
    expect(same).toEqual(searches);
  });

  it('can be written and parsed back', () => {
    for (const text of ['500:1', 'hiding@/api/v0/bundles:0.05', 'slow-drip=5@GET /api/v1/invoices:0.5#3']) {
      expect(faultText(parseFault(text))).toBe(text);
    }
    expect(parseFault('lagging-instances')).toMatchObject({ value: 60, share: 1, count: null, path: null });
    for (const text of ['', 'nothing', '500:2', '500=3', '500@bundles', '500:x', 'toString']) {
      expect(() => parseFault(text), text).toThrow();
    }
  });

  it('can be read and replaced over HTTP with the admin key, and not without it', async () => {
    const market = await openMarket({ adminKey: 'admin', faults: ['500'] });
    const path = '/admin/faults';
    expect((await market.call('GET', path, undefined, 'admin')).body).toEqual({ faults: ['500:1'] });
    expect((await market.call('POST', path, { faults: ['nothing'] }, 'admin')).status).toBe(400);
    const set = await market.call('POST', path, { faults: ['429-json#1'] }, 'admin');
    expect(set.body).toEqual({ faults: ['429-json:1#1'] });
    expect((await market.call('GET', '/api/v0/instances/')).status).toBe(429);
    expect((await market.call('GET', '/api/v0/instances/')).status).toBe(200);
    expect((await market.call('GET', path, undefined, 'account-key')).status).toBe(403);
    expect((await market.call('GET', path, undefined, null)).status).toBe(403);
    const without = await openMarket();
    expect((await without.call('GET', path, undefined, 'admin')).status).toBe(404);
  });

  it('do not affect the rest of the admin endpoint: clock, keys, phases and truth', async () => {
    const market = await openMarket({ adminKey: 'admin' });
    const admin = (method: string, path: string, body?: object) =>
      market.call(method, `/admin/${path}`, body, 'admin');
    const id = await rent(market, 1);
    await admin('POST', 'clock', { advance_seconds: 3600 });
    expect((await admin('POST', 'instances', { id, phase: 'exited' })).body).toEqual({ success: true });
    expect((await admin('POST', 'instances', { id: 5, phase: 'exited' })).status).toBe(404);
    expect((await admin('GET', 'instances')).body.instances).toMatchObject([{ id, phase: 'exited' }]);
    expect((await admin('GET', 'charges')).body.charges).toMatchObject([{ amountUsd: '0.708000' }]);
    const { key } = (await admin('POST', 'keys', { name: 'mine', permissions: ['misc'] })).body;
    expect((await market.call('GET', '/api/v0/instances/', undefined, String(key))).status).toBe(403);
    expect((await admin('POST', 'keys', { name: 'mine', permissions: ['all'] })).status).toBe(400);
  });
});
