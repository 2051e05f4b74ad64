import { boundChunks, readFileChunks, unzipChunks } from '../../books/import/file-chunks.ts';
import { UserError } from '../../core/errors.ts';
import type { Sql } from '../../database/connection.ts';
import { type StoredSnapshot, storeSnapshot } from './catalogs.sql.ts';
import { type FetchText, maxReadMs, shownAddress } from './fetch-text.ts';
import { type Catalog, readCatalog } from './read-catalog.ts';

/** Maximum size of a catalog: ten times the largest known one. */
const maxCatalogBytes = 32 * 1024 * 1024;
/** How far ahead of the clock a catalog may be dated. */
const maxAheadMs = 10 * 60_000;
const earliest = new Date('2015-01-01T00:00:00Z');

/** The result of a catalog import. */
export interface ImportedCatalog extends StoredSnapshot, Pick<Catalog, 'rows' | 'leftOut'> {
  source: string;
  provider: string;
  asOf: Date;
  prices: number;
}

/**
 * Reads a catalog from a file or address and stores it as a seller's prices at a moment, completely or not at all.
 * Throws UserError if it cannot be read or is not a catalog.
 */
export async function importCatalog(
  deps: { sql: Sql; now: () => Date; fetchText: FetchText },
  request: { source: string; provider: string; asOf: Date | null; replace: boolean; signal: AbortSignal },
): Promise<ImportedCatalog> {
  const { source, provider, replace } = request;
  const importedAt = deps.now();
  const asOf = request.asOf ?? importedAt;
  if (asOf < earliest || asOf.getTime() > importedAt.getTime() + maxAheadMs) {
    throw new UserError(
      `A catalog as of ${asOf.toISOString()} is refused: give a time from 2015 until now with --as-of.`,
    );
  }
  const text = isAddress(source)
    ? await deps.fetchText(source, { maxBytes: maxCatalogBytes, signal: request.signal })
    : await readText(source, request.signal);
  const catalog = readCatalog(isAddress(source) ? shownAddress(source) : source, text);
  const stored = await storeSnapshot(deps.sql, { provider, asOf, importedAt, catalog, replace });
  const { rows, leftOut, prices } = catalog;
  return { source, provider, asOf, rows, leftOut, prices: prices.length, ...stored };
}

/** Whether a catalog is fetched from an address, not read from a file. */
const isAddress = (source: string): boolean => /^https?:\/\//i.test(source);

async function readText(file: string, signal: AbortSignal): Promise<string> {
  const chunks: Buffer[] = [];
  const until = AbortSignal.timeout(maxReadMs);
  const bytes = boundChunks(file, unzipChunks(file, readFileChunks(file)), maxCatalogBytes);
  for await (const chunk of bytes) {
    signal.throwIfAborted();
    if (until.aborted)
      throw new UserError(
        `${file} was not read within ${maxReadMs / 1_000} s: import a copy on a local disk.`,
      );
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
