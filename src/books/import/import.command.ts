import { basename } from 'node:path';
import { Command, Option } from 'commander';
import { uuidv7 } from 'uuidv7';
import { UserError } from '../../core/errors.ts';
import { type PricingType, pricingTypes } from '../../core/offer.ts';
import type { CommandContext } from '../../core/terminal/command-context.ts';
import { exitCodes } from '../../core/terminal/command-context.ts';
import { parseInstant } from '../../core/terminal/parse-instant.ts';
import { createProgress } from '../../core/terminal/progress.ts';
import { formatTable } from '../../core/terminal/table.ts';
import type { BooksRuntime } from '../books-runtime.ts';
import { ensureMarket, findMarket, simulatedMarketName } from '../markets.sql.ts';
import { collectColumns, collectOne } from './csv-options.ts';
import type { CsvFile } from './csv-records.ts';
import { type CsvSummary, csvSummary, csvWords } from './csv-words.ts';
import type { ImportedBook, UnreadableBook } from './import-books.ts';

interface ImportArguments {
  market?: string;
  coverage?: 'complete' | 'partial';
  observedAt?: Date;
  columns?: Record<string, string>;
  set?: Record<string, string>;
  layout?: string;
  type?: PricingType;
  timeZone?: string;
  replace?: true;
  json?: true;
}

/** Name of the recorded market if no live one is configured. */
const recordedMarketName = 'recorded';

export function importCommand(context: CommandContext<BooksRuntime>): Command {
  return new Command('import')
    .description('import recorded books: search responses, JSON lines or CSV, plain or gzipped, in any order')
    .argument('<file...>', 'files to read')
    .option(
      '--market <name>',
      'market to import into (default: the live market if there is one, else `recorded`)',
    )
    .addOption(
      new Option(
        '--coverage <verdict>',
        'whether the books are complete (default: complete for JSON lines, otherwise partial)',
      ).choices(['complete', 'partial']),
    )
    .option(
      '--observed-at <time>',
      'time of search responses and CSV files that do not carry one, with its time zone',
      parseInstant,
    )
    .option(
      '--columns <field=column>',
      'column of a CSV file by the field that it holds, for example machine_id=machine; several by commas, or repeated',
      collectColumns,
    )
    .option(
      '--set <field=value>',
      'value of a field that a CSV file has no column for, for example gpu_name="RTX 5090"; may be repeated',
      collectOne,
    )
    .option('--layout <name>', 'known layout of CSV files (default: recognized by their header)')
    .option('--time-zone <zone>', 'time zone of times in CSV files that state none, like Europe/Berlin')
    .addOption(
      new Option('--type <type>', 'pricing type of CSV files that do not state it').choices(pricingTypes),
    )
    .option('--replace', 'replace stored books of the same time whose contents differ')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  offerbook import books/2026-07-*.jsonl.gz')
    .action(async (files: string[], options: ImportArguments) => {
      await context.withRuntime((runtime) => importFiles(context, runtime, files, options), {
        begins: true,
      });
    });
}

