import { uuidv7 } from 'uuidv7';
import { ensureMarket } from '../../src/books/markets.sql.ts';
import { MarketError } from '../../src/core/errors.ts';
import type { Sql } from '../../src/database/connection.ts';
import { createAccount } from '../../src/market/vast/account.ts';
import { createBills } from '../../src/market/vast/bills.ts';
import { createMarketClient, type MarketClient } from '../../src/market/vast/client.ts';
import { defaultDialect, withoutIntervals } from '../../src/market/vast/dialect.ts';
import { createPriceCache } from '../../src/prices/newest/newest-offers-cache.ts';
import { createOutlierTests } from '../../src/prices/verdicts/segment-medians.ts';
import type { Actor } from '../../src/rentals/actor.ts';
import { pollInstances } from '../../src/rentals/instances/poll-instances.ts';
import { reconcileAccount } from '../../src/rentals/instances/reconcile-account.ts';
import { limitsOf } from '../../src/rentals/limits.ts';
import type { RentRequest } from '../../src/rentals/rent/rent-request.ts';
import { createSimulator, type Simulator } from '../../src/simulator/simulator.ts';
import { crawlBilling } from '../../src/spend/bills/crawl-bills.ts';
import { findBlockingBudget } from '../../src/spend/budgets/budget-states.ts';
import { findWatchChoice } from '../../src/watches/watch-books.ts';

/** An account of a simulated market that lives minute by minute. */
export interface EndsMarket {
  actor: Actor;
  simulator: Simulator;
  nowMs: () => number;
  /** The GPU use that the list of instances states; null: none. */
  useOf: (instanceId: number) => number | null;
  /** A minute passes: charges are synced, instances are polled (unless the list is down) and reconciled. */
  round: (of: { isDown: boolean }) => Promise<void>;
  /** The simulator's charges, and an instance's phase, just before the last round ended anything. */
  chargesBefore: () => ReturnType<Simulator['charges']>;
  phaseBefore: (instanceId: number) => string | null;
  /** A request for an offer on a machine of its own, with its price. */
  request: (place: number) => RentRequest & { usdPerHour: number };
  close: () => Promise<void>;
}

const begin = new Date('2026-03-02T09:00:00Z');
const diskGb = 20;
const log = { debug() {}, info() {}, warn() {}, error() {} };

/** Opens one that bills seconds or started hours. */
export async function openEndsMarket(
  sql: Sql,
  of: { name: string; seed: number; billing: 'second' | 'hour'; offers: number },
): Promise<EndsMarket> {
  const clock = { now: begin };
  const simulator = createSimulator({
    ...{ seed: of.seed, billing: of.billing, offersPerType: Math.max(150, of.offers) },
    ...{ startAt: begin, now: () => clock.now, openingCreditUsd: 1_000_000 },
    ...{ failures: { exited: 0, unknown: 0, offline: 0 }, bootSeconds: [30, 200] },
  });
  const { url } = await simulator.listen();
  const dialect = withoutIntervals(defaultDialect);
  const client = createMarketClient({
    ...{ baseUrl: url, apiKey: simulator.apiKey, dialect, maxBodyBytes: 64_000_000, log },
    sleep: async () => {},
  });
  const market = await ensureMarket(sql, of.name, 'live');
  const actor: Actor = {
    ...{ sql, account: createAccount(client, dialect), market, log, newId: uuidv7, now: () => clock.now },
    priceCache: { ...createPriceCache(), outlierTests: createOutlierTests(sql) },
    ...{ findWatchChoice, findBlockingBudget, accepts: async () => true },
    limits: {
      ...limitsOf({}),
      actions: true,
      settleMinutes: 3,
    },
  };
  const requests = requestsOf(simulator);
  let charges: ReturnType<Simulator['charges']> = [];
  let phases = new Map<number, string>();
  const opened: EndsMarket = {
    ...{ actor, simulator, nowMs: () => clock.now.getTime(), useOf: () => null },
    round: async ({ isDown }) => {
      clock.now = new Date(clock.now.getTime() + 60_000);
      charges = simulator.charges();
      phases = new Map(simulator.instances().map(({ id, phase }) => [id, phase]));
      await syncCharges();
      await poll(isDown);
      await reconcileAccount(actor);
    },
    chargesBefore: () => charges,
    phaseBefore: (instanceId) => phases.get(instanceId) ?? null,
    request: (place) => {
      const request = requests[place];
      if (request === undefined) throw new Error(`the market has no ${place + 1} machines`);
      return request;
    },
    close: async () => {
      await client.close();
      await simulator.close();
    },
  };
  return opened;

  async function syncCharges(): Promise<void> {
    const reader = { sql, bills: createBills(client), marketId: market.id, log };
    const { kind } = await crawlBilling(
      { ...reader, now: () => clock.now, newId: uuidv7 },
      { crawlId: uuidv7(), kind: 'charge', cause: 'command', tickAt: null, jobId: null },
    );
    if (kind !== 'complete') throw new Error(`the sync of charges ended ${kind}`);
  }

  async function poll(isDown: boolean): Promise<void> {
    const listInstances: MarketClient['listInstances'] = async (options) => {
      if (isDown) {
        const endpoint = 'GET /api/v0/instances/';
        throw new MarketError('the list is down', { kind: 'http', endpoint, httpStatus: 500 });
      }
      const list = await client.listInstances(options);
      const measured = list.instances.map((one) => ({
        ...one,
        gpuUtilPercent: one.actualStatus === 'running' ? opened.useOf(one.instanceId) : null,
      }));
      return { ...list, instances: measured };
    };
    const poller = { sql, account: { listInstances }, marketId: market.id, log, now: () => clock.now };
    await pollInstances(poller, { crawlId: uuidv7(), cause: 'cron' });
  }
}

/** Requests for the cheapest offer of each machine. */
function requestsOf(simulator: Simulator): (RentRequest & { usdPerHour: number })[] {
  const rows = simulator
    .offersAt(undefined, { storageGb: diskGb })
    .filter((row) => row.rentable === true && row.vms_enabled !== true && Number(row.disk_space) >= diskGb);
  const machines = new Map(rows.map((row) => [row.machine_id, row]));
  return [...machines.values()].map((row) => ({
    ...{ offerId: Number(row.id), image: 'ubuntu:24.04', diskGb },
    usdPerHour: Number(row.dph_base) + (Number(row.storage_cost) * diskGb) / 720,
  }));
}
