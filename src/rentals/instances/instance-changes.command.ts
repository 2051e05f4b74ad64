import { createInterface } from 'node:readline/promises';
import { Command, Option } from 'commander';
import { escapeLine } from '../../core/control-characters.ts';
import { UserError } from '../../core/errors.ts';
import type { Api, BodyOf } from '../../core/terminal/api.ts';
import { type CommandContext, exitCodes } from '../../core/terminal/command-context.ts';
import { above0 } from '../../core/terminal/numbers.ts';
import { actByApi, dollars, findInstance } from '../acting-options.ts';
import type { LedgerInstanceAnswer } from './ledger-answer.ts';

interface Changed {
  instanceId: number;
  outcome: 'accepted' | 'pending';
  problem: string | null;
  stoppedUsdPerDay: string | null;
}

const which = ['<instance>', 'id or label, as `instances` shows it'] as const;

/** `offerbook stop`. */
export function stopCommand(context: CommandContext): Command {
  return new Command('stop')
    .description('stop an instance; its disk keeps costing money until it is destroyed')
    .argument(...which)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  offerbook stop train')
    .action(async (name: string, { json }: { json?: true }) => {
      await actByApi(context, async (api) => {
        const found = await findInstance(api, name);
        const changed = await api.stopInstance({ id: found.instanceId });
        const cost = `${dollars(changed.stoppedUsdPerDay ?? found.stoppedUsdPerDay)} a day for ${found.diskGb} GB of disk until destroyed`;
        tell(context, changed, json, `Instance ${found.instanceId} is being stopped; then it costs ${cost}.`);
      });
    });
}

/** `offerbook start-instance`. */
export function startInstanceCommand(context: CommandContext): Command {
  return new Command('start-instance')
    .description('start a stopped instance again')
    .argument(...which)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  offerbook start-instance train')
    .action(async (name: string, { json }: { json?: true }) => {
      await actByApi(context, async (api) => {
        const { instanceId, runningUsdPerHour } = await findInstance(api, name);
        const changed = await api.startInstance({ id: instanceId });
        tell(
          context,
          changed,
          json,
          `Instance ${instanceId} starts: ${dollars(runningUsdPerHour)}/hour once it runs.`,
        );
      });
    });
}

interface DestroyOptions {
  yes?: true;
  block?: 'machine' | 'host';
  json?: true;
}

/** `offerbook destroy`. */
export function destroyCommand(context: CommandContext): Command {
  return new Command('destroy')
    .description('destroy an instance and its data; it costs nothing afterwards')
    .argument(...which)
    .option('--yes', 'do not ask for confirmation')
    .addOption(new Option('--block <what>', 'also block its machine or host').choices(['machine', 'host']))
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  offerbook destroy train --yes')
    .action(async (name: string, { yes, block, json }: DestroyOptions) => {
      await actByApi(context, async (api) => {
        const found = await findInstance(api, name);
        if (yes !== true && !(await isConfirmed(context, found))) {
          context.note('Nothing was destroyed: add --yes, or type the id at the prompt.');
          context.exitWith(exitCodes.usage);
          return;
        }
        // Destroys first, because that saves money even if blocking then fails.
        const changed = await api.destroyInstance({ id: found.instanceId });
        tell(
          context,
          changed,
          json,
          `Destroying instance ${found.instanceId}. It is gone once the market no longer lists it.`,
        );
        if (block !== undefined) context.note(await blockPlace(api, found, block));
      });
    });
}

/** Blocks the machine or host of an instance; returns a message. Throws a UserError if it cannot. */
async function blockPlace(
  api: Api,
  { instanceId, machineId, hostId, failedStartAt }: LedgerInstanceAnswer,
  what: 'machine' | 'host',
): Promise<string> {
  const id = what === 'machine' ? machineId : hostId;
  const all = `Instance ${instanceId} is being destroyed, but its ${what} is not blocked`;
  if (id === null) throw new UserError(`${all}: the market does not state its id.`);
  const note = `instance ${instanceId}${failedStartAt === null ? '' : ' failed to start'}`;
  try {
    await api.addBlocklistEntry({ body: { [`${what}Id`]: id, note } });
  } catch (cause) {
    const why = (cause as Error).message;
    throw new UserError(`${all}: ${why} Block ${what} ${id} on the page of one of its offers.`, { cause });
  }
  return `The ${what} ${id} is blocked: rankings, watches and rents leave it out.`;
}

async function isConfirmed(
  { interactive, signal }: CommandContext,
  { instanceId, label, gpuName, numGpus, diskGb }: LedgerInstanceAnswer,
): Promise<boolean> {
  if (!interactive || process.stdin.isTTY !== true) return false;
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const what = `${numGpus} × ${gpuName}${label === null ? '' : `, ${label}`}, ${diskGb} GB of data`;
    const typed = await lines.question(escapeLine(`Type ${instanceId} to destroy it (${what}): `), {
      signal,
    });
    return typed.trim() === String(instanceId);
  } finally {
    lines.close();
  }
}

/** `offerbook bid`. */
export function bidCommand(context: CommandContext): Command {
  return new Command('bid')
    .description('change the bid of an instance')
    .argument(...which)
    .argument('<usd>', 'bid, $/hour for the whole machine', above0)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  offerbook bid train 0.35')
    .action(async (name: string, bidUsdPerHour: number, { json }: { json?: true }) => {
      await change(context, name, { bidUsdPerHour }, json, `bids $${bidUsdPerHour}/hour`);
    });
}

interface LabelOptions {
  label?: string;
  costCenter?: string;
  maxHours?: number;
  endAction?: string;
  json?: true;
}

/** `offerbook label`. */
export function labelCommand(context: CommandContext): Command {
  return new Command('label')
    .description('change the label, cost center or end of an instance')
    .argument(...which)
    .option('--label <text>', "new label; '' removes it")
    .option('--cost-center <text>', "cost center; '' removes it")
    .option('--max-hours <hours>', 'hours from the start of the rental until --end-action', above0)
    .addOption(
      new Option('--end-action <action>', 'what to do after --max-hours (default: stop)').choices([
        'stop',
        'destroy',
      ]),
    )
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  offerbook label train --label train-2 --cost-center research')
    .action(async (name: string, { json, ...changes }: LabelOptions, command: Command) => {
      if (Object.keys(changes).length === 0)
        command.error('error: nothing to change; give --label, --cost-center, --max-hours or --end-action');
      await change(context, name, changes, json, 'is updated');
    });
}

async function change(
  context: CommandContext,
  name: string,
  body: BodyOf<'updateInstance'>,
  json: true | undefined,
  said: string,
): Promise<void> {
  await actByApi(context, async (api) => {
    const { instanceId } = await findInstance(api, name);
    const now = await api.updateInstance({ id: instanceId, body });
    context.print(json ? JSON.stringify(now) : `Instance ${instanceId} ${said}.`);
  });
}

function tell(context: CommandContext, changed: Changed, json: true | undefined, line: string): void {
  const isClear = changed.outcome === 'accepted';
  const unclear = `The market's answer was unclear (${changed.problem}). Offerbook repeats the request until the market's list confirms it.`;
  context.print(json ? JSON.stringify(changed) : isClear ? line : unclear);
  if (!isClear) context.exitWith(exitCodes.partial);
}
