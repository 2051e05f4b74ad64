import { UserError } from '../core/errors.ts';
import type { Db } from '../database/connection.ts';
import { tryAccountLock } from '../rentals/account-lock.sql.ts';
import { dollars } from '../rentals/acting-options.ts';
import { switchProblem } from '../rentals/actions-switch.ts';
import type { Actor } from '../rentals/actor.ts';
import type { TableSources } from '../watches/rules/read-offer-table.ts';
import { endAttempt, listAttempts } from './attempts.sql.ts';
import { decideOrder, type OrderBlock, type OrderDecision } from './decide-order.ts';
import { type AttemptEnd, type Attempting, makeAttempt, outcomeOfRental } from './make-attempt.ts';
import { type ChoiceBook, createNewestViews, type NewestViews } from './newest-views.ts';
import type { OrderState, StandingOrder } from './order.ts';
import { isMachine, type OrderAttempt } from './order-facts.ts';
import { type OrderStep, recordStep } from './order-steps.ts';
import { changeOrder, findOrder, listArmedIds } from './orders.sql.ts';
import { giveUp, raiseBid } from './raise-bid.ts';

export interface OrdersOptions {
  /** Books older than this rent nothing. */
  maxDataAgeMinutes: number;
  /** For links. */
  publicUrl: string;
  sources: TableSources;
  signal?: AbortSignal | undefined;
}

/** The result of one round. */
export interface OrdersReport {
  orders: number;
  /** Attempts to rent that were begun, raises of bids, and instances given up. */
  attempts: number;
}

/**
 * Carries out the armed orders of the actor's market. One process at a time; null: another is at it. Every step can be
 * repeated, so that the next round finishes what a dead process left. Source: docs/meaning.md#standing-orders.
 */
export async function carryOutOrders(actor: Actor, options: OrdersOptions): Promise<OrdersReport | null> {
  const { sql, market } = actor;
  const armed = await listArmedIds(sql, market.id);
  if (armed.length === 0) return { orders: 0, attempts: 0 };
  return await tryAccountLock(sql, market.id, 'order', async () => {
    const views = createNewestViews(actor, options);
    let attempts = 0;
    for (const id of await listArmedIds(sql, market.id)) {
      options.signal?.throwIfAborted();
      attempts += await carryOut({ actor, options, views }, id);
    }
    return { orders: armed.length, attempts };
  });
}

interface Round {
  actor: Actor;
  options: OrdersOptions;
  views: NewestViews;
}

/** Carries out one order until it waits or ends; returns the number of its attempts, raises and replacements. */
async function carryOut(round: Round, id: string): Promise<number> {
  const { actor, options } = round;
  for (let begun = 0; ; begun += 1) {
    options.signal?.throwIfAborted();
    const order = await findOrder(actor.sql, id);
    if (order === null || order.state !== 'armed') return begun;
    const attempts = await readAttempts(round, order);
    const { decision, books } = await decide(round, order, attempts);
    if (decision.kind === 'move') {
      await move(round, order, decision);
      return begun;
    }
    if (decision.kind === 'wait') {
      await wait(round, order, decision.block, books);
      return begun;
    }
    const { publicUrl, signal } = options;
    const end = await attemptNow({ actor, order, publicUrl, signal }, decision);
    if (end.kind === 'fail') await move(round, order, { state: 'failed', reason: end.reason });
    if (end.kind === 'wait') await wait(round, order, end.block, null);
    if (end.kind !== 'next') return begun + 1;
  }
}

/** A request that cannot be opened ends the order. */
async function attemptNow(
  attempting: Attempting,
  decision: Exclude<OrderDecision, { kind: 'wait' | 'move' }>,
): Promise<AttemptEnd> {
  try {
    if (decision.kind === 'raise') return await raiseBid(attempting, decision);
    if (decision.kind === 'give-up') return await giveUp(attempting, decision);
    return await makeAttempt(attempting, decision);
  } catch (error) {
    if (error instanceof UserError) return { kind: 'fail', reason: error.message };
    throw error;
  }
}

