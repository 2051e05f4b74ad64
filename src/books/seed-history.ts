import { setImmediate } from 'node:timers/promises';
import { blankCertificate, type CoverageCertificate, complete } from '../core/coverage.ts';
import type { Offer, PricingType } from '../core/offer.ts';
import type { Sql } from '../database/connection.ts';
import { explainDatabaseFailure } from '../database/explain-failure.ts';
import { records as recordReader } from '../market/registry.ts';
import { finishCrawl, startCrawl } from './crawls.sql.ts';
import type { LandingGroup } from './landing/group.ts';
import { type LandingOptions, openLanding } from './landing/land-book.sql.ts';
import { landTogether } from './landing/land-books.sql.ts';

/** Told of every book that is done, of all; `stored`: how many are stored for good, those that existed before left out. */
export type SeedProgress = (done: number, total: number, stored: number) => void;

export interface SeedOptions {
  marketId: number;
  /** Returns the records that the market would have returned at a past moment. */
  recordsAt: (type: PricingType, at: Date) => readonly unknown[];
  /** Moments of the books, oldest first. @default seedMoments(now()) */
  moments?: readonly Date[] | undefined;
  /** Further moments of one pricing type, such as hours of rentals; any order, those among `moments` are left out. */
  more?: Partial<Record<PricingType, readonly Date[]>> | undefined;
  allocatedStorageGb: number;
  statistics: LandingOptions['statistics'];
  now: () => Date;
  newId: () => string;
  onProgress: SeedProgress;
  signal?: AbortSignal | undefined;
}

const types: PricingType[] = ['on-demand', 'bid'];
const hourMs = 3_600_000;
const coarse = { days: 13, everyHours: 12 };
const fine = { days: 1, everyHours: 1 };

/**
 * Returns the moments of the seeded books, oldest first: every 12 hours for 13 days, then hourly for one, up to `now`.
 * On whole hours and UTC half days, so that a later seeding meets the existing books.
 */
export function seedMoments(now: Date): Date[] {
  const last = Math.floor(now.getTime() / hourMs) * hourMs;
  const turn = last - fine.days * 24 * hourMs;
  return [...before(turn, coarse), ...before(last, fine)];
}

/** Moments of one interval that end at or before `end`. */
function before(end: number, { days, everyHours }: typeof coarse): Date[] {
  const stepMs = everyHours * hourMs;
  const newest = Math.floor(end / stepMs) * stepMs;
  const count = (days * 24) / everyHours;
  return Array.from({ length: count }, (_, index) => new Date(newest - (count - 1 - index) * stepMs));
}

/**
 * Maximum number of books of a type stored together. Their statistics and days in force are computed once, but replaced
 * rows take space until then.
 */
const maxGroupBooks = 24;

/**
 * Lands the simulated market's last 14 days through the real merge, so that a first start has data: the newest book
 * first for current prices, then the others back in time. Skips books that exist, so an interrupted seeding resumes.
 * Returns the number of books landed.
 */
export async function seedHistory(sql: Sql, options: SeedOptions): Promise<number> {
  const moments = options.moments ?? seedMoments(options.now());
  const groups = types.map((type) => groupMoments(withMore(moments, options.more?.[type] ?? [])));
  const total = groups.flat(2).length;
  let done = 0;
  let landed = 0;
  const advance = () => {
    done += 1;
    options.onProgress(done, total, landed);
  };
  options.onProgress(done, total, landed);
  for (let place = 0; groups.some((those) => place < those.length); place += 1) {
    if (options.signal?.aborted) return landed;
    // Each type is a separate series, so their books land in parallel.
    await Promise.all(
      types.map(async (type, index) => {
        const those = groups[index]?.[place] ?? [];
        const count = await seedBooks(sql, options, { type, moments: those, advance });
        landed += count;
        // The last of a group is done once all are stored.
        if (those.length > 0) advance();
      }),
    );
  }
  return landed;
}

/** Returns the moments of a type, ascending; what is later than the newest of `moments` is left out. */
function withMore(moments: readonly Date[], more: readonly Date[]): Date[] {
  const newest = moments.at(-1)?.getTime() ?? 0;
  const times = new Set([...moments, ...more].map((at) => at.getTime()).filter((at) => at <= newest));
  return [...times].toSorted((a, b) => a - b).map((at) => new Date(at));
}

