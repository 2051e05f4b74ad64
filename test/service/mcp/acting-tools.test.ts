import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Quote, Rented } from '../../../client/client.js';
import { createClient } from '../../../client/client.js';
import type { Actor } from '../../../src/rentals/actor.ts';
import { listAudit } from '../../../src/rentals/audit.sql.ts';
import { switchActions } from '../../../src/rentals/instances/change-instance.ts';
import type { RentRequest } from '../../../src/rentals/rent/rent-request.ts';
import { createToken } from '../../../src/service/sign-in/credentials.sql.ts';
import { createSimulator } from '../../../src/simulator/simulator.ts';
import { insertBudget } from '../../../src/spend/budgets/budgets.sql.ts';
import { createSecretBox } from '../../../src/watches/channels/secret-box.ts';
import { createTestAccount, machinesApart, type TestAccount } from '../../rentals/test-account.ts';
import { breakSimulator } from '../../simulator/mutants/break-simulator.ts';
import { mutantOf } from '../../simulator/mutants/mutants.ts';
import { landBills, makeCharge } from '../../support/made-bills.ts';
import { createTestApp, type TestApp } from '../../support/test-app.ts';
import { type Agent, connectOverHttp } from './agent-client.ts';

const acting = ['rent', 'stop_instance', 'start_instance', 'destroy_instance'];
const box = createSecretBox('a key of the tests, long enough');
const sealer = {
  seal: (text: string) => box.seal(text, 'rental'),
  open: (sealed: string) => box.open(sealed, 'rental'),
};

let account: TestAccount | null = null;
let agentLimits: Actor['agentLimits'];
let test: TestApp;

function ofTest(): TestAccount {
  if (account === null) throw new Error('no account yet');
  return account;
}

beforeAll(async () => {
  test = await createTestApp({
    actor: async () => ({ ...ofTest().actor, sealer, agentLimits }),
    defaultMarket: async () => ofTest().actor.market,
    now: () => ofTest().clock.now,
    actionsEnabled: true,
  });
});

const request = (async (input: URL | RequestInfo, init?: RequestInit) =>
  await test.app.request(String(input), init)) as typeof fetch;
const connect = async (token: string): Promise<Agent> =>
  await connectOverHttp('http://localhost', token, request);

/** An agent of a new token, on a new account. */
async function begin(
  token: Omit<Parameters<typeof createToken>[1], 'role'>,
  limits?: Actor['agentLimits'],
  create = createSimulator,
) {
  account = await createTestAccount(test.sql, { create });
  agentLimits = limits;
  const made = await createToken(test.sql, { ...token, role: 'operator' });
  const agent = await connect(made.token);
  const api = createClient({ baseUrl: 'http://localhost', token: made.token, fetch: request });
  const requests = machinesApart(account, 6);
  const quote = async (wanted: RentRequest) => (await agent.call<Quote>('quote', wanted)).data;
  const rent = async (wanted: RentRequest, quoteId: string | null, idempotencyKey: string) =>
    await agent.call<Rented>('rent', { ...wanted, quoteId: quoteId ?? '', idempotencyKey });
  /** Quotes and rents at once. */
  const take = async (wanted: RentRequest | undefined, key: string) => {
    if (wanted === undefined) throw new Error('the market has too few machines');
    return await rent(wanted, (await quote(wanted)).quoteId, key);
  };
  return { account, agent, api, requests, first: requests[0] ?? { diskGb: 20 }, quote, rent, take };
}

const audited = async (action: string): Promise<string[]> => {
  const rows = await listAudit(test.sql, { afterSeq: 0, limit: 1_000 });
  return rows.filter((row) => row.action === action).map(({ actor, phase }) => `${actor} ${phase}`);
};

