import { rowProblem } from '../../core/completeness.ts';
import { type Coverage, type CoverageCertificate, type CoverageSlice, partial } from '../../core/coverage.ts';
import { UnreadableBookError, UserError } from '../../core/errors.ts';
import type { Offer, PricingType } from '../../core/offer.ts';
import { type Db, inTransaction, type ReservedSql, type Sql } from '../../database/connection.ts';
import { releaseAfter } from '../../database/reserved-connection.ts';
import { ensureScope } from '../markets.sql.ts';
import { mergeAttributes } from './attributes.sql.ts';
import type { BookStatistics, MovedBook } from './book-statistics.ts';
import { createContentHash } from './content-hash.ts';
import type { LandingGroup } from './group.ts';
import { lockListings, lockSeries } from './locks.sql.ts';
import { addOfferNames, type OfferNames, placeOffers, type Series, saveLatestOffers } from './place.sql.ts';
import { updatePlannerStatistics } from './planner-statistics.sql.ts';
import { requirePlausibleMoment } from './plausible-moment.sql.ts';
import { findNeighbors, mergePresence } from './presence.sql.ts';
import { mergePriceIntervals } from './price-intervals.sql.ts';
import { pagesFor } from './records.sql.ts';
import { removeBook } from './remove-book.sql.ts';
import { saveSlices } from './slices.sql.ts';
import { createStaging, dropStaging, indexStaging, stageOffers, unstageOffers } from './staging.sql.ts';
import { vacuumLeftovers } from './vacuum.sql.ts';

/** A stored book, as the hooks of its landing see it. */
export interface LandedBook {
  id: number;
  marketId: number;
  scopeId: number;
  type: PricingType;
  observedAt: Date;
  verdict: 'complete' | 'partial';
  /** Whether the series has a newer book, so that this one fires nothing. */
  late: boolean;
}

/** Runs within the book's transaction: its writes exist exactly if the book does. */
export type OnBookLanded = (tx: Db, book: LandedBook) => Promise<void>;

export type LandingPhase = 'copy' | 'merge' | 'commit';

export interface LandingOptions {
  marketId: number;
  scopeName: string;
  type: PricingType;
  allocatedStorageGb: number;
  /** Replaces another book of the same moment. @default false: it is an error */
  replace?: boolean | undefined;
  statistics: BookStatistics;
  onBookLanded?: readonly OnBookLanded[] | undefined;
  onPhase?: ((phase: LandingPhase) => void) | undefined;
  /** Books that are stored together, all of the same series. @default none: stored by itself */
  group?: LandingGroup | undefined;
  /** Makes merges safe; replaced only by the proof in `prove` that shows what happens without transactions. */
  transaction?: typeof inTransaction | undefined;
}

/** What is known about a book once its last offer is staged. */
export interface BookHead {
  observedAt: Date;
  startedAt: Date;
  coverage: Coverage;
  certificate: CoverageCertificate;
  /** Verdicts by model if the crawl went model by model. @default none: one verdict */
  slices?: readonly CoverageSlice[] | undefined;
  /** The crawl proved that the market has none of the requested offers, so an empty book is correct. @default false */
  mayBeEmpty?: boolean | undefined;
}

export type LandingOutcome =
  | { kind: 'landed'; bookId: number; coverage: Coverage; offers: number }
  | { kind: 'unchanged'; bookId: number; coverage: Coverage; offers: number };

/** Receives the pages of one book, then stores it completely or not at all. */
export interface BookLanding {
  /** Appends offers, each id once per book. Resolves when the next page may come. */
  stage: (offers: readonly Offer[]) => Promise<void>;
  /** Replaces the offers staged with the same ids. */
  restage: (offers: readonly Offer[]) => Promise<void>;
  /** Stores the book. Throws UserError if another book of that moment exists. */
  land: (head: BookHead) => Promise<LandingOutcome>;
  /** Frees the connection; without `land` nothing is stored. */
  close: () => Promise<void>;
}

