import { readFileSync } from 'node:fs';
import { Command, InvalidArgumentError, Option } from 'commander';
import { UserError } from '../../core/errors.ts';
import { type CommandContext, exitCodes } from '../../core/terminal/command-context.ts';
import { readAll } from '../../core/terminal/find-by-name.ts';
import { formatTable } from '../../core/terminal/table.ts';
import { minuteWords } from '../../core/time-words.ts';
import { deliveryStates } from './channel.ts';
import { channelKinds } from './kinds/registry.ts';
import { missingOf } from './missing-of.ts';
import { noteUnsent } from './note-unsent.ts';
import { replayCommand } from './replay-command.ts';
import { withChannel } from './with-channel.ts';

type Values = Record<string, unknown>;

export function channelCommand(context: CommandContext): Command {
  const command = new Command('channel')
    .description('manage the channels for alerts and reports')
    .addHelpText('after', '\nExample:\n  offerbook channel list');
  for (const make of [addOne, listAll, testOne, removeOne, listSent, sendAgain])
    command.addCommand(make(context));
  return command.addCommand(replayCommand(context));
}

function addOne(context: CommandContext): Command {
  return new Command('add')
    .description('add a channel')
    .addOption(new Option('--kind <kind>', 'kind of channel').choices(channelKinds).makeOptionMandatory())
    .option('--name <name>', 'name (default: the kind)')
    .option(
      '--config <name=value...>',
      'settings of the kind, for example to=ada@example.com; repeat a name for a list',
      collect,
    )
    .option('--secret-file <file>', 'file with its token, signing key or address; - reads stdin')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  offerbook channel add --kind email --name me --config to=ada@example.com',
    )
    .action(
      async ({
        kind,
        name,
        config,
        secretFile,
        json,
      }: {
        kind: string;
        name?: string;
        config?: Values;
        secretFile?: string;
        json?: true;
      }) => {
        const secret = secretFile === undefined ? undefined : readSecret(secretFile);
        await context.withApi(async (api) => {
          const made = await api.createChannel({ body: { kind, name, config, secret } });
          context.print(json === true ? JSON.stringify(made) : `${made.id}  ${made.name}`);
          const missing = await missingOf(context, api, kind);
          if (missing !== null) context.note(missing);
          if (made.madeSecret !== null && json !== true) {
            context.print(`Its signing key, shown this once: ${made.madeSecret}`);
          }
        });
      },
    );
}

function listAll(context: CommandContext): Command {
  return new Command('list')
    .description('list channels, without their secrets')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  offerbook channel list')
    .action(async ({ json }: { json?: true }) => {
      await context.withApi(async (api) => {
        const channels = await readAll(api.listChannels);
        const rows = channels.map(({ id, kind, name, config, secretSet, offReason }) => [
          id,
          kind,
          name,
          JSON.stringify(config),
          secretSet ? 'yes' : 'no',
          offReason === null ? 'on' : `off: ${offReason}`,
        ]);
        const table =
          rows.length === 0
            ? 'No channels yet: `offerbook channel add` adds one.'
            : formatTable(['Id', 'Kind', 'Name', 'Config', 'Secret set', 'State'], rows);
        context.print(json === true ? JSON.stringify({ channels }) : table);
      });
    });
}

function testOne(context: CommandContext): Command {
  return new Command('test')
    .description('send a test message')
    .argument('<channel>', 'name or id')
    .addHelpText('after', '\nExample:\n  offerbook channel test me')
    .action(async (which: string) => {
      await withChannel(context, which, async (api, { id, name, kind }) => {
        const { problem } = await api.testChannel({ id });
        if (problem === null) return context.print(`${name} accepted the test message.`);
        const reason = (await missingOf(context, api, kind)) ?? problem;
        context.print(`It did not arrive: ${reason.replace(/\.$/, '')}.`);
        context.exitWith(exitCodes.failed);
      });
    });
}

function removeOne(context: CommandContext): Command {
  return new Command('remove')
    .alias('delete')
    .description('delete a channel and its deliveries')
    .argument('<channel>', 'name or id')
    .addHelpText('after', '\nExample:\n  offerbook channel remove me')
    .action(async (which: string) => {
      await withChannel(context, which, async (api, { id, name }) => {
        await api.deleteChannel({ id });
        context.print(`Deleted the channel ${name}.`);
      });
    });
}

function listSent(context: CommandContext): Command {
  return new Command('deliveries')
    .description('list deliveries, newest first')
    .addOption(new Option('--state <state>', 'only deliveries in this state').choices(deliveryStates))
    .option('--limit <deliveries>', 'maximum number (default: 50)')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  offerbook channel deliveries --state failed')
    .action(async ({ state, limit, json }: { state?: string; limit?: string; json?: true }) => {
      await context.withApi(async (api) => {
        const { items } = await api.listDeliveries({ state, limit: limit ?? '50' });
        const rows = items.map(
          ({ id, createdAt, replayedAt, channelName, state: is, attempts, title, problem }) => [
            id,
            minuteWords(createdAt),
            replayedAt === null ? '' : minuteWords(replayedAt),
            channelName,
            is,
            attempts,
            title,
            problem ?? '',
          ],
        );
        const head = ['Id', 'Created', 'Replayed', 'Channel', 'State', 'Attempts', 'Title', 'Problem'];
        const table = rows.length === 0 ? 'No deliveries.' : formatTable(head, rows);
        context.print(json === true ? JSON.stringify({ deliveries: items }) : table);
      });
    });
}

function sendAgain(context: CommandContext): Command {
  return new Command('resend')
    .description('send a finished delivery again')
    .argument('<delivery>', 'id, as `channel deliveries` shows it')
    .addHelpText('after', '\nExample:\n  offerbook channel resend 0199c0de-0000-7000-8000-000000000000')
    .action(async (id: string) => {
      await context.withApi(async (api) => {
        const delivery = await api.resendDelivery({ id });
        context.print('It is queued at the end of its channel.');
        await noteUnsent(context, api, [delivery]);
      });
    });
}

function readSecret(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8').trim();
  } catch (cause) {
    throw new UserError(`--secret-file ${file} cannot be read: check the path.`, { cause });
  }
}

/** Adds `name=value` to the values before it; a repeated name becomes a list. */
function collect(text: string, before: Values = {}): Values {
  const equals = text.indexOf('=');
  if (equals < 1) throw new InvalidArgumentError('Expected name=value.');
  const [name, value] = [text.slice(0, equals), text.slice(equals + 1)];
  return { ...before, [name]: name in before ? [before[name], value].flat() : value };
}
