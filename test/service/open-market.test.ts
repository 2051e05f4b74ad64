import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { uuidv7 } from 'uuidv7';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readRequestBudgets } from '../../src/books/budget/request-budget.sql.ts';
import type { Marketplace } from '../../src/market/marketplace.ts';
import { pollInstances } from '../../src/rentals/instances/poll-instances.ts';
import { type Config, loadConfig } from '../../src/service/config.ts';
import { createBuiltInSimulator } from '../../src/service/open-market.ts';
import { openRuntime } from '../../src/service/runtime.ts';
import { createSimulator } from '../../src/simulator/simulator.ts';
import { silentLog } from '../support/silent-log.ts';
import { createTestDatabase, databaseUrl } from '../support/test-database.ts';

/** Asks the market for one offer: one search. */
const search = async ({ account }: Marketplace, signal?: AbortSignal) =>
  await account?.findOffer({ offerId: 1, type: 'on-demand', diskGb: 8 }, { signal });

async function openOn(config: Config) {
  const runtime = await openRuntime(config, silentLog);
  onTestFinished(() => runtime.close());
  return runtime;
}

describe('service and commands on one database', () => {
  it('share one budget of searches on a live market, people first', async () => {
    const { sql, target } = await createTestDatabase();
    const simulator = createSimulator({ offersPerType: 20 });
    onTestFinished(() => simulator.close());
    const { url } = await simulator.listen();
    const config = loadConfig({
      ...{ MARKET_URL: url, MARKET_API_KEY: simulator.apiKey, MARKET_NAME: 'live' },
      ...{ DATABASE_URL: databaseUrl(target), SEARCHES_PER_MINUTE: '2' },
    });
    const [service, command] = [await openOn(config), await openOn(config)];
    const [ours, theirs] = [await service.market(), await command.market()];
    await search(ours.market);
    await search(theirs.market);
    const { id } = await service.defaultMarket();
    const state = async () =>
      (await readRequestBudgets(sql, id)).find(({ endpoint }) => endpoint === 'searchOffers');
    expect(await state()).toMatchObject({ granted: 2, personWaiting: false });
    const controller = new AbortController();
    const { signal } = controller;
    const waiting = [ours.market, theirs.personMarket].map((market) => search(market, signal));
    const settled = Promise.allSettled(waiting);
    await expect.poll(async () => (await state())?.personWaiting).toBe(true);
    controller.abort();
    expect(await settled).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }]);
    expect(await state()).toMatchObject({ granted: 2 });
    expect(simulator.requests()).toHaveLength(2);
  });

  it('do not wait for the built-in simulator', async () => {
    const { sql, target } = await createTestDatabase();
    const config = loadConfig({ DATABASE_URL: databaseUrl(target), SEARCHES_PER_MINUTE: '1' });
    const { market } = await (await openOn(config)).market();
    for (const _ of [1, 2, 3]) await search(market);
    expect(await sql`select from request_budget`).toHaveLength(0);
  });
});

describe('the built-in simulator', () => {
  it('keeps its account between starts, and without its file counts on above every known id', async () => {
    const { sql, target } = await createTestDatabase();
    const dataDir = await mkdtemp(join(tmpdir(), 'offerbook-account-'));
    onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
    const config = loadConfig({ DATABASE_URL: databaseUrl(target), DATA_DIR: dataDir });
    const shown = createBuiltInSimulator().offersAt();
    const onePerMachine = new Map(shown.flatMap((row) => (row.rentable ? [[row.machine_id, row.id]] : [])));
    const offers = [...onePerMachine.values()].map(Number);
    const stored = async () => (await readdir(dataDir)).filter((name) => name.endsWith('.json'));
    /** Opens market and database as a service does, rents one instance and polls; returns its id and what is listed. */
    const rentOnce = async (isService: boolean) => {
      const runtime = await openRuntime(config, silentLog, { isService });
      const { account } = (await runtime.market()).market;
      if (account === null) throw new Error('the simulator has an account');
      const rented = await account.listInstances();
      const offerId = offers[rented.instances.length] ?? 0;
      const { instanceId } = await account.createInstance(offerId, { image: 'ubuntu', diskGb: 8 });
      const { id: marketId } = await runtime.defaultMarket();
      const poller = { sql, account, marketId, log: silentLog, now: () => new Date() };
      const poll = await pollInstances(poller, { crawlId: uuidv7(), cause: 'command' });
      const { instances } = await account.listInstances();
      return { runtime, instanceId, poll, listed: instances.map((each) => each.instanceId) };
    };
    const first = await rentOnce(true);
    const beside = await rentOnce(true);
    expect(beside.listed).toEqual([first.instanceId, beside.instanceId]);
    await beside.runtime.close();
    await first.runtime.close();
    const second = await rentOnce(true);
    expect(second.listed).toEqual([first.instanceId, second.instanceId]);
    expect(second.instanceId).toBeGreaterThan(beside.instanceId);
    await second.runtime.close();
    // A command starts from the same account, and stores nothing.
    const command = await rentOnce(false);
    expect(command.listed).toEqual([first.instanceId, second.instanceId, command.instanceId]);
    await command.runtime.close();
    expect(await stored()).toHaveLength(1);
    for (const name of await stored()) await rm(join(dataDir, name));
    const anew = await rentOnce(true);
    expect(anew.instanceId).toBeGreaterThan(command.instanceId);
    expect(anew).toMatchObject({ listed: [anew.instanceId], poll: { kind: 'polled', gone: 3 } });
    await anew.runtime.close();
  });

  it('boots an instance between 5 and 10 seconds after the rent', async () => {
    const simulator = createBuiltInSimulator();
    onTestFinished(() => simulator.close());
    const { url } = await simulator.listen();
    const offers = simulator.offersAt().filter(({ rentable }) => rentable === true);
    const onePerMachine = new Map(offers.map(({ machine_id, id }) => [machine_id, id]));
    for (const id of [...onePerMachine.values()].slice(0, 5)) {
      await fetch(`${url}/api/v0/asks/${id}/`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${simulator.apiKey}` },
        body: JSON.stringify({ image: 'ubuntu', disk: 10 }),
      });
    }
    simulator.advance(60);
    const rented = simulator.instances().filter(({ destroyedS }) => destroyedS === null);
    const waits = rented.map(({ steps }) => {
      const running = steps.find(({ phase }) => phase === 'running');
      return Number(running?.fromS) - Number(steps[0]?.fromS);
    });
    expect(waits).toHaveLength(5);
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(5);
    expect(Math.max(...waits)).toBeLessThanOrEqual(10);
  });
});