describe('an agent that may act', () => {
  it('sees the acting tools, which say what they do', async () => {
    const { agent } = await begin({ name: 'looks' });
    const { tools } = await agent.client.listTools();
    const hints = new Map(tools.map(({ name, annotations }) => [name, annotations]));
    expect(tools).toHaveLength(14);
    expect(acting.every((name) => hints.get(name)?.readOnlyHint === false)).toBe(true);
    expect(acting.filter((name) => hints.get(name)?.destructiveHint)).toEqual([
      'stop_instance',
      'destroy_instance',
    ]);
    expect(hints.get('rent')?.idempotentHint).toBe(true);
    const viewer = await connect(test.tokens.viewer);
    expect((await viewer.names()).filter((name) => [...acting, 'quote'].includes(name))).toEqual([]);
    expect(await viewer.call('destroy_instance', { instanceId: 1, confirmInstanceId: 1 })).toMatchObject({
      isError: true,
      text: expect.stringContaining('not found'),
    });
  });

  it('rents by a quote, at its price at most, and never twice for one key', async () => {
    const { account: of, agent, api, requests, first, quote, rent } = await begin({ name: 'rents' });
    const quoted = await quote(first);
    expect(quoted).toMatchObject({
      usdPerHour: (await api.createQuote({ body: first })).usdPerHour,
      wouldRent: true,
    });
    const ends = await Promise.all(
      Array.from({ length: 20 }, async () => await rent(first, quoted.quoteId, 'one')),
    );
    expect(new Set(ends.map(({ data, text }) => data?.rentalId ?? text)).size).toBe(1);
    expect(of.simulator.instances()).toHaveLength(1);
    const [done] = ends;
    expect(done?.data).toMatchObject({ offerId: first.offerId, usdPerHour: quoted.usdPerHour });
    expect(done?.text).toContain(`Instance ${done?.data.instanceId}`);
    // An agent that quotes again before it repeats a call still gets its rental.
    of.clock.now = new Date(of.clock.now.getTime() + 120_000);
    expect((await rent(first, quoted.quoteId, 'one')).data.rentalId).toBe(done?.data.rentalId);
    const [row] =
      await test.sql`select max_usd_per_hour, rented_by from rental where idempotency_key = 'one'`;
    expect([Number(row?.max_usd_per_hour), row?.rented_by]).toEqual([Number(quoted.usdPerHour), 'rents']);
    expect(await audited('rent')).toEqual(['rents (agent) before', 'rents (agent) after']);

    const [, second = { diskGb: 20 }, third = { diskGb: 20 }] = requests;
    const stale = await quote(second);
    of.clock.now = new Date(of.clock.now.getTime() + 60_100);
    expect(await rent(second, stale.quoteId, 'two')).toMatchObject({
      isError: true,
      text: expect.stringContaining('61 seconds old'),
    });
    const body = { ...second, quoteId: stale.quoteId ?? '' };
    await expect(api.rentInstance({ body, idempotencyKey: 'two' })).rejects.toMatchObject({
      status: 409,
      kind: 'quote-expired',
    });
    const fresh = await quote(second);
    expect((await rent(third, fresh.quoteId, 'two')).text).toContain(`for offer ${second.offerId}`);
    expect((await rent(second, `${fresh.quoteId?.slice(0, -6)}AAAAAA`, 'two')).text).toContain('unknown');
    await expect(
      api.rentInstance({ body: { ...second, quoteId: 'made up' }, idempotencyKey: 'two' }),
    ).rejects.toMatchObject({ status: 400, problem: { errors: [{ name: 'quoteId' }] } });
    expect((await agent.call('rent', { ...second, quoteId: fresh.quoteId })).text).toContain(
      'idempotencyKey',
    );
    expect(of.simulator.instances()).toHaveLength(1);
    expect((await rent(second, fresh.quoteId, 'two')).data.state).toBe('provisioning');
  });

  it('is not given what costs more than its quote', async () => {
    const { first, quote, rent, account: of } = await begin({ name: 'caps' });
    const { usdPerHour, at } = await quote(first);
    const { id } = of.actor.market;
    const cheaper = Number(usdPerHour) * 0.9;
    const quoteId = sealer.seal(JSON.stringify(['quote', id, first.offerId, cheaper, Date.parse(at)]));
    expect((await rent(first, quoteId, 'caps')).text).toContain(`above the cap of $${cheaper}`);
    expect(of.simulator.instances()).toEqual([]);
  });

  it('stops, starts and, given the id twice, destroys an instance', async () => {
    const { account: of, agent, api, first, take } = await begin({ name: 'changes' });
    const { instanceId } = (await take(first, 'changed')).data;
    await of.pass(90);
    const listed = await agent.call<{ items: { instanceId: number }[] }>('list_instances');
    expect(listed.data.items).toEqual([expect.objectContaining({ instanceId, state: 'ready' })]);
    const stopped = await agent.call('stop_instance', { instanceId });
    expect(stopped.data).toMatchObject({ wanted: 'stopped', outcome: 'accepted' });
    expect(stopped.text).toContain('a day until it is destroyed');
    await of.pass(60);
    expect((await api.listInstances()).items[0]?.state).toBe('stopped');
    expect((await agent.call('start_instance', { instanceId })).data).toMatchObject({ wanted: 'running' });
    await of.pass(60);
    for (const confirmInstanceId of [undefined, Number(instanceId) + 1]) {
      const refused = await agent.call('destroy_instance', { instanceId, confirmInstanceId });
      expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('confirmInstanceId') });
    }
    const phase = () => of.simulator.instances().map((one) => one.phase);
    expect(phase()).not.toEqual(['destroyed']);
    const destroyed = await agent.call('destroy_instance', { instanceId, confirmInstanceId: instanceId });
    expect(destroyed.data).toMatchObject({ instanceId, wanted: 'destroyed' });
    await of.pass(60);
    expect(phase()).toEqual(['destroyed']);
    for (const action of ['stop', 'start', 'destroy']) {
      expect(await audited(action)).toEqual(['changes (agent) before', 'changes (agent) after']);
    }
  });
});

