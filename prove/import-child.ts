// An import in a separate process, to be killed: prints each phase as it begins, one JSON object per line.
// Arguments: {"target", "files", "booksBefore", "transaction"} as JSON.
import { writeSync } from 'node:fs';
import { uuidv7 } from 'uuidv7';
import { importFile } from '../src/books/import/import-books.ts';
import { ensureMarket } from '../src/books/markets.sql.ts';
import { connect, type inTransaction } from '../src/database/connection.ts';
import { pointStatistics } from '../src/prices/statistics/point-statistics.ts';
import { type ImportEvent, type ImportTask, provedMarket } from './import-task.ts';

async function runImport({ target, files, booksBefore, transaction }: ImportTask): Promise<void> {
  // Written at once, so that the last line is the last phase even after SIGKILL.
  const tell = (event: ImportEvent): void => void writeSync(1, `${JSON.stringify(event)}\n`);
  const withoutTransaction: typeof inTransaction = async (db, work) => await work(db);
  const sql = connect(target, { max: 3, applicationName: 'offerbook-import' });
  const { id: marketId } = await ensureMarket(sql, provedMarket, 'recorded');
  let book = booksBefore;
  const counts = { landed: 0, unchanged: 0 };
  for (const file of files) {
    const books = importFile(sql, file, {
      marketId,
      allocatedStorageGb: 8,
      statistics: pointStatistics,
      now: () => new Date(),
      newId: uuidv7,
      transaction: transaction ? undefined : withoutTransaction,
      onPhase: (phase) => {
        if (phase === 'copy') book += 1;
        tell({ event: 'phase', phase, book: phase === 'paging' ? book + 1 : book });
      },
    });
    for await (const { outcome } of books) counts[outcome.kind] += 1;
  }
  await sql.end();
  tell({ event: 'end', ...counts });
}

await runImport(JSON.parse(process.argv[2] ?? '{}') as ImportTask);