async function importFiles(
  context: CommandContext,
  runtime: BooksRuntime,
  files: string[],
  {
    market: marketName,
    coverage,
    observedAt,
    columns = {},
    set = {},
    layout,
    type,
    timeZone,
    replace,
    json,
  }: ImportArguments,
): Promise<void> {
  const csv = { columns, values: set, layout, type, timeZone };
  const { requireKnownNames } = await import('./csv-columns.ts');
  requireKnownNames(csv);
  const target = await findTarget(runtime, marketName);
  const { sql, now, config, statistics } = runtime;
  const { allocatedStorageGb } = config;
  const options = {
    marketId: target.make,
    coverage,
    observedAt,
    csv,
    replace,
    statistics,
    allocatedStorageGb,
    now,
    newId: uuidv7,
  };
  const { importFile } = await import('./import-books.ts');
  const progress = createProgress(context, 'files');
  const books: (ImportedBook | UnreadableBook)[] = [];
  const problems: string[] = [];
  const csvFiles: CsvSummary[] = [];
  for (const [index, file] of files.entries()) {
    progress.update(index, files.length);
    try {
      const onUnreadable = (book: UnreadableBook): void => {
        books.push(book);
        problems.push(unreadableWords(book));
      };
      const onCsv = (found: CsvFile): void => void csvFiles.push(csvSummary(file, found));
      for await (const book of importFile(sql, file, { ...options, onUnreadable, onCsv })) books.push(book);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      problems.push(error.message);
    }
    if (context.signal.aborted && index + 1 < files.length) {
      problems.push(`Stopped after ${index + 1} of ${files.length} files.`);
      break;
    }
  }
  progress.stop();
  if (json)
    context.print(JSON.stringify({ market: target.name, books: books.map(summary), csvFiles, problems }));
  else printBooks(context, target.name, books);
  if (json !== true) for (const words of csvFiles.flatMap(csvWords)) context.note(words);
  for (const problem of problems) context.note(problem);
  const partial =
    books.some((book) => Object.keys(book.certificate.rejected).length > 0) ||
    csvFiles.some(({ badRows }) => badRows > 0);
  if (problems.length > 0) context.exitWith(exitCodes.failed);
  else if (partial) context.exitWith(exitCodes.partial);
}

/** Returns the market for the books; `make` creates it, once there is a book to store. */
async function findTarget(
  { sql, config }: BooksRuntime,
  name: string | undefined,
): Promise<{ name: string; make: () => Promise<number> }> {
  const target = name ?? config.market?.name ?? recordedMarketName;
  const known = await findMarket(sql, target);
  if (known?.kind === 'simulated' || target === simulatedMarketName) {
    throw new UserError(
      `The market ${target} is simulated and takes no imports: name another with --market.`,
    );
  }
  const kind = known?.kind ?? (target === config.market?.name ? 'live' : 'recorded');
  return { name: target, make: async () => (await ensureMarket(sql, target, kind)).id };
}

/** Names the reason that most of its rows were rejected for. */
function unreadableWords({ file, observedAt, type, certificate }: UnreadableBook): string {
  const [[reason] = ['']] = Object.entries(certificate.rejected).sort(([, a], [, b]) => b - a);
  const book = `the ${type} book of ${observedAt.toISOString()} in ${basename(file)}`;
  return `Nothing was stored of ${book}: none of ${certificate.rows} rows could be read (${reason}).`;
}

function printBooks(
  context: CommandContext,
  market: string,
  all: readonly (ImportedBook | UnreadableBook)[],
): void {
  const rows = all.map((book) => {
    const { observedAt, type, offers, rejected, verdict, stored } = summary(book);
    const rejections = Object.values(rejected).reduce((sum, count) => sum + count, 0);
    return [observedAt, type, offers, rejections, verdict, stored];
  });
  const head = ['Observed', 'Type', 'Offers', 'Rejected', 'Coverage', 'Stored'];
  if (rows.length === 0) return;
  context.print(formatTable(head, rows, [2, 3]));
  const books = all.filter((book) => 'outcome' in book);
  const offers = books.reduce((sum, book) => sum + book.outcome.offers, 0);
  const reasons = new Map<string, number>();
  for (const { certificate } of books) {
    for (const [reason, count] of Object.entries(certificate.rejected)) {
      reasons.set(reason, (reasons.get(reason) ?? 0) + count);
    }
  }
  context.print(`${books.length} books with ${offers} offers in the market ${market}.`);
  for (const [reason, count] of reasons)
    context.note(`${count} ${count === 1 ? 'row' : 'rows'} rejected: ${reason}`);
}

function summary(book: ImportedBook | UnreadableBook) {
  const { file, observedAt, type, certificate } = book;
  const outcome = 'outcome' in book ? book.outcome : null;
  return {
    file,
    observedAt: observedAt.toISOString(),
    type,
    offers: outcome?.offers ?? 0,
    rejected: certificate.rejected,
    verdict: outcome?.coverage.verdict ?? 'failed',
    stored: outcome === null ? 'no' : outcome.kind === 'landed' ? 'new' : 'unchanged',
  };
}