describe('a stop that is sent again', () => {
  it('is audited as the agent that asked for it', async () => {
    const create = await breakSimulator(mutantOf('stop-without-effect'));
    const { account: of, agent, first, take } = await begin({ name: 'repeats' }, undefined, create);
    const { instanceId } = (await take(first, 'repeated')).data;
    await of.pass(90);
    await agent.call('stop_instance', { instanceId });
    await of.pass(100);
    const stops = (await audited('stop')).filter((entry) => entry.includes('repeats'));
    expect(stops.length).toBeGreaterThan(3);
    expect(new Set(stops)).toEqual(new Set(['repeats (agent) before', 'repeats (agent) after']));
  });
});

describe('limits of agents', () => {
  const none = { maxUsdPerHour: null, maxInstances: null, maxRentsPerDay: null };

  it("a token's own limits count what it rents through MCP and over the API", async () => {
    const { api, requests, take, quote } = await begin({ name: 'own', maxInstances: 2 });
    const [first, second, third = { diskGb: 20 }] = requests;
    await take(first, 'own-1');
    await api.rentInstance({ body: second ?? { diskGb: 20 }, idempotencyKey: 'own-2' });
    expect((await quote(third)).guards).toMatchObject([{ guard: 'token-max-instances' }]);
    expect((await take(third, 'own-3')).text).toContain('has 2 instances and may have 2');
    await expect(api.rentInstance({ body: third, idempotencyKey: 'own-4' })).rejects.toMatchObject({
      kind: 'guard-refused',
    });
  });

  it.each([
    ['AGENT_MAX_INSTANCES', { ...none, maxInstances: 1 }],
    ['AGENT_MAX_RENTS_PER_DAY', { ...none, maxRentsPerDay: 1 }],
    ['AGENT_MAX_USD_PER_HOUR', { ...none, maxUsdPerHour: 0.000_1 }],
  ])('%s limits every token through MCP, and the strictest limit wins', async (setting, limits) => {
    const { api, requests, take } = await begin({ name: `${setting} of one`, maxInstances: 3 }, limits);
    const [first, second, third = { diskGb: 20 }] = requests;
    if (setting !== 'AGENT_MAX_USD_PER_HOUR') {
      expect((await take(first, `${setting}-1`)).data.state).toBe('provisioning');
    }
    expect(await take(second, `${setting}-2`)).toMatchObject({
      isError: true,
      text: expect.stringContaining(`${setting} is ${Object.values(limits).find((limit) => limit !== null)}`),
    });
    // Not through MCP, only its own limits count.
    const own = await api.rentInstance({ body: third, idempotencyKey: `${setting}-3` });
    expect(own).toMatchObject({ state: 'provisioning' });
  });
});

