import { parse } from 'csv-parse/sync';
import { readXlsx } from 'hucre/xlsx';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { headOf } from '../../src/core/column-heads.ts';
import type { Role } from '../../src/core/http/credential.ts';
import type { ActionsAnswer } from '../../src/rentals/actions.routes.ts';
import { publishEventNow } from '../../src/rentals/events.sql.ts';
import type { RentedAnswer } from '../../src/rentals/instances/instances.routes.ts';
import type { LedgerInstanceAnswer } from '../../src/rentals/instances/ledger-answer.ts';
import type { QuoteAnswer } from '../../src/rentals/rent/quotes.routes.ts';
import { readParquet } from '../support/read-parquet.ts';
import { createTestApp, readProblem, type TestApp } from '../support/test-app.ts';
import { createTestAccount, type TestAccount } from './test-account.ts';

let account: TestAccount | null = null;
let test: TestApp;

beforeAll(async () => {
  test = await createTestApp({
    actor: async () => ofTest().actor,
    defaultMarket: async () => ofTest().actor.market,
    now: () => ofTest().clock.now,
  });
});

function ofTest(): TestAccount {
  if (account === null) throw new Error('no account yet');
  return account;
}

async function send(
  method: string,
  path: string,
  { body, key, role = 'operator' }: { body?: object; key?: string; role?: Role } = {},
): Promise<Response> {
  return await test.app.request(path, {
    method,
    headers: {
      authorization: `Bearer ${test.tokens[role]}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

describe('renting over the API', () => {
  it('rents with limits, changes them, and refuses those that contradict each other', async () => {
    account = await createTestAccount(test.sql);
    const limits = { endsAt: '2026-03-03T00:00:00Z', idleMinutes: 30, maxUsd: 12.5, warnMinutes: 20 };
    const body = { ...account.request(), ...limits };
    const two = await send('POST', '/api/quotes', { body: { ...body, maxHours: 3 } });
    expect(((await two.json()) as QuoteAnswer).refusal?.message).toContain('`maxHours` or `endsAt`');
    const { instanceId } = (await (
      await send('POST', '/api/instances', { key: 'limited', body })
    ).json()) as RentedAnswer;
    await account.pass(90);
    const of = async () =>
      (await test.json<{ items: LedgerInstanceAnswer[] }>('/api/instances')).items.find(
        (one) => one.instanceId === instanceId,
      );
    const kept = { ...limits, endsAt: '2026-03-03T00:00:00.000Z', maxUsd: '12.5' };
    expect(await of()).toMatchObject({
      ...kept,
      maxHours: null,
      idlePercent: 5,
      endAction: 'stop',
      ending: null,
    });
    const path = `/api/instances/${instanceId}`;
    const change = async (change: object) => await send('PATCH', path, { body: change });
    expect(await (await change({ maxHours: 0.1, endAction: 'destroy' })).json()).toMatchObject({
      ...{ ...kept, maxHours: 0.1, endsAt: '2026-03-02T00:06:00.000Z', endAction: 'destroy' },
    });
    await account.pass(30);
    expect((await of())?.ending).toEqual({
      ...{ limit: 'maxHours', at: '2026-03-02T00:06:00.000Z', reading: '0.1 hours since the rent' },
    });
    const extend = async () => await send('POST', `${path}/extend`);
    expect(await (await extend()).json()).toMatchObject({ maxHours: 1.1, ending: null });
    expect((await extend()).status).toBe(409);
    const none = { maxHours: null, idleMinutes: null, maxUsd: null };
    const gone = { endsAt: null, idlePercent: null, endAction: null, warnMinutes: null, ending: null };
    expect(await (await change(none)).json()).toMatchObject({ ...none, ...gone });
    for (const [wrong, field] of [
      [{ warnMinutes: 5 }, 'warnMinutes'],
      [{ idlePercent: 5 }, 'idlePercent'],
      [{ endsAt: '2026-03-01T00:00:00Z' }, 'endsAt'],
      [{ maxHours: 1, endsAt: '2026-03-03T00:00:00Z' }, 'maxHours'],
      [{ idleMinutes: 4 }, 'idleMinutes'],
      [{ maxUsd: 0 }, 'maxUsd'],
    ] as const) {
      const refused = await change(wrong);
      expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining(field)]);
    }
    expect(await of()).toMatchObject({ ...none, ...gone });
  });

  it('quotes, rents once per key, lists, stops, renames and destroys', async () => {
    account = await createTestAccount(test.sql);
    const request = {
      ...account.request(),
      env: { HF_TOKEN: 'hf-very-secret' },
      label: 'train',
      maxHours: 5,
    };
    const quoted = await send('POST', '/api/quotes', { body: request });
    const text = await quoted.text();
    expect(text).not.toContain('hf-very-secret');
    const quote = JSON.parse(text) as QuoteAnswer;
    expect(quote).toMatchObject({
      wouldRent: true,
      guards: [],
      sources: { image: 'request', env: 'request' },
    });
    expect(quote.warnings.map(({ kind }) => kind)).toContain('disk-fixed');
    expect(account.simulator.instances()).toEqual([]);

    await readProblem(await send('POST', '/api/instances', { body: request }), 400);
    await readProblem(await send('POST', '/api/instances', { body: request, key: 'k', role: 'viewer' }), 403);
    const made = await send('POST', '/api/instances', { body: request, key: 'k' });
    expect(made.status).toBe(201);
    const rented = (await made.json()) as RentedAnswer;
    expect(rented).toMatchObject({
      state: 'provisioning',
      offerId: request.offerId,
      usdPerHour: quote.usdPerHour,
    });
    const again = await send('POST', '/api/instances', { body: request, key: 'k' });
    expect([again.status, again.headers.get('idempotent-replay')]).toEqual([201, 'true']);
    const other = await send('POST', '/api/instances', { body: { ...request, diskGb: 21 }, key: 'k' });
    expect((await readProblem(other, 422)).type).toContain('key-reused');
    expect(account.simulator.instances()).toHaveLength(1);
    const [unlisted] = (await test.json<{ items: LedgerInstanceAnswer[] }>('/api/instances')).items;
    expect(quote.endsAt).not.toBeNull();
    expect(unlisted).toMatchObject({
      ...{ state: 'provisioning', billedUsdPerHour: null, quotedUsdPerHour: rented.usdPerHour },
      ...{ image: request.image, hostEndsAt: quote.endsAt },
    });

    await account.pass(90);
    const { items } = await test.json<{ items: LedgerInstanceAnswer[] }>('/api/instances');
    expect(items).toHaveLength(1);
    expect(items[0]).toMatchObject({
      ...{ instanceId: rented.instanceId, rentalId: rented.rentalId, state: 'ready', label: 'train' },
      ...{ rentedBy: 'operator of the test', maxHours: 5, endAction: 'stop', usdPerHour: rented.usdPerHour },
    });
    expect(Number(items[0]?.cost.usd)).toBeGreaterThan(0);

    const path = `/api/instances/${rented.instanceId}`;
    const stopped = (await (await send('POST', `${path}/stop`)).json()) as Record<string, unknown>;
    expect(stopped).toMatchObject({ outcome: 'accepted', stoppedUsdPerDay: items[0]?.stoppedUsdPerDay });
    const offered = account.simulator
      .offersAt(undefined, { storageGb: 20 })
      .find(({ machine_id }) => machine_id === items[0]?.machineId);
    const diskUsdPerDay = (Number(offered?.storage_cost) * 20 * 24) / 720;
    expect(Number(stopped.stoppedUsdPerDay)).toBeCloseTo(diskUsdPerDay, 9);
    expect(Number(quote.stoppedUsdPerDay)).toBeCloseTo(diskUsdPerDay, 9);
    await account.pass(20);
    const [halted] = (await test.json<{ items: LedgerInstanceAnswer[] }>('/api/instances')).items;
    expect(24 * Number(halted?.usdPerHour)).toBeCloseTo(diskUsdPerDay, 9);
    const change = { label: 'kept', costCenter: 'research', maxHours: null };
    const named = await (await send('PATCH', path, { body: change })).json();
    expect(named).toMatchObject({ label: 'kept', costCenter: 'research', maxHours: null });
    expect(account.simulator.instances()[0]?.label).toBe(`kept #${rented.rentalId}`);
    expect((await send('DELETE', path)).status).toBe(200);
    await account.pass(20);
    const ledger = await test.json<{ items: LedgerInstanceAnswer[] }>('/api/rentals');
    expect(ledger.items[0]).toMatchObject({ state: 'destroyed', label: 'kept' });
    const one = await test.json<{ states: object[] }>(`/api/rentals/${rented.rentalId}`);
    expect(one.states.length).toBeGreaterThan(4);
    const file = await send('GET', '/api/exports/rentals.csv?from=2026-03-01&to=2026-04-01');
    const rows = parse(await file.text(), { columns: true }) as Record<string, string>[];
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({
      ...{
        rentalId: rented.rentalId,
        instanceId: String(rented.instanceId),
        state: 'destroyed',
        label: 'kept',
      },
      ...{ rentedBy: 'operator of the test', costCenter: 'research', offerId: String(request.offerId) },
      ...{ numGpus: '1', type: 'on-demand', diskGb: '20', createdAt: '2026-03-02T00:00:00Z' },
      ...{ firstRunningAt: expect.stringMatching(/^2026-03-02T00:01:/), market: account.actor.market.name },
    });
    expect(Number(rows[0]?.usdPerHour)).toBe(Number(rented.usdPerHour));
    expect(rows[0]?.endedAt).toMatch(/^2026-03-02T00:0/);
    // The same in every format.
    const inFormat = async (format: string) =>
      await send('GET', `/api/exports/rentals.${format}?from=2026-03-01&to=2026-04-01`);
    const same = { rentalId: rented.rentalId, state: 'destroyed', label: 'kept' };
    for (const format of ['json', 'ndjson']) {
      const text = await (await inFormat(format)).text();
      expect([JSON.parse(text)].flat(), format).toMatchObject([{ ...same, instanceId: rented.instanceId }]);
    }
    const parquet = await readParquet(Buffer.from(await (await inFormat('parquet')).arrayBuffer()));
    expect(parquet.rows).toMatchObject([{ ...same, instanceId: String(rented.instanceId) }]);
    const book = await readXlsx(new Uint8Array(await (await inFormat('xlsx')).arrayBuffer()));
    const [head = [], ...cells] = book.sheets.find(({ name }) => name === 'Rentals')?.rows ?? [];
    expect(cells.map((each) => each[head.indexOf(headOf('rentalId'))])).toEqual([rented.rentalId]);
    const stored = await test.sql<{ text: string }[]>`
      select (select string_agg(r::text, '') from rental r) || (select string_agg(a::text, '') from audit_log a)
        as text`;
    expect(stored[0]?.text).toContain('HF_TOKEN');
    expect(stored[0]?.text).not.toContain('hf-very-secret');
    const audit = await (await send('GET', '/api/audit/verify', { role: 'admin' })).json();
    expect(audit).toMatchObject({ problem: null });
  });

  it('includes instances rented elsewhere in the sum, and stores their cost center', async () => {
    account = await createTestAccount(test.sql);
    const [own, theirs] = [account.request(0), account.request(1)];
    await send('POST', '/api/instances', { body: own, key: 'own' });
    const image = 'theirs';
    const { instanceId } = await account.client.createInstance(theirs.offerId ?? 0, { image, diskGb: 20 });
    await account.pass(90);
    const list = async () =>
      await test.json<{ items: LedgerInstanceAnswer[]; totalUsdPerHour: string }>('/api/instances');
    const { items, totalUsdPerHour } = await list();
    const foreign = items.find((one) => one.instanceId === instanceId);
    expect(foreign).toMatchObject({ rentalId: null, rentedBy: null, state: 'running', costCenter: null });
    const prices = items.map(({ usdPerHour }) => Number(usdPerHour));
    expect(prices).toHaveLength(2);
    expect(Math.min(...prices)).toBeGreaterThan(0);
    expect(Number(totalUsdPerHour)).toBeCloseTo(
      prices.reduce((sum, price) => sum + price, 0),
      9,
    );
    const path = `/api/instances/${instanceId}`;
    expect((await send('PATCH', path, { body: { costCenter: 'ops' }, role: 'viewer' })).status).toBe(403);
    expect((await send('PATCH', path, { body: { costCenter: 'ops' } })).status).toBe(200);
    const [charged] = (await list()).items.filter((one) => one.instanceId === instanceId);
    expect(charged?.costCenter).toBe('ops');
    for (const [method, deed] of [
      ['POST', `${path}/stop`],
      ['POST', `${path}/start`],
      ['DELETE', path],
    ] as const) {
      expect((await send(method, deed, { role: 'viewer' })).status).toBe(403);
    }
  });

  it('answers an uncertain outcome with 202, and a refusal by its name', async () => {
    account = await createTestAccount(test.sql);
    account.simulator.setFaults(['lost-create#1']);
    const open = await send('POST', '/api/instances', { body: account.request(), key: 'lost' });
    expect(open.status).toBe(202);
    expect(await open.json()).toMatchObject({ state: 'settling', instanceId: null });
    const capped = { ...account.request(1), maxUsdPerHour: 0.000_1 };
    const dear = await readProblem(await send('POST', '/api/instances', { body: capped, key: 'dear' }), 409);
    expect(dear.type).toContain('price-above-cap');
    const gone = { ...account.request(1), offerId: 999_999 };
    const missing = await readProblem(await send('POST', '/api/instances', { body: gone, key: 'gone' }), 410);
    expect(missing.type).toContain('offer-gone');

    const off = await send('POST', '/api/actions', { body: { enabled: false } });
    expect((await off.json()) as ActionsAnswer).toMatchObject({ enabled: false, setting: true });
    const refused = await send('POST', '/api/instances', { body: account.request(1), key: 'off' });
    expect(await readProblem(refused, 409)).toMatchObject({
      type: '/api/docs#guard-refused',
      errors: [
        {
          name: 'kill-switch',
          detail:
            'new rentals were disabled by operator of the test. To enable them, press “Enable new rentals again” under Instances, or run `offerbook actions on`.',
        },
      ],
    });
    await send('POST', '/api/actions', { body: { enabled: true } });
    account.actor.limits.maxUsdPerHour = 0.000_1;
    const limited = await send('POST', '/api/instances', { body: account.request(1), key: 'limited' });
    const { errors } = await readProblem(limited, 409);
    expect(errors).toEqual([
      { name: 'max-usd-per-hour', detail: expect.stringMatching(/^limit 0\.0001, value 0\.\d+$/) },
    ]);
  });
});

