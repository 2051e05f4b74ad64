import { Decimal } from 'decimal.js';
import { listAttempts } from '../../src/orders/attempts.sql.ts';
import type { StandingOrder } from '../../src/orders/order.ts';
import type { OrderAttempt } from '../../src/orders/order-facts.ts';
import { findOrder } from '../../src/orders/orders.sql.ts';
import type { TrueInstance } from '../../src/simulator/truth.ts';
import { diskGb, type OrderMarket } from './order-market.ts';
import type { OrderRound } from './order-round.ts';
import type { ProofOrder } from './proof-orders.ts';

type Row = Readonly<Record<string, unknown>>;

const hoursOfMonth = 720;

const priceOf = (row: Row): number =>
  Number(row.dph_base) + (Number(row.storage_cost) * diskGb) / hoursOfMonth;

/** The machines whose offers fit an order by the market's own rows, unless the price is an outlier. */
function fittingMachines(rows: readonly Row[], { numGpus, maxUsdPerGpuHour }: ProofOrder): Map<number, Row> {
  const medians = new Map<string, number>();
  const segment = (row: Row): string => `${row.gpu_name}|${row.verification}`;
  for (const [key, group] of Map.groupBy(rows, segment)) {
    const prices = group.map(listedPerGpu).sort((a, b) => a - b);
    medians.set(key, ((prices[(prices.length - 1) >> 1] ?? 0) + (prices[prices.length >> 1] ?? 0)) / 2);
  }
  const fitting = rows.filter((row) => {
    const median = medians.get(segment(row)) ?? 0;
    const listed = listedPerGpu(row);
    const isUsual = listed >= median / 4 && listed <= median * 4;
    const fits = priceOf(row) <= maxUsdPerGpuHour * numGpus && Number(row.disk_space) >= diskGb;
    return isUsual && fits && Number(row.num_gpus) === numGpus;
  });
  return new Map(fitting.map((row) => [Number(row.machine_id), row]));
}

const listedPerGpu = (row: Row): number =>
  (Number(row.dph_base) + (Number(row.storage_cost) * 8) / hoursOfMonth) / Number(row.num_gpus);

/**
 * Judges a book after its rounds: each offer that fits an order and had fitted it in the book before was taken by it, or
 * there is a reason: the order tried it, is filled, or says what else it waits for.
 */
export async function judgeBook(
  { market, orders, add, fail }: OrderRound,
  { rows }: { bookId: number; rows: readonly Row[] },
  seen: Map<string, Set<number>>,
): Promise<void> {
  const [{ sql }] = market.actors;
  for (const order of orders) {
    const stored = await findOrder(sql, order.id);
    if (stored === null) throw new Error('an order has vanished');
    const attempts = await listAttempts(sql, stored);
    const fitting = fittingMachines(rows, order);
    const stayed = [...fitting.keys()].filter((machine) => seen.get(order.id)?.has(machine) === true);
    seen.set(order.id, new Set(fitting.keys()));
    for (const machine of stayed) {
      add('offers that fitted two books');
      const own = attempts.filter(({ machineId }) => machineId === machine);
      const why = explain(stored, own.at(-1));
      if (own.some(({ rental }) => rental !== null && rental.state !== 'failed')) add('of them taken');
      else if (why !== null) add(`of them not taken: ${why}`);
      else fail(`machine ${machine} fitted ${stored.name} in two books and was not tried`);
    }
  }
}

/** Why an order has not taken an offer that fits; null: there is no reason. */
function explain({ state, waitingFor }: StandingOrder, tried: OrderAttempt | undefined): string | null {
  if (tried !== undefined) return `tried, ${tried.outcome}`;
  if (state !== 'armed') return `the order is ${state}`;
  return waitingFor === null ? null : `the order waits for ${waitingFor}`;
}