/** Returns the attempts of an order with what is known of them by now, and reports machines that are new. */
async function readAttempts({ actor, options }: Round, order: StandingOrder): Promise<OrderAttempt[]> {
  const { sql, now } = actor;
  const attempts = await listAttempts(sql, order);
  const known: OrderAttempt[] = [];
  for (const attempt of attempts) {
    const outcome = outcomeOfRental(attempt);
    known.push(outcome === null ? attempt : { ...attempt, ...outcome });
    if (outcome === null) continue;
    const { rental, attempt: number } = attempt;
    if (outcome.outcome !== 'rented' || rental === null) {
      await endAttempt(sql, order.id, number, outcome);
      continue;
    }
    const words = `attempt ${number} rented machine ${attempt.machineId} at ${dollars(rental.usdPerHour)}/hour`;
    const detail = { attempt: number, machineId: attempt.machineId, usdPerHour: rental.usdPerHour };
    const step = { step: 'rented', words, by: order.createdBy, at: now(), rentalId: rental.id, detail };
    const store = async (tx: Db) => await endAttempt(tx, order.id, number, outcome);
    await sql.begin(async (tx) => await recordStep(tx, order, { ...step, store }, options.publicUrl));
  }
  return known;
}

/** Decides without offers first: books are only read for an order that may rent, and only once without success. */
async function decide(
  { actor, views }: Round,
  order: StandingOrder,
  attempts: readonly OrderAttempt[],
): Promise<{ decision: OrderDecision; books: string | null }> {
  const { now } = actor;
  const decided = { ...order, maxHours: order.request.maxHours ?? null };
  const facts = { now: now(), attempts, block: await findBlock(actor, order), views: [] };
  const first = decideOrder(decided, facts);
  if (first.kind !== 'wait' || first.block !== null) return { decision: first, books: null };
  const books = await views.books(order);
  const lost = books.find((book) => book.kind === 'lost');
  if (lost !== undefined)
    return { decision: { kind: 'move', state: 'failed', reason: lost.reason }, books: null };
  const key = keyOf(books, attempts);
  if (key !== null && key === order.judgedBooks) return { decision: first, books: key };
  return { decision: decideOrder(decided, { ...facts, views: await views.read(order, books) }), books: key };
}

/** Names the books and machines of a decision; null: a book is missing, so that it is decided again. */
function keyOf(books: readonly ChoiceBook[], attempts: readonly OrderAttempt[]): string | null {
  const ids = books.flatMap((book) => (book.kind === 'book' ? [book.book.id] : []));
  return ids.length < books.length ? null : `${ids.join(',')} ${attempts.filter(isMachine).length}`;
}

/** What stops every order; null: nothing. The guards of the rent itself check the same again. */
async function findBlock(actor: Actor, order: StandingOrder): Promise<OrderBlock | null> {
  const { sql, limits, market, now } = actor;
  if (!limits.actions) return { waitingFor: 'actions', reason: 'actions are off: ACTIONS=on allows them' };
  const reason = await switchProblem(sql);
  if (reason !== null) return { waitingFor: 'actions', reason };
  const label = (order.request.label as string | undefined) ?? order.name;
  const budget = await actor.findBlockingBudget(sql, market.id, label, now());
  if (budget === null) return null;
  const which = budget.label === null ? 'the budget of everything' : `the budget of ${budget.label}`;
  return { waitingFor: 'budget', reason: `${which} is used up in ${budget.month}` };
}

async function move(
  { actor, options }: Round,
  order: StandingOrder,
  { state, reason }: { state: OrderState; reason: string },
): Promise<void> {
  const step: OrderStep = {
    step: state,
    words: `${stateWords[state] ?? state}: ${reason}`,
    by: order.createdBy,
    at: actor.now(),
    change: {
      from: ['armed'],
      set: { state, reason, waitingFor: null, waitingReason: null, judgedBooks: null },
    },
  };
  await actor.sql.begin(async (tx) => await recordStep(tx, order, step, options.publicUrl));
}

const stateWords: Partial<Record<OrderState, string>> = {
  filled: 'it is filled',
  expired: 'it has expired',
  'out-of-budget': 'it is out of budget',
  failed: 'it failed',
};

/** Stores what an order waits for. A reason is told once, not with every book. */
async function wait(
  { actor, options }: Round,
  order: StandingOrder,
  block: OrderBlock | null,
  judgedBooks: string | null,
): Promise<void> {
  const { sql, now } = actor;
  const set = {
    waitingFor: block?.waitingFor ?? null,
    waitingReason: block?.reason ?? null,
    judgedBooks: block === null ? judgedBooks : null,
  };
  if (set.waitingFor === order.waitingFor) {
    if (set.waitingReason !== order.waitingReason || set.judgedBooks !== order.judgedBooks) {
      await changeOrder(sql, order.id, ['armed'], set);
    }
    return;
  }
  const words = block === null ? 'it waits for an offer that fits' : `it waits: ${block.reason}`;
  const change = { from: ['armed' as const], set };
  const step: OrderStep = { step: 'waits', words, by: order.createdBy, at: now(), change };
  await sql.begin(async (tx) => await recordStep(tx, order, step, options.publicUrl));
}