describe('a viewer', () => {
  const id = '0190a0b0-0000-7000-8000-000000000000';
  it.each<[method: string, path: string, body?: object]>([
    ['POST', '/api/quotes', { offerId: 1, image: 'i', diskGb: 20 }],
    ['POST', '/api/actions', { enabled: false }],
    ['GET', '/api/audit'],
    ['GET', '/api/audit/verify'],
    ['POST', `/api/rentals/${id}/settle`, { instanceId: null }],
    ['GET', '/api/templates'],
    ['POST', '/api/templates', { name: 't', image: 'i' }],
    ['PATCH', '/api/templates/abc', { name: 't' }],
    ['DELETE', '/api/templates/1'],
    ['POST', '/api/volumes', { volumeOfferId: 1, sizeGb: 10 }],
    ['DELETE', '/api/volumes/1'],
    ['POST', '/api/blocklist', { machineId: 1, kind: 'block' }],
    ['DELETE', `/api/blocklist/${id}`],
  ])('may not %s %s', async (method, path, body) => {
    account ??= await createTestAccount(test.sql);
    const answer = await send(method, path, { role: 'viewer', ...(body === undefined ? {} : { body }) });
    expect(await readProblem(answer, 403)).toMatchObject({ type: '/api/docs#role-too-low' });
  });
});

