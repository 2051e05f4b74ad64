import type { DatabaseTarget, Sql } from '../../src/database/connection.ts';
import { connect } from '../../src/database/connection.ts';
import type { MarketClient } from '../../src/market/vast/client.ts';
import { verifyAudit } from '../../src/rentals/audit.sql.ts';
import type { Proof } from '../proof.ts';
import { createRandom } from '../seeded-random.ts';
import { judgeBook, judgeOrders } from './judge-orders.ts';
import { carryOutRound } from './order-actor.ts';
import { type OrderMarket, openOrderMarket } from './order-market.ts';
import type { Add, OrderRound } from './order-round.ts';
import { orderSteps, runOrdersChild } from './orders-task.ts';
import { armProofOrders } from './proof-orders.ts';

/** Options of the proof of standing orders. */
export interface OrdersProof {
  seed: number;
  server: DatabaseTarget;
  orders: number;
  onOrders?: (done: number) => void;
  /** Spoils what acts, so that the proof must fail. @default nothing */
  spoil?: ((client: MarketClient) => MarketClient) | undefined;
}

const faults = [
  'reset-before@PUT /api/v0/asks:0.08',
  'lost-create:0.1',
  'reset-after@PUT /api/v0/asks:0.05',
  '500@PUT /api/v0/asks:0.04',
  '500-after@PUT /api/v0/asks:0.04',
  '429-json@PUT /api/v0/asks:0.03',
  '502-html@GET /api/v0/instances:0.1',
  'success-false@PUT /api/v0/asks:0.02',
  '500@PUT /api/v0/instances/bid_price:0.2',
  'reset-after@PUT /api/v0/instances/bid_price:0.2',
];
/** Faults of a round besides those, and whether the account has a limit on instances in it. */
const weathers: readonly { more: readonly string[]; maxInstances: number | null }[] = [
  { more: [], maxInstances: null },
  { more: ['labels-ignored'], maxInstances: null },
  { more: ['502-html@GET /api/v0/instances:0.5'], maxInstances: 12 },
  { more: ['labels-ignored', 'lagging-instances=30'], maxInstances: null },
];
const ordersTogether = 25;
const booksOfRound = 4;

/**
 * Lets standing orders rent on a market that changes, by two workers at once and by processes that are killed at every
 * step, under every fault of a create. The simulator's own list is the truth.
 */
export async function proveOrders({ seed, server, orders, onOrders, spoil }: OrdersProof): Promise<Proof> {
  const random = createRandom(seed);
  const sqls = [connect(server, { max: 8 }), connect(server, { max: 8 })] as const;
  const counts: Record<string, number> = {
    ...{ orders: 0, filled: 0, 'machines wanted': 0, 'instances made for them': 0, 'processes killed': 0 },
    ...{ 'attempts whose process had died': 0, 'unclear answers': 0, 'offers that fitted two books': 0 },
    ...{ 'of them bids': 0, 'bids raised': 0, 'bids given up': 0 },
    ...{ 'of them taken': 0, 'orders with too many machines': 0 },
    ...{ 'instances above the price': 0, 'orders above their budget': 0, 'rents of others': 0 },
  };
  const add: Add = (name, count = 1) => {
    counts[name] = (counts[name] ?? 0) + count;
  };
  const failures: string[] = [];
  try {
    for (let round = 0; (counts.orders ?? 0) < orders; round += 1) {
      const { more, maxInstances } = weathers[round % weathers.length] ?? { more: [], maxInstances: null };
      const name = `orders-${process.pid}-${seed}-${round}`;
      const market = await openOrderMarket(sqls, { name, seed: seed + round, server, maxInstances, spoil });
      try {
        await market.crawl();
        const size = Math.min(ordersTogether, orders - (counts.orders ?? 0));
        const placed = await armProofOrders(market, { count: size, random });
        const fail = (what: string): void => void failures.push(`round ${round}: ${what}`);
        await playRound({ market, orders: placed, maxInstances, add, fail }, [...faults, ...more], random);
        add('orders', size);
      } finally {
        await market.close();
      }
      onOrders?.(counts.orders ?? 0);
    }
    failures.push(...(await auditFailures(sqls[0])));
  } finally {
    await Promise.all(sqls.map((sql) => sql.end({ timeout: 5 })));
  }
  return { ok: failures.length === 0, counts, failures };
}

async function auditFailures(sql: Sql): Promise<string[]> {
  const { problem, entries } = await verifyAudit(sql);
  if (problem !== null) return [`the audit log: ${problem.what}`];
  return entries === 0 ? ['the audit log is empty'] : [];
}

async function playRound(round: OrderRound, weather: readonly string[], random: () => number): Promise<void> {
  const { market, add } = round;
  const { simulator, clock, actors } = market;
  const seen = new Map<string, Set<number>>();
  for (let book = 0; book < booksOfRound; book += 1) {
    simulator.setFaults([]);
    if (book > 0) clock.now = new Date(clock.now.getTime() + (1 + Math.floor(random() * 3)) * 3_600_000);
    const landed = await market.crawl();
    await takeAway(round, landed.rows, random);
    simulator.setFaults(weather);
    await killOne(market, { random, add, isFirst: book === 0 });
    // Two workers at once: the one that finds the other at it does nothing.
    await Promise.all(actors.map(carryOutRound));
    await market.poll(30);
    await Promise.all(actors.map(carryOutRound));
    // The faults end: what was unclear settles, and each order says what it waits for.
    simulator.setFaults([]);
    for (let passed = 0; passed < 150; passed += 30) await market.poll(30);
    await carryOutRound(actors[0]);
    // A bid that is outbid again and again needs several raises to come to its cap.
    for (let raise = 0; raise < 4; raise += 1) {
      await market.poll(150);
      await carryOutRound(actors[raise % 2 === 0 ? 1 : 0]);
    }
    await judgeBook(round, landed, seen);
  }
  await judgeOrders(round);
}

/** A worker that is killed on its way: at one of its steps, the first or a later time, or at any moment. */
async function killOne(
  market: OrderMarket,
  { random, add, isFirst }: { random: () => number; add: Add; isFirst: boolean },
): Promise<void> {
  // In the first book there is enough to do for the process to come to its step.
  const standsAt = orderSteps[Math.floor(random() * (orderSteps.length + (isFirst ? 0 : 1)))] ?? null;
  const task = market.task({ standsAt, passes: Math.floor(random() * (isFirst ? 3 : 6)) });
  if ((await runOrdersChild(task, 200 + 2_000 * random())) === null) add('processes killed');
  const [{ sql }] = market.actors;
  const [open] = await sql<{ count: number }[]>`
    select count(*)::int as count from standing_order_attempt a join standing_order o on o.id = a.order_id
    where a.outcome = 'open' and o.market_id = ${market.actors[0].market.id}`;
  add('attempts whose process had died', open?.count ?? 0);
}

/** Others take a few offers of the book before the orders can. */
async function takeAway(
  { market, add }: OrderRound,
  rows: readonly Readonly<Record<string, unknown>>[],
  random: () => number,
): Promise<void> {
  const cheapest = [...rows].sort((a, b) => Number(a.dph_base) - Number(b.dph_base)).slice(0, 20);
  for (const row of cheapest) {
    if (random() < 0.1 && (await market.rentElsewhere(Number(row.id)))) add('rents of others');
  }
}
