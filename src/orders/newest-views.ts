import { findScope, newestMoment } from '../books/newest-books.sql.ts';
import type { Actor } from '../rentals/actor.ts';
import { coversWatch } from '../watches/rules/judge-book.ts';
import { percentiles, readOfferTable, type TableSources } from '../watches/rules/read-offer-table.ts';
import { listRuleBooks, type RuleBook } from '../watches/rules/rule-offers.sql.ts';
import { findPlacedWatch, type PlacedWatch } from '../watches/watches.sql.ts';
import type { ChoiceView } from './decide-order.ts';
import { fittingOffers } from './fitting-offers.ts';
import { readIndexFalls } from './index-falls.ts';
import { type OrderChoice, type StandingOrder, typeOfChoice } from './order.ts';

/** The newest book of a choice, before its offers are read. */
export type ChoiceBook =
  | { kind: 'lost'; reason: string }
  | Extract<ChoiceView, { kind: 'blocked' }>
  | { kind: 'book'; book: RuleBook; watch: PlacedWatch };

export interface NewestViews {
  /** The newest usable book of each choice of an order. */
  books: (order: StandingOrder) => Promise<ChoiceBook[]>;
  /** The offers that fit in those books. */
  read: (order: StandingOrder, books: readonly ChoiceBook[]) => Promise<ChoiceView[]>;
}

/** Reads the newest books for one round of orders: each book once. */
export function createNewestViews(
  { sql, market, now }: Pick<Actor, 'sql' | 'market' | 'now'>,
  { maxDataAgeMinutes, sources }: { maxDataAgeMinutes: number; sources: TableSources },
): NewestViews {
  const watches = new Map<string, Promise<ChoiceBook>>();
  const tables = new Map<string, ReturnType<typeof readOfferTable>>();
  const marketId = market.id;

  const findBook = async (choice: OrderChoice): Promise<ChoiceBook> => {
    const { watchId } = choice;
    const type = typeOfChoice(choice);
    const watch = await findPlacedWatch(sql, watchId);
    if (watch === null) return { kind: 'lost', reason: `its watch ${watchId} was deleted` };
    const place = watch.places.find((each) => each.marketId === marketId);
    if (place === undefined)
      return { kind: 'lost', reason: `its watch ${watch.name} no longer follows ${market.name}` };
    const whole = await findScope(sql, marketId);
    const scopeIds = [...new Set([place.scopeId, ...(whole === null ? [] : [whole])])];
    const at = now();
    const books = await listRuleBooks(sql, {
      scopeIds,
      types: [type],
      from: new Date(at.getTime() - maxDataAgeMinutes * 60_000),
      // A book may be this much ahead of the clock, as landing allows.
      to: new Date(at.getTime() + 600_001),
    });
    const book = books.findLast(({ gpuNames }) => coversWatch(gpuNames, watch.filters.gpuName));
    if (book === undefined) {
      const reason = `no complete book of the watch ${watch.name} is newer than ${maxDataAgeMinutes} minutes`;
      return { kind: 'blocked', block: { waitingFor: 'stale-data', reason } };
    }
    const newest = await newestMoment(sql, book.scopeId, [type]);
    if (newest !== null && newest > book.observedAt) {
      const reason = `the newest book of the watch ${watch.name} is partial`;
      return { kind: 'blocked', block: { waitingFor: 'partial-book', reason } };
    }
    return { kind: 'book', book, watch };
  };

  const readChoice = async (
    order: StandingOrder,
    choice: OrderChoice,
    { book, watch }: Extract<ChoiceBook, { kind: 'book' }>,
  ): Promise<ChoiceView> => {
    const gpuNames = watch.filters.gpuName ?? [];
    const pools = choice.maxPercentile !== undefined;
    const type = typeOfChoice(choice);
    const key = `${book.id} ${pools} ${gpuNames.join('|')}`;
    const options = { marketId, scopeId: book.scopeId, types: [type], at: book.observedAt, pools };
    const reading =
      tables.get(key) ??
      readOfferTable(sql, { ...options, gpuNames: gpuNames.length === 0 ? null : gpuNames }, sources);
    tables.set(key, reading);
    const { table, pools: byType } = await reading;
    const indexed = choice.minIndexFall === undefined ? [] : gpuNames;
    const changesAt = await readIndexFalls(sql, { marketId, type, upTo: book.observedAt }, indexed);
    const fitting = fittingOffers(
      { table, percentileAt: percentiles(table, byType), indexChangeOf: changesAt(book.observedAt) },
      choice,
      { filters: watch.filters, diskGb: order.request.diskGb },
    );
    return { kind: 'book', bookId: book.id, offers: fitting.filter(({ offerId }) => offerId !== null) };
  };

  return {
    books: async (order) => {
      const found: ChoiceBook[] = [];
      for (const choice of order.choices) {
        const key = `${choice.watchId} ${typeOfChoice(choice)}`;
        const finding = watches.get(key) ?? findBook(choice);
        watches.set(key, finding);
        found.push(await finding);
      }
      return found;
    },
    read: async (order, books) => {
      const views: ChoiceView[] = [];
      for (const [index, choice] of order.choices.entries()) {
        const of = books[index];
        if (of === undefined || of.kind === 'lost') continue;
        views.push(of.kind === 'blocked' ? of : await readChoice(order, choice, of));
      }
      return views;
    },
  };
}
