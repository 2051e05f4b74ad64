import { basename } from 'node:path';
import {
  blankCertificate,
  type Coverage,
  type CoverageCertificate,
  complete,
  partial,
} from '../../core/coverage.ts';
import { UnreadableBookError, UserError } from '../../core/errors.ts';
import type { Offer } from '../../core/offer.ts';
import type { RecordedBook } from '../../core/recorded-book.ts';
import type { Sql } from '../../database/connection.ts';
import { explainDatabaseFailure } from '../../database/explain-failure.ts';
import { records as recordReader } from '../../market/registry.ts';
import { finishCrawl, startCrawl } from '../crawls.sql.ts';
import { type LandingOptions, type LandingOutcome, openLanding } from '../landing/land-book.sql.ts';
import type { CsvOptions } from './csv-columns.ts';
import type { CsvFile } from './csv-records.ts';
import { readFileChunks } from './file-chunks.ts';
import { type FiledBook, openRecordedFile } from './recorded-file.ts';

export interface ImportOptions {
  /** The market's id, or a function that creates the market, called once a file holds a book. */
  marketId: number | (() => Promise<number>);
  /** Coverage declared by the importer. Default: complete for JSON lines, otherwise partial. */
  coverage?: 'complete' | 'partial' | undefined;
  /** Moment for search responses that do not state their own. */
  observedAt?: Date | undefined;
  /** How CSV files are laid out. */
  csv?: Partial<CsvOptions> | undefined;
  /** Called with what was found out about a CSV file, before its first book. */
  onCsv?: ((file: CsvFile) => void) | undefined;
  /** Whether another book of that moment is replaced; if not, it is an error. */
  replace?: boolean | undefined;
  allocatedStorageGb: number;
  now: () => Date;
  newId: () => string;
  statistics: LandingOptions['statistics'];
  onBookLanded?: LandingOptions['onBookLanded'];
  /** Called with a book of unreadable rows, after which the import continues. @default the import ends */
  onUnreadable?: ((book: UnreadableBook) => void) | undefined;
  onPhase?: ((phase: 'paging' | 'copy' | 'merge' | 'commit') => void) | undefined;
  transaction?: LandingOptions['transaction'];
}

/** A book that was not stored, because none of its rows could be read. */
export interface UnreadableBook {
  file: string;
  observedAt: Date;
  type: RecordedBook['type'];
  /** Counts its rejected rows by reason. */
  certificate: CoverageCertificate;
}

export interface ImportedBook extends UnreadableBook {
  outcome: LandingOutcome;
}

/**
 * Stores the recorded books of one file by the same path as a crawl, each completely or not at all; a known book again
 * has no effect. Yields each book as it is stored. Throws UserError for a file that is not a book, for a stored book
 * with different content, and for one of which no row can be read unless `onUnreadable` takes it.
 */
export async function* importFile(
  sql: Sql,
  file: string,
  options: ImportOptions,
): AsyncGenerator<ImportedBook> {
  options.onPhase?.('paging');
  const { observedAt, csv } = options;
  const opened = await openRecordedFile(basename(file), readFileChunks(file), { observedAt, csv });
  const { books, close } = opened;
  try {
    if (opened.csv !== null) options.onCsv?.(opened.csv);
    const marketId = typeof options.marketId === 'number' ? options.marketId : await options.marketId();
    for (const book of books) {
      const certificate = blankCertificate('none');
      const read = { file, observedAt: book.observedAt, type: book.type, certificate };
      try {
        const outcome = await importBook(sql, basename(file), book, { ...options, marketId, certificate });
        yield { ...read, outcome };
      } catch (error) {
        if (!(error instanceof UnreadableBookError) || options.onUnreadable === undefined) throw error;
        options.onUnreadable(read);
      }
    }
  } finally {
    await close();
  }
}

async function importBook(
  sql: Sql,
  source: string,
  book: FiledBook,
  options: ImportOptions & { marketId: number; certificate: CoverageCertificate },
): Promise<LandingOutcome> {
  const { certificate } = options;
  const crawl = { id: options.newId(), marketId: options.marketId, scopeName: 'default', type: book.type };
  const startedAt = options.now();
  await startCrawl(sql, { ...crawl, cause: 'import', source, startedAt });
  try {
    const landing = await openLanding(sql, { ...options, scopeName: crawl.scopeName, type: book.type });
    try {
      const taken = new Set<number>();
      for await (const records of book.records()) {
        await landing.stage(readOffers(records, book.type, taken, certificate));
      }
      certificate.durationMs = options.now().getTime() - startedAt.getTime();
      const outcome = await landing.land({
        observedAt: book.observedAt,
        startedAt: book.observedAt,
        coverage: declare(book, options.coverage),
        certificate,
      });
      const { verdict, reason } = outcome.coverage;
      await finishCrawl(sql, crawl.id, {
        outcome: outcome.kind === 'unchanged' ? 'unchanged' : verdict,
        reason: outcome.kind === 'unchanged' ? null : reason,
        certificate,
        bookId: outcome.bookId,
        endedAt: options.now(),
      });
      return outcome;
    } finally {
      await landing.close();
    }
  } catch (error) {
    const reason =
      error instanceof UserError ? error.message : (explainDatabaseFailure(error) ?? 'the import failed');
    await finishCrawl(sql, crawl.id, {
      outcome: 'failed',
      reason,
      certificate,
      bookId: null,
      endedAt: options.now(),
    }).catch(() => {});
    throw error;
  }
}

const csvReason = 'a CSV file does not say whether it has every offer of the market';

function declare(book: FiledBook, declared: ImportOptions['coverage']): Coverage {
  const verdict = declared ?? (book.format === 'lines' ? 'complete' : 'partial');
  return verdict === 'complete'
    ? complete('declared')
    : partial(
        'declared',
        book.format === 'csv' ? csvReason : "a search response may be cut at the market's row cap",
      );
}

/** Returns the offers of records whose ids are not in `taken`, and adds the ids to it; updates the certificate. */
function readOffers(
  records: readonly Record<string, unknown>[],
  type: RecordedBook['type'],
  taken: Set<number>,
  certificate: CoverageCertificate,
): Offer[] {
  const offers: Offer[] = [];
  certificate.rows += records.length;
  for (const record of records) {
    const reading = recordReader.readOffer(record, type);
    certificate.replacedCharacters += reading.replacedCharacters;
    if (!reading.ok) {
      const { reason } = reading.rejected;
      certificate.rejected[reason] = (certificate.rejected[reason] ?? 0) + 1;
    } else if (taken.has(reading.offer.offerId)) {
      certificate.duplicates += 1;
    } else {
      taken.add(reading.offer.offerId);
      offers.push(reading.offer);
    }
  }
  certificate.accepted += offers.length;
  return offers;
}
