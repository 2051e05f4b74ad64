import { findScope } from '../books/newest-books.sql.ts';
import type { Db } from '../database/connection.ts';
import { type PastBook, readPastBooks } from '../watches/rules/past-books.ts';
import { type ChoiceView, decideOrder } from './decide-order.ts';
import { type FittingOffer, filtersOfChoice, fittingOffers } from './fitting-offers.ts';
import { readIndexFalls } from './index-falls.ts';
import { type OrderFields, type OrderState, type PlacedChoice, typeOfChoice } from './order.ts';
import { type OrderAttempt, sumCommitted } from './order-facts.ts';

/** A machine that an order would have rented. */
export interface PastRent {
  at: Date;
  /** Since the beginning of the range, when the order would have been armed. */
  hours: number;
  choice: number;
  bookId: number;
  offer: FittingOffer;
}

/** What an order would have done over a range of the past. */
export interface DryRun {
  /** Books that it would have judged. */
  books: number;
  rents: PastRent[];
  /** The state that it would have reached; null: it would still be waiting. */
  state: OrderState | null;
  committedUsd: string | null;
}

export interface DryRunOptions {
  marketId: number;
  order: Pick<OrderFields, 'count' | 'budgetUsd'> & {
    choices: readonly PlacedChoice[];
    diskGb: number;
    maxHours: number | null;
  };
  from: Date;
  to: Date;
}

interface Past {
  choice: PlacedChoice;
  next: () => Promise<PastBook | null>;
  book: PastBook | null;
  changesAt: Awaited<ReturnType<typeof readIndexFalls>>;
}

const hourMs = 3_600_000;

/**
 * Replays an order over past books as if it had been armed at `from`, by the decisions of a live one: every offer that
 * fits would have been rented at its listed price or first bid, and each machine would have run; no bid is outbid.
 */
export async function dryRunOrder(db: Db, options: DryRunOptions): Promise<DryRun> {
  const { order, from, to } = options;
  const pasts: Past[] = [];
  for (const choice of order.choices) pasts.push(await openPast(db, options, choice));
  const views: ChoiceView[] = pasts.map(() => ({ kind: 'book', bookId: -1, offers: [] }));
  const attempts: OrderAttempt[] = [];
  const rents: PastRent[] = [];
  const judged = new Set<number>();
  // Its own end lies in the future: the range says when it ends here.
  const decided = { ...order, endsAt: to, armedAt: null };
  let state: OrderState | null = null;
  for (let at = earliestOf(pasts); at !== null && state === null; at = earliestOf(pasts)) {
    for (const [index, past] of pasts.entries()) {
      const { book } = past;
      if (book === null || book.book.observedAt > at) continue;
      judged.add(book.book.id);
      views[index] = viewOf(past, book, order.diskGb);
      past.book = await past.next();
    }
    state = decideAll(at);
  }
  return { books: judged.size, rents, state, committedUsd: sumCommitted(attempts)?.toString() ?? null };

  /** Rents until the order waits or ends; returns the state that it ends in. */
  function decideAll(at: Date): OrderState | null {
    for (;;) {
      const known = attempts.map((attempt) => endedBy(attempt, at));
      const decision = decideOrder(decided, { now: at, attempts: known, block: null, views });
      if (decision.kind === 'move') return decision.state;
      if (decision.kind === 'wait') return null;
      if (decision.kind !== 'attempt') throw new Error('a past bid is never outbid');
      const { choice, bookId, offer } = decision;
      attempts.push(pastAttempt(attempts.length + 1, decision, { at, maxHours: order.maxHours }));
      rents.push({ at, hours: (at.getTime() - from.getTime()) / hourMs, choice, bookId, offer });
    }
  }
}

async function openPast(
  db: Db,
  { marketId, order, from, to }: DryRunOptions,
  choice: PlacedChoice,
): Promise<Past> {
  const { watch } = choice;
  const place = watch.places.find((each) => each.marketId === marketId);
  const books = readPastBooks(db, {
    marketId,
    defaultScopeId: await findScope(db, marketId),
    watch: {
      filters: filtersOfChoice(watch.filters, choice, order.diskGb),
      profile: watch.profile,
      scopeId: place?.scopeId ?? watch.places[0].scopeId,
    },
    from,
    to,
    pools: choice.maxPercentile !== undefined,
    index: false,
  });
  let last: Date | null = null;
  const next = async (): Promise<PastBook | null> => {
    for (;;) {
      const { value, done } = await books.next();
      if (done === true) return null;
      // One book of a walk over the market is enough.
      if (last !== null && value.book.observedAt <= last) continue;
      last = value.book.observedAt;
      return value;
    }
  };
  const indexed = choice.minIndexFall === undefined ? [] : (watch.filters.gpuName ?? []);
  const type = typeOfChoice(choice);
  const changesAt = await readIndexFalls(db, { marketId, type, upTo: to }, indexed);
  return { choice, next, book: await next(), changesAt };
}

/** The moment of the next book of any choice; null: there is none. */
function earliestOf(pasts: readonly Past[]): Date | null {
  const moments = pasts.flatMap(({ book }) => (book === null ? [] : [book.book.observedAt.getTime()]));
  return moments.length === 0 ? null : new Date(Math.min(...moments));
}

function viewOf(
  { choice, changesAt }: Past,
  { book, table, percentileAt }: PastBook,
  diskGb: number,
): ChoiceView {
  const indexChangeOf = changesAt(book.observedAt);
  const { filters } = choice.watch;
  const offers = fittingOffers({ table, percentileAt, indexChangeOf }, choice, { filters, diskGb });
  return { kind: 'book', bookId: book.id, offers };
}

/** An attempt as it stands at a moment: its machine ends with its hours. */
function endedBy(attempt: OrderAttempt, now: Date): OrderAttempt {
  const { rental } = attempt;
  if (rental === null || rental.maxHours === null) return attempt;
  const endedAt = new Date(rental.createdAt.getTime() + rental.maxHours * hourMs);
  return endedAt > now ? attempt : { ...attempt, rental: { ...rental, state: 'destroyed', endedAt } };
}

/** An attempt that rented a machine, which ran at once. */
function pastAttempt(
  attempt: number,
  {
    choice,
    bookId,
    offer,
    maxUsdPerHour,
  }: { choice: number; bookId: number; offer: FittingOffer; maxUsdPerHour: number },
  { at, maxHours }: { at: Date; maxHours: number | null },
): OrderAttempt {
  const [usdPerHour, cap] = [String(offer.usdPerHour), String(maxUsdPerHour)];
  const bidUsdPerHour = offer.bidUsdPerHour === null ? null : String(offer.bidUsdPerHour);
  return {
    attempt,
    choice,
    bookId,
    offerId: offer.offerId ?? 0,
    machineId: offer.machineId,
    usdPerHour,
    maxUsdPerHour: cap,
    at,
    tries: 1,
    outcome: 'rented',
    reason: null,
    bidUsdPerHour,
    bidAt: bidUsdPerHour === null ? null : at,
    rental: {
      id: '',
      state: 'running',
      instanceId: 0,
      reason: null,
      usdPerHour,
      maxUsdPerHour: cap,
      maxHours,
      settleBy: null,
      firstRunningAt: at,
      failedStartAt: null,
      createdAt: at,
      endedAt: null,
      listed: null,
    },
  };
}