/** Judges the orders at their end, by the simulator's own list. */
export async function judgeOrders(round: OrderRound): Promise<void> {
  const { market, orders, maxInstances, add, fail } = round;
  const { simulator } = market;
  const truth = simulator.instances();
  const byImage = Map.groupBy(truth, ({ image }) => image);
  for (const order of orders) {
    const own = byImage.get(order.image) ?? [];
    await judgeOrder(market, order, own, round);
    add('machines wanted', order.count);
    add('instances made for them', own.length);
    const together = mostTogether(own);
    const most = order.bidsUpToUsdPerGpuHour === null ? own.length : together;
    if (most > order.count) {
      add('orders with too many machines');
      fail(`${most} instances of ${order.count} wanted`);
    }
  }
  const alive = truth.filter(({ destroyedS, image }) => destroyedS === null && image !== 'theirs').length;
  if (maxInstances !== null && alive > maxInstances)
    fail(`${alive} instances, at most ${maxInstances} allowed`);
}

/** The most instances that there were at a moment: one that was given up is gone before the next is made. */
function mostTogether(own: readonly TrueInstance[]): number {
  const existing = own.map(
    ({ createdS }) =>
      own.filter((one) => one.createdS <= createdS && (one.destroyedS === null || one.destroyedS > createdS))
        .length,
  );
  return Math.max(0, ...existing);
}

async function judgeOrder(
  { actors }: OrderMarket,
  order: ProofOrder,
  own: readonly TrueInstance[],
  { add, fail }: OrderRound,
): Promise<void> {
  const [{ sql }] = actors;
  const stored = await findOrder(sql, order.id);
  if (stored === null) throw new Error('an order has vanished');
  const attempts = await listAttempts(sql, stored);
  if (stored.state === 'filled') add('filled');
  const known = new Map(
    attempts.flatMap(({ rental }) => (rental?.instanceId == null ? [] : [[rental.instanceId, rental]])),
  );
  let committed = new Decimal(0);
  for (const { id, steps, isBid, createdS, destroyedS } of own) {
    const usdPerHour = Decimal.max(0, ...steps.map((step) => step.usdPerHour));
    const cap = (isBid ? order.bidsUpToUsdPerGpuHour : order.maxUsdPerGpuHour) ?? 0;
    if (usdPerHour.gt(new Decimal(cap).times(order.numGpus).plus(1e-9))) {
      add('instances above the price');
      fail(`instance ${id} costs ${usdPerHour}, above ${cap} for each of ${order.numGpus} GPUs`);
    }
    const hours = destroyedS === null ? order.maxHours : (destroyedS - createdS) / 3_600;
    committed = committed.plus(usdPerHour.times(Math.min(hours, order.maxHours)));
    if (isBid) {
      add('of them bids');
      add('bids raised', new Set(steps.map((step) => step.usdPerHour)).size - 1);
    }
    const unsettled = attempts.some(({ rental }) => rental?.state === 'unsettled');
    if (!known.has(id) && !unsettled) {
      const said = attempts.map(
        ({ attempt, outcome, rental }) => `${attempt} ${outcome} ${rental?.reason ?? ''}`,
      );
      fail(`instance ${id} is in no attempt of ${stored.name}: ${said.join('; ')}`);
    }
  }
  for (const id of known.keys()) {
    if (!own.some((one) => one.id === id)) fail(`${stored.name} claims instance ${id}, which is not its own`);
  }
  for (const { rental, outcome } of attempts) {
    if (outcome === 'given-up') add('bids given up');
    if (rental?.settleBy != null) add('unclear answers');
    if (outcome === 'open' || rental?.state === 'creating' || rental?.state === 'settling')
      fail(`an attempt of ${stored.name} is ${rental?.state ?? outcome} still`);
  }
  if (order.budgetUsd !== null && committed.gt(new Decimal(order.budgetUsd).plus(1e-6))) {
    add('orders above their budget');
    fail(`${stored.name} commits ${committed} of ${order.budgetUsd}`);
  }
}
