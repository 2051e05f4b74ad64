import type { Sql } from '../db/connection.ts';
import { finishRun, startRun } from '../db/crawl-runs.ts';
import { explainDatabaseFailure } from '../db/failure.ts';
import { type LandingOptions, openLanding } from '../db/land-book.ts';
import { blankCertificate, complete } from '../domain/coverage.ts';
import type { Offer, PricingType } from '../domain/offer.ts';
import { readOfferRecord } from '../market/offer-record.ts';

export interface SeedOptions {
  marketId: number;
  /** The records that the market would answer at a past moment. */
  recordsAt: (type: PricingType, at: Date) => readonly unknown[];
  /** Moments of the books, oldest first. @default seedMoments(now()) */
  moments?: readonly Date[] | undefined;
  allocatedStorageGb: number;
  now: () => Date;
  newId: () => string;
  onBookLanded?: LandingOptions['onBookLanded'];
  onProgress: (done: number, total: number) => void;
  signal?: AbortSignal | undefined;
}

const types: PricingType[] = ['on-demand', 'bid'];
const hourMs = 3_600_000;
const coarse = { days: 11, everyHours: 6 };
const fine = { days: 3, everyHours: 1 };

/**
 * Moments of the seeded books, oldest first: every 6 hours for 11 days, then hourly for 3, up to `now`. On
 * whole hours and quarters of UTC days, so that a seeding that goes on later meets the books it has.
 */
export function seedMoments(now: Date): Date[] {
  const last = Math.floor(now.getTime() / hourMs) * hourMs;
  const turn = last - fine.days * 24 * hourMs;
  return [...before(turn, coarse), ...before(last, fine)];
}

/** The moments of one grain that end at or before `end`. */
function before(end: number, { days, everyHours }: typeof coarse): Date[] {
  const stepMs = everyHours * hourMs;
  const newest = Math.floor(end / stepMs) * stepMs;
  const count = (days * 24) / everyHours;
  return Array.from({ length: count }, (_, index) => new Date(newest - (count - 1 - index) * stepMs));
}

/**
 * Lands the simulated market's last 14 days through the real merge, so that a first start has something to
 * show. Books that are there are left alone: an interrupted seeding goes on. Returns the books landed.
 */
export async function seedHistory(sql: Sql, options: SeedOptions): Promise<number> {
  const moments = options.moments ?? seedMoments(options.now());
  const total = moments.length * types.length;
  let done = 0;
  let landed = 0;
  options.onProgress(done, total);
  for (const observedAt of moments) {
    if (options.signal?.aborted) return landed;
    // The types are series of their own: their books land side by side.
    const books = await Promise.all(types.map((type) => seedBook(sql, options, type, observedAt)));
    landed += books.filter((isNew) => isNew).length;
    done += books.length;
    options.onProgress(done, total);
  }
  return landed;
}

async function seedBook(
  sql: Sql,
  options: SeedOptions,
  type: PricingType,
  observedAt: Date,
): Promise<boolean> {
  const { marketId, now } = options;
  const run = { id: options.newId(), marketId, scopeName: 'default', type, cause: 'seed' as const };
  const certificate = blankCertificate('none');
  const offers: Offer[] = [];
  const records = options.recordsAt(type, observedAt);
  for (const record of records) {
    const reading = readOfferRecord(record, type);
    if (reading.ok) offers.push(reading.offer);
    else
      certificate.rejected[reading.rejected.reason] =
        (certificate.rejected[reading.rejected.reason] ?? 0) + 1;
  }
  certificate.rows = records.length;
  certificate.accepted = offers.length;
  await startRun(sql, { ...run, startedAt: now() });
  const landing = await openLanding(sql, { ...options, scopeName: run.scopeName, type });
  try {
    await landing.stage(offers);
    const coverage = complete('declared');
    const landed = await landing.land({ observedAt, startedAt: observedAt, coverage, certificate });
    const outcome = landed.kind === 'unchanged' ? 'unchanged' : 'complete';
    await finishRun(sql, run.id, {
      outcome,
      reason: null,
      certificate,
      bookId: landed.bookId,
      endedAt: now(),
    });
    return landed.kind === 'landed';
  } catch (error) {
    const reason = explainDatabaseFailure(error) ?? 'the seeding failed';
    const end = { outcome: 'failed', reason, certificate, bookId: null, endedAt: now() } as const;
    await finishRun(sql, run.id, end).catch(() => {});
    throw error;
  } finally {
    await landing.close();
  }
}