describe('answers to an agent that does everything wrong', () => {
  const maxBytes = 8 * 1024;
  const fifty = <Value>(name: (index: number) => string, value: Value): Record<string, Value> =>
    Object.fromEntries(Array.from({ length: 50 }, (_, index) => [name(index), value]));

  it('a quote that every guard refuses, with 50 wrong variables, is below 8 KB and counts the rest', async () => {
    const name = `${'名'.repeat(60)} meets every guard`;
    const least = { maxUsdPerHour: 0.000_1, maxInstances: 0, maxRentsPerDay: 0 };
    const { account: of, agent, api, first, quote } = await begin({ name, ...least }, least);
    const { actor, clock } = of;
    const { id: marketId } = actor.market;
    const { machineId } = (await quote(first)).offer;
    await api.addBlocklistEntry({ body: { machineId } });
    const used = { start: '2026-03-01T00:00:00Z', end: '2026-03-01T10:00:00Z', amountUsd: '50' };
    await landBills(test.sql, marketId, 'charge', '2026-03-01T12:00:00Z', [makeCharge(900, used)]);
    await insertBudget(test.sql, marketId, {
      ...{ id: uuidv7(), label: null, monthlyUsd: '50', alertAt: [1], blockRentals: true, timeZone: 'UTC' },
      createdAt: clock.now,
    });
    Object.assign(actor.limits, { actions: false, ...least, maxTotalUsdPerHour: 0.000_1 });
    await switchActions(actor, { enabled: false, by: name });
    onTestFinished(async () => void (await switchActions(actor, { enabled: true, by: name })));

    const wanted = { ...first, env: fifty((index) => `wrong name ${index}`, '1') };
    const whole = await api.createQuote({ body: wanted });
    expect([whole.problems.length, whole.guards.length]).toEqual([50, 10]);
    const { isError, bytes, text, data } = await agent.call<Quote & { leftOut: number }>('quote', wanted);
    expect([isError, text]).toEqual([false, expect.stringContaining('It would not be rented.')]);
    expect(bytes).toBeLessThan(maxBytes);
    const { problems, guards, warnings, leftOut } = data;
    expect([problems.length, guards.length].every((count) => count > 3)).toBe(true);
    expect(leftOut).toBeGreaterThan(0);
    // Over MCP the three limits of agents come beside those of the token.
    expect(problems.length + guards.length + warnings.length + leftOut).toBe(
      whole.problems.length + whole.guards.length + 3 + whole.warnings.length,
    );
    expect(text).toContain(`${leftOut} more are left out`);
  });

  it('an error is below 8 KB, whoever finds it', async () => {
    const { agent, first, quote, rent } = await begin({ name: 'is wrong' });
    const unknown = fifty((index) => `field${index}${'x'.repeat(300)}`, 1);
    const env = fifty((index) => `wrong name ${index}${'x'.repeat(400)}`, '1');
    const errors = [
      await agent.call('quote', { ...first, ...unknown }),
      await rent({ ...first, env }, (await quote(first)).quoteId, 'wrong'),
      await agent.call('y'.repeat(20_000)),
    ];
    for (const [index, begins] of ['field0', 'env', 'yyy'].entries()) {
      expect(errors[index]).toMatchObject({ isError: true, text: expect.stringContaining(begins) });
      expect(errors[index]?.bytes).toBeLessThan(maxBytes);
    }
  });
});
