import { beforeAll, describe, expect, it } from 'vitest';
import type { InstanceDetail, Instances } from '../../client/client.js';
import type { Role } from '../../src/core/http/credential.ts';
import { actionsOf } from '../../src/rentals/instances/instance-actions.ts';
import type { RentedAnswer } from '../../src/rentals/instances/instances.routes.ts';
import type { QuoteAnswer } from '../../src/rentals/rent/quotes.routes.ts';
import { createTestApp, readProblem, type TestApp } from '../support/test-app.ts';
import { dearRequest } from './dear-machine.ts';
import { createTestAccount, type TestAccount } from './test-account.ts';

let account: TestAccount;
let test: TestApp;

beforeAll(async () => {
  test = await createTestApp({
    actor: async () => account.actor,
    defaultMarket: async () => account.actor.market,
    now: () => account.clock.now,
  });
});

async function send(method: string, path: string, body?: object, key?: string, role: Role = 'operator') {
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

async function rentNew(body: object, key: string): Promise<number> {
  const answer = await send('POST', '/api/instances', body, key);
  const { instanceId } = (await answer.json()) as RentedAnswer;
  expect(instanceId).not.toBeNull();
  return Number(instanceId);
}

const detailOf = async (id: number) => {
  const query = `?market=${account.actor.market.name}`;
  const answer = await send('GET', `/api/instances/${id}${query}`, undefined, undefined, 'viewer');
  expect(answer.status).toBe(200);
  return (await answer.json()) as InstanceDetail;
};

describe('the page of an instance over the API', () => {
  it('has its states, prices and actions while it runs and after it ended, and the ended ones are found', async () => {
    account = await createTestAccount(test.sql);
    await account.crawl();
    const id = await rentNew({ ...account.request(0), label: 'Long training' }, 'one');
    await account.pass(10);
    const starting = await detailOf(id);
    expect(starting.prices.at(-1)?.usdPerHour).toBe(starting.instance.billedUsdPerHour);
    expect(Number(starting.instance.billedUsdPerHour)).toBeLessThan(Number(starting.instance.usdPerHour));
    await account.pass(80);
    await send('PATCH', `/api/instances/${id}`, { label: 'Short training', maxHours: 5 });
    const running = await detailOf(id);
    expect(running.instance).toMatchObject({ state: 'ready', label: 'Short training', endedAt: null });
    expect(running.instance.country).toBe(running.machine?.country);
    expect(running.machine?.country).toMatch(/^[A-Z]{2}$/);
    expect(running.states.map(({ state }) => state)).toEqual(
      expect.arrayContaining(['creating', 'provisioning', 'ready']),
    );
    expect(running.statuses.map(({ actualStatus }) => actualStatus)).toEqual([null, 'loading', 'running']);
    // First only the disk, then the GPUs too.
    expect(running.prices.map(({ computing }) => computing)).toEqual([false, true]);
    expect(running.prices.at(-1)?.usdPerHour).toBe(running.instance.runningUsdPerHour);
    expect(running.instance.billedUsdPerHour).toBe(running.instance.runningUsdPerHour);
    const words = ({ actions }: InstanceDetail) => actions.map(({ action, outcome }) => [action, outcome]);
    expect(words(running)).toEqual([
      ['rent', 'rented'],
      ['label', 'accepted'],
      ['change', 'accepted'],
    ]);
    expect(running.actions.at(-1)).toMatchObject({ by: 'operator of the test', detail: { maxHours: 5 } });
    expect(running.actions[1]?.detail).toEqual({ label: 'Short training' });

    const other = await rentNew({ ...account.request(3), label: 'other' }, 'two');
    await account.pass(60);
    await send('DELETE', `/api/instances/${id}`);
    await account.pass(30);
    await send('DELETE', `/api/instances/${other}`);
    await account.pass(30);
    const ended = await detailOf(id);
    expect(ended.instance.state).toBe('destroyed');
    expect(ended.instance.endedAt).not.toBeNull();
    expect(ended.statuses.at(-1)?.gone).toBe(true);
    expect(ended.prices.at(-1)?.usdPerHour).toBe('0');
    expect(words(ended).at(-1)).toEqual(['destroy', 'accepted']);
    expect(ended.equal).toBeNull();

    const found = async (query: string) => {
      const path = `/api/instances/ended?market=${account.actor.market.name}&${query}`;
      const answer = (await (await send('GET', path)).json()) as Pick<Instances, 'items'> & {
        nextCursor: string | null;
      };
      return { ids: answer.items.map(({ instanceId }) => instanceId), next: answer.nextCursor };
    };
    expect((await found('')).ids).toEqual([other, id]);
    const first = await found('limit=1');
    expect(first.ids).toEqual([other]);
    expect(await found(`limit=1&cursor=${first.next}`)).toEqual({ ids: [id], next: null });
    const { country = null, gpuName } = ended.instance;
    const name = new Intl.DisplayNames(['en'], { type: 'region' }).of(String(country));
    for (const search of [
      'short TRAIN',
      `${id}`,
      `${gpuName} training`,
      `${name} short`,
      `${country} short`,
    ]) {
      expect([search, (await found(`search=${encodeURIComponent(search)}`)).ids]).toEqual([search, [id]]);
    }
    expect((await found('search=short%20nowhere')).ids).toEqual([]);
    await readProblem(await send('GET', '/api/instances/12345'), 404);
  });

  it('rents the cheaper equal machine once, as the instance is now, and never a second one', async () => {
    account = await createTestAccount(test.sql, { simulated: { offersPerType: 400 } });
    await account.crawl();
    const request = { ...dearRequest(account), env: { HF_TOKEN: 'hf-secret' }, maxHours: 9 };
    account.actor.sealer = { seal: (text) => text, open: (sealed) => sealed };
    const id = await rentNew(request, 'dear');
    await account.pass(90);
    await send('PATCH', `/api/instances/${id}`, { label: 'as it is now', maxHours: null, idleMinutes: 30 });
    const { equal, instance } = await detailOf(id);
    expect(equal?.problem).toBeNull();
    expect(Number(equal?.savesUsdPerHour)).toBeCloseTo(
      Number(instance.runningUsdPerHour) - Number(equal?.usdPerHour),
      5,
    );
    const path = `/api/instances/${id}/replacement`;
    const body = { offerId: equal?.offerId };
    expect(Date.parse(equal?.hostEndsAt ?? '')).toBeGreaterThan(account.clock.now.getTime());
    await readProblem(await send('POST', path, body, 'new', 'viewer'), 403);
    await readProblem(await send('POST', path, body), 400);
    const quote = (await (await send('POST', path, { ...body, dryRun: true })).json()) as QuoteAnswer;
    expect(quote.wouldRent).toBe(true);
    expect(Math.abs(Date.parse(quote.endsAt ?? '') - Date.parse(equal?.hostEndsAt ?? ''))).toBeLessThan(
      3_600_000,
    );
    expect(Number(quote.usdPerHour)).toBeLessThan(Number(instance.runningUsdPerHour));
    expect(account.simulator.instances()).toHaveLength(1);
    // Not for less than it costs.
    await readProblem(await send('POST', path, { ...body, maxUsdPerHour: 0.001 }, 'low'), 409);

    const answers = await Promise.all(['a', 'a', 'b'].map((key) => send('POST', path, body, key)));
    expect(account.simulator.instances()).toHaveLength(2);
    expect(answers.filter(({ status }) => status === 201).length).toBeGreaterThan(0);
    await account.pass(90);
    const { replacement } = await detailOf(id);
    const next = await detailOf(Number(replacement?.instanceId));
    expect(replacement?.state).toBe('ready');
    expect(next.replaces?.instanceId).toBe(id);
    expect(next.instance).toMatchObject({
      ...{ label: 'as it is now', machineId: equal?.machineId, maxHours: null, idleMinutes: 30 },
    });
    const refused = await readProblem(await send('POST', path, body, 'c'), 409);
    expect(refused.type).toContain('already-replaced');
    expect(refused.detail).toContain(String(replacement?.instanceId));
    // The old one is only destroyed by its owner.
    expect((await detailOf(id)).instance).toMatchObject({ state: 'ready', wanted: null });
  });

  it('offers no machine with less memory, and says why an instance cannot be rented again', async () => {
    account = await createTestAccount(test.sql, { simulated: { offersPerType: 400 } });
    await account.crawl();
    const id = await rentNew({ ...dearRequest(account), env: { TOKEN: 'x' } }, 'dear2');
    await account.pass(90);
    const { equal } = await detailOf(id);
    expect(equal?.problem).toContain('SECRETS_KEY');
    const problem = await readProblem(
      await send('POST', `/api/instances/${id}/replacement`, { offerId: equal?.offerId }, 'k'),
      409,
    );
    expect(problem.detail).toContain('Rent the offer yourself.');
    await test.sql`
      update latest_offer o set gpu_ram_mb = 1 from listing l
      where l.id = o.listing_id and l.market_id = ${account.actor.market.id}
        and l.machine_id = ${equal?.machineId ?? 0} returning o.offer_id`;
    expect((await detailOf(id)).equal?.machineId).not.toBe(equal?.machineId);
    // The ledger forgets that it was rented here.
    await test.sql`update rental set instance_id = null, ended_at = now() where instance_id = ${id} returning id`;
    expect((await detailOf(id)).equal?.problem ?? 'rented elsewhere').toContain('rented elsewhere');
  });
});

describe('the actions of an instance', () => {
  const row = (action: string, phase: string, detail: object) => ({
    ...{ seq: 1, at: new Date(0), market: 'm', actor: 'alice', action, phase, rentalId: null },
    ...{ instanceId: 1, detail: JSON.stringify(detail), previousHash: '', hash: '' },
  });

  it.each<[string, ReturnType<typeof row>[], [string, string | null][]]>([
    [
      'with its answer is one',
      [row('stop', 'before', {}), row('stop', 'after', { outcome: 'accepted' })],
      [['stop', 'accepted']],
    ],
    ['without an answer is unknown', [row('stop', 'before', {})], [['stop', null]]],
    ['that was refused says why', [row('start', 'refused', { reason: 'too dear' })], [['start', 'too dear']]],
    [
      'that was repeated has each answer',
      [
        row('destroy', 'before', {}),
        row('destroy', 'after', { outcome: 'timeout' }),
        row('destroy', 'after', { outcome: 'accepted' }),
      ],
      [
        ['destroy', 'timeout'],
        ['destroy', 'accepted'],
      ],
    ],
  ])('an action %s', (_, rows, expected) => {
    expect(actionsOf(rows).map(({ action, outcome }) => [action, outcome])).toEqual(expected);
  });
});
