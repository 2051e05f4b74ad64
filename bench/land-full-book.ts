import { openLanding } from '../src/books/landing/land-book.sql.ts';
import { blankCertificate, complete } from '../src/core/coverage.ts';
import type { PricingType } from '../src/core/offer.ts';
import type { Sql } from '../src/database/connection.ts';
import { readOfferRecord } from '../src/market/vast/offer-record.ts';
import { pointStatistics } from '../src/prices/statistics/point-statistics.ts';
import { makeBookPages } from './full-offers.ts';

/**
 * Lands a complete book of simulated offers with full records in one market; returns its id. `pages` @default made for
 * the moment
 */
export async function landFullBook(
  sql: Sql,
  marketId: number,
  {
    offers,
    at,
    type = 'on-demand',
    pages,
  }: { offers: number; at: Date; type?: PricingType; pages?: readonly Buffer[] },
): Promise<number> {
  const landing = await openLanding(sql, {
    marketId,
    scopeName: 'default',
    type,
    allocatedStorageGb: 8,
    statistics: pointStatistics,
  });
  const certificate = blankCertificate('id');
  try {
    for (const page of pages ?? makeBookPages({ offers, rowsPerPage: Math.min(5_000, offers), at })) {
      const { offers: rows } = JSON.parse(page.toString('utf8')) as { offers: unknown[] };
      const read = rows.map((row) => readOfferRecord(row, type));
      const accepted = read.flatMap((each) => (each.ok ? [each.offer] : []));
      await landing.stage(accepted);
      certificate.rows += rows.length;
      certificate.accepted += accepted.length;
    }
    const head = { observedAt: at, startedAt: at, coverage: complete('proved'), certificate };
    return (await landing.land(head)).bookId;
  } finally {
    await landing.close();
  }
}
