import { Command } from 'commander';
import { z } from 'zod';
import type { Api, BodyOf } from '../core/terminal/api.ts';
import type { CommandContext } from '../core/terminal/command-context.ts';
import { findByName, readAll } from '../core/terminal/find-by-name.ts';
import { marketOption } from '../core/terminal/market-option.ts';
import { formatFacts, formatTable } from '../core/terminal/table.ts';
import { addWatchOptions, bodyOf, clearOption, type WatchOptions } from './watch-options.ts';
import type { WatchAnswer } from './watches.routes.ts';

/** Options of a watch with its markets. */
type Several = Omit<WatchOptions, 'market'> & { market?: string[] };

export function watchCommand(context: CommandContext): Command {
  const command = new Command('watch')
    .description('manage watches: filters with a crawl schedule, reports and rules of their own')
    .addHelpText(
      'after',
      '\nExample:\n  offerbook watch add --name cards --filter gpuName="RTX 4090" --cron "*/30 * * * *"',
    );
  for (const make of [addOne, listAll, showOne, editOne, removeOne]) command.addCommand(make(context));
  return command;
}

function addOne(context: CommandContext): Command {
  const command = new Command('add')
    .description('add a watch')
    .requiredOption('--name <name>', 'name')
    .option('--market <name...>', 'markets to watch (default: the configured one)');
  return addWatchOptions(
    command,
    'only offers that match, for example country=DE; repeat a name to allow several values',
  )
    .addHelpText(
      'after',
      '\nExample:\n  offerbook watch add --name "two cards" --filter gpuName="RTX 4090" gpuName="RTX 5090" ' +
        'numGpus=2 minReliability=0.98 --cron "*/30 * * * *"',
    )
    .action(async ({ market, json, ...given }: Several) => {
      await context.withApi(async (api) => {
        const body = { ...(await bodyOf(api, given)), market, filters: given.filter };
        const watch = await api.createWatch({ body: body as BodyOf<'createWatch'> });
        context.print(json ? JSON.stringify(watch) : await describe(api, watch));
      });
    });
}

function listAll(context: CommandContext): Command {
  return new Command('list')
    .description('list watches')
    .addOption(marketOption())
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  offerbook watch list')
    .action(async ({ market, json }: Several) => {
      await context.withApi(async (api) => {
        const watches = await readAll((page) => api.listWatches({ market, ...page }));
        const isPlural = (market?.length ?? 0) > 1 || watches.some(({ markets }) => markets.length > 1);
        const rows = watches.map(({ id, name, markets, filters, schedule }) => [
          ...[id, name, ...(isPlural ? [markets.join(', ')] : [])],
          ...[filters.gpuName?.join(', ') ?? 'all models', scheduleWords({ filters, schedule })],
        ]);
        const head = ['Id', 'Name', ...(isPlural ? ['Markets'] : []), 'Models', 'Crawl schedule'];
        const table =
          rows.length === 0 ? 'No watches yet: `offerbook watch add` adds one.' : formatTable(head, rows);
        context.print(json ? JSON.stringify({ watches }) : table);
      });
    });
}

function showOne(context: CommandContext): Command {
  return new Command('show')
    .description('show a watch')
    .argument('<watch>', 'name or id')
    .option('--market <name>', 'market in which to look the name up (default: the configured one)')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  offerbook watch show "two cards"')
    .action(async (which: string, { market, json }: WatchOptions) => {
      await context.withApi(async (api) => {
        const watch = await watchNamed(api, which, market);
        context.print(json ? JSON.stringify(watch) : await describe(api, watch));
      });
    });
}

function editOne(context: CommandContext): Command {
  const command = new Command('edit')
    .description('change the given fields of a watch')
    .argument('<watch>', 'name or id')
    .option('--name <name>', 'new name')
    .option(
      '--market <name...>',
      'markets to watch from now on, in which the name is looked up first (default: as before)',
    )
    .addOption(clearOption());
  return addWatchOptions(command, 'replace the conditions on the same field')
    .addHelpText(
      'after',
      '\nExample:\n  offerbook watch edit "two cards" --filter maxUsdPerHour=0.6 --clear minReliability',
    )
    .action(async (which: string, { market, json, ...given }: Several) => {
      await context.withApi(async (api) => {
        const stored = await watchToEdit(api, which, market);
        const { filter, clear = [] } = given;
        const kept = Object.entries(stored.filters).filter(([name]) => !clear.includes(name));
        const filters =
          filter === undefined && clear.length === 0 ? undefined : { ...Object.fromEntries(kept), ...filter };
        const body = { ...(await bodyOf(api, given)), market, filters };
        const watch = await api.updateWatch({ id: stored.id, body });
        context.print(json ? JSON.stringify(watch) : await describe(api, watch));
      });
    });
}

function removeOne(context: CommandContext): Command {
  return new Command('remove')
    .alias('delete')
    .description('delete a watch; its books are kept')
    .argument('<watch>', 'name or id')
    .option('--market <name>', 'market in which to look the name up (default: the configured one)')
    .addHelpText('after', '\nExample:\n  offerbook watch remove "two cards"')
    .action(async (which: string, { market }: WatchOptions) => {
      await context.withApi(async (api) => {
        const { id, name } = await watchNamed(api, which, market);
        await api.deleteWatch({ id });
        context.print(`Deleted the watch ${name}.`);
      });
    });
}

/** Returns when the offers of a watch are crawled: a watch without models reads the books of the whole market. */
const scheduleWords = ({ filters, schedule }: Pick<WatchAnswer, 'filters' | 'schedule'>): string =>
  filters.gpuName === undefined ? 'with every book of the market' : `${schedule.cron} ${schedule.timeZone}`;

async function watchNamed(api: Api, which: string, market: string | undefined): Promise<WatchAnswer> {
  if (z.uuid().safeParse(which).success) return await api.getWatch({ id: which });
  return await findByName('watch', which, (page) =>
    api.listWatches({ market: market === undefined ? undefined : [market], ...page }),
  );
}

/** Returns a watch of one of the markets to follow, or of the configured one. */
async function watchToEdit(api: Api, which: string, markets: string[] = []): Promise<WatchAnswer> {
  for (const market of markets) {
    const found = await readAll((page) => api.listWatches({ market: [market], ...page }));
    const watch = found.find(({ id, name }) => id === which || name === which);
    if (watch !== undefined) return watch;
  }
  return await watchNamed(api, which, undefined);
}

async function describe(api: Api, watch: WatchAnswer): Promise<string> {
  const { id, markets, name, filters, profile, rankBy, top, schedule, channelIds, reportSchedule } = watch;
  const channels = channelIds.length === 0 ? [] : await readAll(api.listChannels);
  const names = new Map(channels.map((channel) => [channel.id, channel.name]));
  const text = (values: object): string =>
    Object.entries(values)
      .map(([key, value]) => `${key}=${String(value)}`)
      .join(' ');
  const rows = [
    ['Id', id],
    [markets.length === 1 ? 'Market' : 'Markets', markets.join(', ')],
    ['Name', name],
    ['Filters', text(filters)],
    ['Usage profile', text(profile)],
    ['Ranked by', rankBy],
    ['Offers in a report', String(top)],
    ['Crawl schedule', scheduleWords({ filters, schedule })],
    ['Channels', channelIds.map((each) => names.get(each) ?? each).join(', ')],
    ['Report', reportSchedule === null ? 'on request' : `${reportSchedule.cron} ${reportSchedule.timeZone}`],
  ] as const;
  return formatFacts(rows);
}