/** Opens a landing on a connection of its own. */
export async function openLanding(sql: Sql, options: LandingOptions): Promise<BookLanding> {
  const scopeId = await ensureScope(sql, options.marketId, options.scopeName);
  const series: Series = { marketId: options.marketId, scopeId, type: options.type };
  const { group } = options;
  const db = group?.db ?? (await sql.reserve());
  const content = createContentHash();
  try {
    await createStaging(db);
  } catch (error) {
    if (group === undefined) db.release();
    throw error;
  }
  const gathered = { gpuNames: new Set<string>(), countries: new Set<string>(), tiers: new Set<string>() };
  let staging = Promise.resolve();
  let pages = 0;
  // Most records of a group are older than the stored ones, so they wait here until it is known which are needed.
  const records = group === undefined ? null : new Map<number, string>();
  // The database loads a page while the next one is read and hashed; errors are thrown by the next step.
  const stage = async (page: readonly Offer[]): Promise<void> => {
    options.onPhase?.('copy');
    for (const { offerId, raw, gpuName, country, verification } of page) {
      content.put(offerId, raw);
      records?.set(offerId, raw);
      gathered.gpuNames.add(gpuName);
      if (country !== null) gathered.countries.add(country);
      if (verification !== null) gathered.tiers.add(verification);
    }
    await staging;
    staging = stageOffers(db, page, pages, records === null ? 'with records' : 'without');
    staging.catch(() => {});
    pages += pagesFor(page.length);
  };
  return {
    stage,
    restage: async (page) => {
      const offerIds = page.map(({ offerId }) => offerId);
      await staging;
      await unstageOffers(db, offerIds);
      await stage(page);
    },
    land: async (head) => {
      await staging;
      options.onPhase?.('merge');
      await indexStaging(db);
      const facts = { hash: content.digest(), offers: content.size(), names: gathered, records };
      if (group !== undefined) {
        // Separately, because locks held until the end of a group could deadlock.
        await addOfferNames(sql, gathered);
        const { outcome, moved } = await storeBook(db, series, options, head, facts);
        if (moved !== null) group.moved.push(moved);
        if (outcome.kind === 'landed') group.bookIds.push(outcome.bookId);
        return outcome;
      }
      await options.statistics.prepare(db, [head.observedAt]);
      const atomically = options.transaction ?? inTransaction;
      const outcome = await atomically(db, async (tx) => {
        const stored = await storeBook(tx, series, options, head, facts);
        if (stored.moved !== null) await options.statistics.refresh(tx, series, [stored.moved]);
        if (stored.book !== null) {
          for (const hook of options.onBookLanded ?? []) await hook(tx, stored.book);
        }
        options.onPhase?.('commit');
        return stored.outcome;
      });
      if (outcome.kind === 'landed') {
        await updatePlannerStatistics(db, [outcome.bookId]);
        await vacuumLeftovers(db);
      }
      return outcome;
    },
    close: async () => {
      await staging.catch(() => {});
      if (group === undefined) await releaseAfter(db, () => dropStaging(db));
    },
  };
}

/** A book whose statistics are still to be computed; `book` and `moved` are null if it existed already. */
interface StoredBook {
  outcome: LandingOutcome;
  book: LandedBook | null;
  moved: MovedBook | null;
}