describe('text that no column can store', () => {
  const nul = 'a\u0000b';
  it.each<[method: string, path: string, body: object | null, field: string]>([
    ['PATCH', '/api/instances/1', { label: nul }, 'label'],
    ['PATCH', '/api/instances/1', { costCenter: nul }, 'costCenter'],
    ['POST', '/api/quotes', { offerId: 1, image: 'i', diskGb: 20, env: { [nul]: '1' } }, `env.${nul}`],
    ['POST', '/api/quotes', { offerId: 1, image: 'i', diskGb: 20, onstart: nul }, 'onstart'],
    ['POST', '/api/quotes', { offerId: 1, diskGb: 20, templateHashId: nul }, 'templateHashId'],
    ['POST', '/api/budgets', { label: nul, monthlyUsd: '5' }, 'label'],
    ['POST', '/api/sheets', { export: 'spend', note: nul }, 'note'],
    ['POST', '/api/sheets', { export: 'spend', query: { label: nul } }, 'query.label'],
    ['POST', '/api/tokens', { name: nul }, 'name'],
    ['POST', '/api/blocklist', { machineId: 1, market: nul }, 'market'],
    ['POST', '/api/channels', { kind: 'ntfy', name: nul }, 'name'],
    ['GET', `/api/status?market=${encodeURIComponent(nul)}`, null, 'market'],
    ['GET', `/api/trends?gpuName=${encodeURIComponent(nul)}`, null, 'gpuName'],
  ])('is refused by the name of its field: %s %s %j', async (method, path, body, field) => {
    account ??= await createTestAccount(test.sql);
    const answer = await send(method, path, { role: 'admin', ...(body === null ? {} : { body }) });
    const { errors } = await readProblem(answer, 400);
    expect(errors).toEqual([{ name: field, detail: expect.stringMatching(/must not contain|Invalid key/) }]);
  });
});

