import { stat } from 'node:fs/promises';
import { dirname, extname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { Argument, Command, Option } from 'commander';
import { UsageError } from '../../core/errors.ts';
import { marketOption } from '../../core/terminal/market-option.ts';
import { collectNameValue, type NameValues } from '../../core/terminal/name-values.ts';
import { exportFormats } from '../../exports/formats.ts';
import { addRangeOptions, type SpendOptions, spendQuery } from '../../spend/spend-options.ts';
import { writeWholeFile } from '../commands/whole-file.ts';
import type { ServiceContext } from '../service-context.ts';
import { exportNames } from './export-names.ts';

interface ExportOptions extends SpendOptions {
  format?: string;
  out?: string;
  locale?: string;
  groupBy?: string;
  stackBy?: string;
  filter?: NameValues;
}

export function exportCommand(context: ServiceContext): Command {
  return addRangeOptions(
    new Command('export')
      .description(
        'export a complete list to a file: spend, spend summary, comparison with the market, FOCUS, rentals, trends, index, rankings, offers',
      )
      .addArgument(new Argument('<what>', 'what to export').choices(exportNames)),
  )
    .addOption(marketOption())
    .addOption(
      new Option('--format <format>', 'format (default: by the ending of --out, else csv)').choices(
        exportFormats,
      ),
    )
    .option('--out <file>', 'file to write (default: stdout)')
    .option('--locale <language>', 'CSV for spreadsheets in this language, for example de')
    .option('--group-by <what>', 'for spend-summary, as in `spend report`')
    .option('--stack-by <what>', 'for spend-summary, as in `spend report`')
    .option(
      '--filter <name=value...>',
      'any other parameter of the API; repeat a name for several values',
      collectNameValue,
    )
    .addHelpText(
      'after',
      '\nExample:\n  offerbook export spend --format xlsx --from 2026-01-01 --out spend.xlsx',
    )
    .action(async (what: string, given: ExportOptions) => {
      const format = given.format ?? formatOf(given.out);
      if (given.out !== undefined) await requireFolder(given.out);
      await context.withApi(async (api) => {
        const { locale, groupBy, stackBy, filter } = given;
        const query = { ...spendQuery(given), locale, groupBy, stackBy, ...filter };
        const answer = await api.exportTable({ file: `${what}.${format}`, ...query });
        if (answer.body === null) throw new Error('the API gave no file');
        const body = Readable.fromWeb(answer.body as ReadableStream<Uint8Array>);
        if (given.out === undefined)
          await pipeline(body, process.stdout, { end: false, signal: context.signal });
        else {
          const { signal } = context;
          await writeWholeFile(given.out, { replace: true, signal }, (file) =>
            pipeline(body, file, { signal }),
          );
          const asOf = answer.headers.get('x-offerbook-as-of');
          // A default range would have moved by the time the export is repeated.
          const repeats = asOf === null ? '' : `; with the same range \`--as-of ${asOf}\` repeats it`;
          context.print(`Wrote ${given.out}${repeats}.`);
        }
      });
    });
}

/** Checked first: with a missing folder the file would fail only after all the work. */
async function requireFolder(path: string): Promise<void> {
  const folder = dirname(path);
  const found = await stat(folder).catch(() => null);
  if (found?.isDirectory() !== true)
    throw new UsageError(`There is no folder ${folder}: create it first, or choose another.`);
}

/** The format by a file's ending; CSV without one. Throws a UsageError for an ending of no format. */
function formatOf(path = ''): string {
  const ending = extname(path).slice(1);
  const format = exportFormats.find((each) => each === ending.toLowerCase());
  if (format !== undefined || ending === '') return format ?? 'csv';
  const known = exportFormats.map((each) => `.${each}`).join(', ');
  throw new UsageError(`Unknown ending .${ending} of --out: choose one of ${known}, or give --format.`);
}
