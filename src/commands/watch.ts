import { Command } from 'commander';
import { z } from 'zod';
import { ApiProblem } from '../api/problem.ts';
import { NewWatchSchema, WatchChangeSchema } from '../api/watch-body.ts';
import { addWatch, editWatch, readBody } from '../api/watch-changes.ts';
import { findMarket, type Market } from '../db/markets.ts';
import { deleteWatch, findWatch, findWatchByName, listWatches } from '../db/watches.ts';
import { UserError } from '../domain/errors.ts';
import type { Watch } from '../domain/watch.ts';
import type { Runtime } from '../runtime.ts';
import { type CommandContext, exitCodes } from './context.ts';
import { formatTable } from './table.ts';
import { addWatchOptions, bodyOf, clearOption, type WatchOptions } from './watch-options.ts';

export function watchCommand(context: CommandContext): Command {
  const command = new Command('watch').description('what is kept an eye on, with books of its own');
  for (const make of [addOne, listAll, showOne, editOne, removeOne]) command.addCommand(make(context));
  return command;
}

function addOne(context: CommandContext): Command {
  const command = new Command('add')
    .description('watch something')
    .requiredOption('--name <name>', 'its name')
    .option('--market <name>', 'its market; default: as in reads of the API');
  return addWatchOptions(command, 'keep offers alone of which this holds; repeated: one of the values')
    .addHelpText(
      'after',
      '\nExample:\n  offerbook watch add --name "two cards" --filter gpuName="RTX 4090" gpuName="RTX 5090" ' +
        'numGpus=2 minReliability=0.98 --cron "*/30 * * * *"',
    )
    .action(async ({ market, json, ...given }: WatchOptions, self: Command) => {
      await changing(context, self, async (runtime) => {
        const body = readBody(NewWatchSchema, { ...bodyOf(given), filters: given.filter });
        const { id } = await marketNamed(runtime, market);
        const { sql, now, config } = runtime;
        const { market: _default, ...fields } = body;
        const watch = await addWatch({ sql, now, timeZone: config.timeZone }, id, fields);
        context.print(json ? JSON.stringify(watch) : describe(watch));
      });
    });
}

function listAll(context: CommandContext): Command {
  return new Command('list')
    .description("list a market's watches")
    .option('--market <name>', 'its name; default: as in reads of the API')
    .option('--json', 'answer in JSON')
    .addHelpText('after', '\nExample:\n  offerbook watch list')
    .action(async ({ market, json }: WatchOptions) => {
      await context.withRuntime(async (runtime) => {
        const { id: marketId } = await marketNamed(runtime, market);
        const watches = await listWatches(runtime.sql, { marketId, after: null, limit: null });
        const rows = watches.map(({ id, name, filters, schedule }) => [
          id,
          name,
          filters.gpuName?.join(', ') ?? 'all models',
          `${schedule.cron} ${schedule.timeZone}`,
        ]);
        context.print(
          json ? JSON.stringify({ watches }) : formatTable(['id', 'name', 'models', 'schedule'], rows),
        );
      });
    });
}

function showOne(context: CommandContext): Command {
  return new Command('show')
    .description('show a watch')
    .argument('<watch>', 'its name or its id')
    .option('--market <name>', 'the market that a name is of')
    .option('--json', 'answer in JSON')
    .addHelpText('after', '\nExample:\n  offerbook watch show "two cards"')
    .action(async (which: string, { market, json }: WatchOptions) => {
      await context.withRuntime(async (runtime) => {
        const watch = await watchNamed(runtime, which, market);
        context.print(json ? JSON.stringify(watch) : describe(watch));
      });
    });
}

function editOne(context: CommandContext): Command {
  const command = new Command('edit')
    .description('change what is given of a watch')
    .argument('<watch>', 'its name or its id')
    .option('--name <name>', 'its new name')
    .option('--market <name>', 'the market that a name is of')
    .addOption(clearOption());
  return addWatchOptions(command, 'put this condition in the place of the ones on the same field')
    .addHelpText(
      'after',
      '\nExample:\n  offerbook watch edit "two cards" --filter maxUsdPerHour=0.6 --clear minReliability',
    )
    .action(async (which: string, { market, json, ...given }: WatchOptions, self: Command) => {
      await changing(context, self, async (runtime) => {
        const stored = await watchNamed(runtime, which, market);
        const { filter, clear = [] } = given;
        const kept = Object.entries(stored.filters).filter(([name]) => !clear.includes(name));
        const filters =
          filter === undefined && clear.length === 0 ? undefined : { ...Object.fromEntries(kept), ...filter };
        const body = readBody(WatchChangeSchema, { ...bodyOf(given), filters });
        const watch = await editWatch(runtime, stored.id, body);
        context.print(json ? JSON.stringify(watch) : describe(watch));
      });
    });
}

function removeOne(context: CommandContext): Command {
  return new Command('remove')
    .description('end a watch; its books stay')
    .argument('<watch>', 'its name or its id')
    .option('--market <name>', 'the market that a name is of')
    .addHelpText('after', '\nExample:\n  offerbook watch remove "two cards"')
    .action(async (which: string, { market }: WatchOptions) => {
      await context.withRuntime(async (runtime) => {
        const { id, name } = await watchNamed(runtime, which, market);
        await deleteWatch(runtime.sql, id);
        context.print(`The watch ${name} is removed.`);
      });
    });
}

/** Runs `work` on a runtime; a body that is refused is wrong usage, one line a field. */
async function changing(
  context: CommandContext,
  command: Command,
  work: (runtime: Runtime) => Promise<void>,
): Promise<void> {
  try {
    await context.withRuntime(work);
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error;
    if (error.status !== 400) throw new UserError(error.message, { cause: error });
    const lines = error.errors.map(({ name, detail }) => `${name} ${detail}`);
    command.error(lines.join('\n'), { exitCode: exitCodes.usage, code: 'offerbook.refused' });
  }
}

async function marketNamed({ sql, defaultMarket }: Runtime, name: string | undefined): Promise<Market> {
  if (name === undefined) return await defaultMarket();
  const market = await findMarket(sql, name);
  if (market === null) throw new UserError(`There is no market ${name}.`);
  return market;
}

async function watchNamed(runtime: Runtime, which: string, market: string | undefined): Promise<Watch> {
  const byId = z.uuid().safeParse(which).success ? await findWatch(runtime.sql, which) : null;
  const watch = byId ?? (await findWatchByName(runtime.sql, (await marketNamed(runtime, market)).id, which));
  if (watch === null) throw new UserError(`There is no watch ${which}: \`watch list\` shows them.`);
  return watch;
}

function describe({ id, market, name, filters, profile, rankBy, top, schedule }: Watch): string {
  const text = (values: object): string =>
    Object.entries(values)
      .map(([key, value]) => `${key}=${String(value)}`)
      .join(' ');
  const rows = [
    ['market', market],
    ['name', name],
    ['filters', text(filters)],
    ['profile', text(profile)],
    ['ranked by', rankBy],
    ['top', String(top)],
    ['schedule', `${schedule.cron} ${schedule.timeZone}`],
  ];
  return formatTable(['id', id], rows);
}