describe('events', () => {
  it('are sent as they happen, and missed ones after a lost connection', async () => {
    account = await createTestAccount(test.sql);
    const tell = async (note: string) =>
      await publishEventNow(test.sql, {
        ...{ at: new Date(), marketId: ofTest().actor.market.id, kind: 'alert' as const },
        data: { note },
      });
    const headers = { authorization: `Bearer ${test.tokens.viewer}` };
    const response = await test.app.request('/api/events', { headers });
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    onTestFinished(() => reader.cancel());
    let text = '';
    const until = async (wanted: string): Promise<void> => {
      while (!text.includes(wanted)) {
        const { value, done } = await reader.read();
        if (done) throw new Error(`the stream ended without ${wanted}`);
        text += new TextDecoder().decode(value);
      }
    };
    await until('event: hello');
    await tell('first');
    await until('"note":"first"');
    const id = /id: (\d+)\s*$/.exec(text.trimEnd())?.[1] ?? '';
    await reader.cancel();
    await tell('second');
    const later = await test.app.request('/api/events', { headers: { ...headers, 'last-event-id': id } });
    const next = (later.body as ReadableStream<Uint8Array>).getReader();
    onTestFinished(() => next.cancel());
    let missed = '';
    while (!missed.includes('"note":"second"')) {
      const { value, done } = await next.read();
      if (done) break;
      missed += new TextDecoder().decode(value);
    }
    expect(missed).toContain('"note":"second"');
    expect(missed).not.toContain('"note":"first"');
  });
});