/**
 * Returns the newest moment alone, then the others from newest to oldest in small groups, ascending within each: a
 * book earlier than all others changes the start of every price interval, a later one writes very little.
 */
function groupMoments(moments: readonly Date[]): Date[][] {
  const groups = moments.slice(-1).map((newest) => [newest]);
  for (let to = moments.length - 1; to > 0; to -= maxGroupBooks) {
    groups.push(moments.slice(Math.max(0, to - maxGroupBooks), to));
  }
  return groups;
}

/** About a millisecond of work. */
const recordsAtOnce = 50;

interface SeedGroup {
  type: PricingType;
  moments: readonly Date[];
  /** Called after each book but the last. */
  advance: () => void;
}

/** Stores the books of one type at some moments, all or none; returns how many were new. */
async function seedBooks(
  sql: Sql,
  options: SeedOptions,
  { type, moments, advance }: SeedGroup,
): Promise<number> {
  if (moments.length === 0) return 0;
  const { marketId, now, statistics } = options;
  const series = { marketId, scopeName: 'default', type, statistics };
  const startedAt = now();
  try {
    return await landTogether(sql, series, moments, async (group) => {
      let landed = 0;
      let next = readBook(options, type, moments[0]);
      for (const [index, observedAt] of moments.entries()) {
        const book = await next;
        if (book === null || options.signal?.aborted) break;
        // Read while the database stores this one.
        next = readBook(options, type, moments[index + 1]);
        next.catch(() => {});
        if (await seedBook(sql, group, options, { ...series, observedAt }, book)) landed += 1;
        if (index < moments.length - 1) advance();
      }
      return landed;
    });
  } catch (error) {
    const reason = explainDatabaseFailure(error) ?? 'the seeding failed';
    const crawl = { id: options.newId(), ...series, cause: 'seed' as const, startedAt };
    const end = { outcome: 'failed' as const, reason, certificate: null, bookId: null, endedAt: now() };
    await startCrawl(sql, crawl)
      .then(() => finishCrawl(sql, crawl.id, end))
      .catch(() => {});
    throw error;
  }
}

interface ReadBook {
  offers: Offer[];
  certificate: CoverageCertificate;
}

/** Reads what the market would have returned, pausing so that the database can respond; null: no moment. */
async function readBook(
  { recordsAt, signal }: SeedOptions,
  type: PricingType,
  at: Date | undefined,
): Promise<ReadBook | null> {
  if (at === undefined || signal?.aborted) return null;
  const certificate = blankCertificate('none');
  const offers: Offer[] = [];
  const records = recordsAt(type, at);
  for (const [index, record] of records.entries()) {
    if (index % recordsAtOnce === 0) await setImmediate();
    const reading = recordReader.readOffer(record, type);
    if (reading.ok) offers.push(reading.offer);
    else
      certificate.rejected[reading.rejected.reason] =
        (certificate.rejected[reading.rejected.reason] ?? 0) + 1;
  }
  certificate.rows = records.length;
  certificate.accepted = offers.length;
  return { offers, certificate };
}

async function seedBook(
  sql: Sql,
  group: LandingGroup,
  options: SeedOptions,
  book: { marketId: number; scopeName: string; type: PricingType; observedAt: Date },
  { offers, certificate }: ReadBook,
): Promise<boolean> {
  const { observedAt, ...series } = book;
  const { now } = options;
  const crawl = { id: options.newId(), ...series, cause: 'seed' as const, startedAt: now() };
  const landing = await openLanding(sql, {
    ...series,
    group,
    allocatedStorageGb: options.allocatedStorageGb,
    statistics: options.statistics,
  });
  try {
    await landing.stage(offers);
    const coverage = complete('declared');
    const landed = await landing.land({ observedAt, startedAt: observedAt, coverage, certificate });
    const outcome = landed.kind === 'unchanged' ? 'unchanged' : 'complete';
    // In the same transaction, so that the crawl has succeeded exactly if its book exists.
    await startCrawl(group.db, crawl);
    await finishCrawl(group.db, crawl.id, {
      outcome,
      reason: null,
      certificate,
      bookId: landed.bookId,
      endedAt: now(),
    });
    return landed.kind === 'landed';
  } finally {
    await landing.close();
  }
}