async function storeBook(
  tx: ReservedSql,
  series: Series,
  options: LandingOptions,
  head: BookHead,
  content: { hash: string; offers: number; names: OfferNames; records: Map<number, string> | null },
): Promise<StoredBook> {
  const coverage = judge(head, content.offers);
  await requirePlausibleMoment(tx, series.marketId, head.observedAt);
  await lockSeries(tx, series);
  const known = await findBook(tx, series, head.observedAt);
  if (known !== null) {
    if (isSame(known, content, coverage)) {
      const outcome = { kind: 'unchanged' as const, bookId: known.id, coverage, offers: known.offers };
      return { outcome, book: null, moved: null };
    }
    if (options.replace !== true) throw otherBook(known, head, content);
    if (known.verdict === 'complete' && coverage.verdict === 'partial') {
      throw new UserError(
        `The complete book of ${head.observedAt.toISOString()} was kept: a partial book never replaces it.`,
      );
    }
    await lockListings(tx, series, true);
    await removeBook(tx, series, { id: known.id, observedAt: head.observedAt });
  }
  await lockListings(tx, series, false);
  const [book] = await tx<{ id: number }[]>`
    insert into book (scope_id, type, observed_at, started_at, verdict, reason, proof, content_hash, offers,
      allocated_storage_gb, certificate)
    values (${series.scopeId}, ${series.type}, ${head.observedAt}, ${head.startedAt}, ${coverage.verdict},
      ${coverage.reason}, ${coverage.proof}, ${content.hash}, ${content.offers},
      ${options.allocatedStorageGb}, ${tx.json({ ...head.certificate })})
    returning id`;
  if (book === undefined) throw new Error('the book was not stored');
  const late = await isLate(tx, series, head.observedAt);
  // Analyzes tables that have grown a lot before they are joined: with the statistics of a tiny market, PostgreSQL
  // would compare thousands of rows one by one.
  const { grown } = await placeOffers(tx, series, content.names);
  await saveSlices(tx, book.id, coverage, head.slices ?? []);
  await saveLatestOffers(tx, series, {
    id: book.id,
    observedAt: head.observedAt,
    complete: coverage.verdict === 'complete',
    records: content.records,
  });
  await findNeighbors(tx, series, { id: book.id, observedAt: head.observedAt });
  await mergePresence(tx, series, head.observedAt);
  if (grown) await tx`analyze presence`;
  await mergePriceIntervals(tx, series.scopeId, head.observedAt, grown);
  const touched = await mergeAttributes(tx, series, head.observedAt, options.group);
  if (grown) await tx`analyze listing_attribute`;
  const slicesCover = (head.slices ?? []).some(
    (slice) => slice.gpuName !== null && slice.coverage.verdict === 'complete',
  );
  const attributesMoved = late && touched > 0;
  return {
    outcome: { kind: 'landed', bookId: book.id, coverage, offers: content.offers },
    book: {
      id: book.id,
      marketId: series.marketId,
      scopeId: series.scopeId,
      type: options.type,
      observedAt: head.observedAt,
      verdict: coverage.verdict,
      late,
    },
    moved: {
      at: head.observedAt,
      // Points use only GPU ids and tiers, whose changes apply to their own day, so only that day's books can change.
      wholeDay: known !== null || attributesMoved,
      isNewest: known === null && !late,
      countsOnly: known === null && coverage.verdict === 'partial' && !slicesCover,
    },
  };
}

function judge(head: BookHead, accepted: number): Coverage {
  const rows = head.certificate.rows - head.certificate.duplicates;
  const problem = rowProblem(rows, accepted);
  if (accepted === 0 && head.mayBeEmpty === true) {
    return problem?.fatal ? partial(head.coverage.proof, problem.reason) : head.coverage;
  }
  if (problem?.fatal) throw new UnreadableBookError(`Nothing was stored: ${problem.reason}.`);
  if (problem === null || head.coverage.verdict === 'partial') return head.coverage;
  return { verdict: 'partial', reason: problem.reason, proof: head.coverage.proof };
}

interface KnownBook {
  id: number;
  contentHash: string;
  offers: number;
  verdict: 'complete' | 'partial';
}

async function findBook(tx: Db, series: Series, observedAt: Date): Promise<KnownBook | null> {
  const [row] = await tx<KnownBook[]>`
    select id, content_hash as "contentHash", offers, verdict from book
    where scope_id = ${series.scopeId} and type = ${series.type} and observed_at = ${observedAt}`;
  return row ?? null;
}

const isSame = (known: KnownBook, content: { hash: string }, coverage: Coverage): boolean =>
  known.contentHash === content.hash && known.verdict === coverage.verdict;

function otherBook(known: KnownBook, head: BookHead, content: { hash: string; offers: number }): UserError {
  const difference =
    known.contentHash === content.hash
      ? `the same offers as ${known.verdict}`
      : `other content (${known.offers} offers, here ${content.offers})`;
  const moment = head.observedAt.toISOString();
  return new UserError(
    `A book of ${moment} is already stored with ${difference}: it was kept. --replace stores the new one instead.`,
  );
}

async function isLate(tx: Db, series: Series, observedAt: Date): Promise<boolean> {
  const [row] = await tx<{ late: boolean }[]>`
    select exists (select from book where scope_id = ${series.scopeId} and type = ${series.type}
      and observed_at > ${observedAt}) as late`;
  return row?.late ?? false;
}
