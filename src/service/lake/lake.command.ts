import { resolve } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { UsageError } from '../../core/errors.ts';
import { createProgress } from '../../core/terminal/progress.ts';
import type { LakeStore } from '../../exports/lake/lake-store.ts';
import type { LakeSummary } from '../../exports/lake/write-lake.ts';
import { requireNoServer } from '../commands/no-server.ts';
import type { ServiceContext } from '../service-context.ts';
import { lakeTableNames } from './lake-table-names.ts';

interface LakeOptions {
  out: string;
  market?: string[];
  tables?: string[];
  from?: string;
  to?: string;
  openDay?: true;
  prune?: true;
  adopt?: true;
  json?: true;
}

export function lakeCommand(context: ServiceContext): Command {
  return new Command('lake')
    .description(
      'write books, prices, statistics and bills as Parquet for DuckDB, ClickHouse, Spark or Trino',
    )
    .requiredOption('--out <place>', 'folder, or s3://bucket/folder; a later run adds what is new')
    .option('--market <name...>', 'markets to write (default: all in the database)')
    .addOption(
      new Option('--tables <name...>', 'tables to write (default: all)').choices([...lakeTableNames]),
    )
    .option('--from <date>', 'first UTC day, like 2026-07-01 (default: the first of the database)', readDay)
    .option('--to <date>', 'UTC day after the last (default: today, which is not over)', readDay)
    .option('--open-day', 'write today too; the next run replaces it')
    .option('--prune', 'remove days that the database no longer has')
    .option('--adopt', 'continue a lake that another database began')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  offerbook lake --out lake --from 2026-01-01')
    .action(async (options: LakeOptions) => {
      requireNoServer(context.config());
      const { from = null, to = null } = options;
      if (from !== null && to !== null && from >= to) {
        throw new UsageError(`--from ${from} is not before --to ${to}.`);
      }
      const summary = await write(context, options, { from, to });
      context.print(options.json ? JSON.stringify(summary) : inWords(summary));
    });
}

async function write(
  context: ServiceContext,
  options: LakeOptions,
  range: { from: string | null; to: string | null },
): Promise<LakeSummary> {
  const { version, signal } = context;
  const store = await openStore(context, options.out);
  return await context.withRuntime(async ({ sql, now }) => {
    const { runLake } = await import('./run-lake.ts');
    const { lakeTables } = await import('./lake-tables.ts');
    const progress = createProgress(context, 'tables of days');
    try {
      return await runLake(sql, store, {
        ...range,
        markets: options.market ?? null,
        tables: lakeTables.filter(({ name }) => options.tables?.includes(name) ?? true),
        withOpen: options.openDay === true,
        prune: options.prune === true,
        adopt: options.adopt === true,
        version,
        now: now(),
        onProgress: progress.update,
        signal,
      });
    } finally {
      progress.stop();
    }
  });
}

async function openStore(context: ServiceContext, out: string): Promise<LakeStore> {
  if (out.startsWith('s3://')) {
    const { openS3Store } = await import('../../exports/lake/s3-store.ts');
    return await openS3Store(out, context.config().s3, { signal: context.signal });
  }
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(out)) {
    throw new UsageError(`--out ${out}: expected a folder or s3://bucket/folder.`);
  }
  const { openLocalStore } = await import('../../exports/lake/local-store.ts');
  return await openLocalStore(resolve(out));
}

function readDay(value: string): string {
  const at = new Date(`${value}T00:00:00Z`);
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(at.getTime());
  if (isDay && at.toISOString().startsWith(value)) return value;
  throw new InvalidArgumentError('expected a day that the calendar has, like 2026-07-20.');
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

function inWords({ place, written, removed, cleared, unchanged, keptDays, total }: LakeSummary): string {
  const parts = [
    written.files === 0
      ? 'nothing new'
      : `${written.files} files written (${written.rows} rows, ${megabytes(written.bytes)})`,
    `${unchanged} unchanged`,
    ...(removed > 0 ? [`${removed} old files removed`] : []),
    ...(cleared > 0 ? [`${cleared} files of an interrupted run cleared away`] : []),
    ...(keptDays > 0 ? [`${keptDays} days kept that the database no longer has (--prune removes them)`] : []),
  ];
  return `${place}: ${parts.join(', ')}. It holds ${total.files} files, ${total.rows} rows, ${megabytes(total.bytes)}.`;
}
