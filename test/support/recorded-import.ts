import { uuidv7 } from 'uuidv7';
import { type ImportedBook, type ImportOptions, importFile } from '../../src/books/import/import-books.ts';
import { ensureMarket, ensureScope } from '../../src/books/markets.sql.ts';
import type { Sql } from '../../src/database/connection.ts';
import { pointStatistics } from '../../src/prices/statistics/point-statistics.ts';

/** Imports the files in their order into the market `recorded`; returns its default scope and every book. */
export async function importRecorded(
  sql: Sql,
  files: readonly string[],
  options: Partial<ImportOptions> = {},
): Promise<{ scopeId: number; books: ImportedBook[] }> {
  const { id: marketId } = await ensureMarket(sql, 'recorded', 'recorded');
  const books: ImportedBook[] = [];
  for (const file of files) {
    const imported = importFile(sql, file, {
      marketId,
      allocatedStorageGb: 8,
      statistics: pointStatistics,
      now: () => new Date(),
      newId: uuidv7,
      ...options,
    });
    for await (const book of imported) books.push(book);
  }
  return { scopeId: await ensureScope(sql, marketId, 'default'), books };
}
