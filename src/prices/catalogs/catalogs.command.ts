import { Command } from 'commander';
import { UsageError, UserError } from '../../core/errors.ts';
import { isStorableLine } from '../../core/storable-text.ts';
import { type CommandContext, exitCodes } from '../../core/terminal/command-context.ts';
import { parseInstant } from '../../core/terminal/parse-instant.ts';
import { formatTable } from '../../core/terminal/table.ts';
import { minuteWords } from '../../core/time-words.ts';
import type { Sql } from '../../database/connection.ts';
import type { CatalogsAnswer } from './catalogs.routes.ts';
import type { ImportedCatalog } from './import-catalog.ts';

/** Dependencies of catalog imports. */
interface CatalogsRuntime {
  sql: Sql;
  now: () => Date;
  config: { webhookAllowPrivate: boolean };
}

/** `offerbook catalogs`. */
export function catalogsCommand(context: CommandContext<CatalogsRuntime>): Command {
  const command = new Command('catalogs').description(
    "import other sellers' list prices, to compare with the market",
  );
  for (const make of [importCatalogs, list, remove]) command.addCommand(make(context));
  return command.addHelpText('after', '\nExample:\n  offerbook catalogs list');
}

interface ImportOptions {
  provider?: string;
  asOf?: Date;
  replace?: true;
  json?: true;
}

function importCatalogs(context: CommandContext<CatalogsRuntime>): Command {
  return new Command('import')
    .description("import price catalogs in SkyPilot's CSV format, plain or gzipped")
    .argument('<source...>', 'files, or addresses of files')
    .option('--provider <name>', 'name of the seller (default: the folder of each file)')
    .option('--as-of <time>', 'time of the prices, with its time zone (default: now)', parseInstant)
    .option('--replace', 'replace a stored catalog of the same time whose prices differ')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  offerbook catalogs import catalogs/lambda/vms.csv --as-of 2026-11-01T00:00:00Z',
    )
    .action(async (sources: string[], options: ImportOptions) => {
      const named = sources.map((source) => ({ source, provider: options.provider ?? folderOf(source) }));
      if (options.provider !== undefined && sources.length > 1)
        throw new UsageError('--provider names the seller of one file: leave it out for several.');
      await context.withRuntime(async (runtime) => await importAll(context, runtime, named, options), {
        begins: true,
      });
    });
}

async function importAll(
  context: CommandContext,
  { sql, now, config }: CatalogsRuntime,
  named: readonly { source: string; provider: string }[],
  {
    asOf = null,
    replace = false,
    json,
  }: Omit<ImportOptions, 'asOf' | 'replace'> & {
    asOf?: Date | null;
    replace?: boolean;
  },
): Promise<void> {
  const { createFetchText } = await import('./fetch-text.ts');
  const { importCatalog } = await import('./import-catalog.ts');
  const fetchText = createFetchText({ allowPrivate: config.webhookAllowPrivate });
  const catalogs: ImportedCatalog[] = [];
  const problems: string[] = [];
  for (const each of named) {
    try {
      const request = { ...each, asOf, replace, signal: context.signal };
      catalogs.push(await importCatalog({ sql, now, fetchText }, request));
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      problems.push(error.message);
    }
  }
  if (json) context.print(JSON.stringify({ catalogs, problems }));
  else if (catalogs.length > 0) context.print(describeImports(catalogs));
  for (const problem of problems) context.note(problem);
  if (problems.length > 0) context.exitWith(exitCodes.failed);
}

function describeImports(catalogs: readonly ImportedCatalog[]): string {
  const rows = catalogs.map(({ provider, asOf, rows: all, prices, changedPrices, leftOut }) => [
    ...[provider, minuteWords(asOf), all, prices, changedPrices, leftOutWords(leftOut)],
  ]);
  return formatTable(['Provider', 'As of', 'Rows', 'Prices', 'Changed', 'Left out'], rows, [2, 3, 4]);
}

const leftOutWords = (leftOut: Record<string, number>): string =>
  Object.entries(leftOut)
    .map(([reason, rows]) => `${rows} ${reason}`)
    .join(', ');

function list(context: CommandContext): Command {
  return new Command('list')
    .description('list the sellers, and the GPU names in their catalogs that match no model')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  offerbook catalogs list')
    .action(async ({ json }: { json?: true }) => {
      await context.withApi(async (api) => {
        const answer = await api.listCatalogs();
        context.print(json ? JSON.stringify(answer) : describeCatalogs(answer));
      });
    });
}

function describeCatalogs({ providers, gpus }: CatalogsAnswer): string {
  if (providers.length === 0) return 'No catalog has been imported yet: `offerbook catalogs import` does.';
  const rows = providers.map(({ provider, asOf, snapshots, rows: all, prices, leftOut }) => [
    ...[provider, minuteWords(asOf), snapshots, all, prices, leftOutWords(leftOut)],
  ]);
  const head = ['Provider', 'As of', 'Snapshots', 'Rows', 'Prices', 'Left out'];
  const other = gpus.filter(({ status }) => status !== 'known');
  const names = other.map(({ name, form, providers: sellers, gpuNames }) => [
    ...[form === null ? name : `${name} (${form})`, sellers.join(', ')],
    gpuNames.length === 0 ? 'unknown: not a model of any market' : `ambiguous: ${gpuNames.join(' or ')}`,
  ]);
  return [
    formatTable(head, rows, [2, 3, 4]),
    `${gpus.length - other.length} of ${gpus.length} GPU names are models of a market.`,
    ...(names.length === 0 ? [] : [formatTable(['Not compared', 'Providers', 'Why'], names)]),
  ].join('\n');
}

function remove(context: CommandContext): Command {
  return new Command('remove')
    .description('delete all list prices of a seller')
    .argument('<provider>', 'name of the seller')
    .addHelpText('after', '\nExample:\n  offerbook catalogs remove lambda')
    .action(async (provider: string) => {
      await context.withApi(async (api) => {
        await api.deleteCatalog({ provider });
        context.print(`All list prices of ${provider} are deleted.`);
      });
    });
}

/** Returns the last folder of a path or address, which names the seller if each has its own folder. */
function folderOf(source: string): string {
  const folder = source.split(/[\\/]/).at(-2) ?? '';
  if (/^[\w-]{1,100}$/.test(folder) && isStorableLine(folder)) return folder;
  throw new UsageError(`The folder of ${source} does not name a seller: give it with --provider.`);
}
