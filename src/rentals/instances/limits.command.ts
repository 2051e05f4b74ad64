import { Command } from 'commander';
import type { CommandContext } from '../../core/terminal/command-context.ts';
import { minuteWords } from '../../core/time-words.ts';
import { actByApi, findInstance } from '../acting-options.ts';
import { addEndOptions, type EndOptions, endsOfOptions } from './end-options.ts';
import type { LedgerInstanceAnswer } from './ledger-answer.ts';

const which = ['<instance>', 'id or label, as `instances` shows it'] as const;

/** `offerbook limits`. */
export function limitsCommand(context: CommandContext): Command {
  const command = new Command('limits')
    .description('show or change what ends an instance: hours, a moment, idle minutes, dollars')
    .argument(...which);
  return addEndOptions(command, { removes: true })
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  offerbook limits train --idle-minutes 30 --max-usd 12 --end-action destroy',
    )
    .action(async (name: string, { json, ...options }: EndOptions & { json?: true }) => {
      await actByApi(context, async (api) => {
        const found = await findInstance(api, name);
        const isChange = Object.keys(options).length > 0;
        const now = isChange
          ? await api.updateInstance({ id: found.instanceId, body: endsOfOptions(options) })
          : found;
        context.print(json ? JSON.stringify(now) : limitLines(now).join('\n'));
      });
    });
}

/** `offerbook extend`. */
export function extendCommand(context: CommandContext): Command {
  return new Command('extend')
    .description(
      'put off the end that an instance was warned of: an hour, its idle minutes or the dollars of an hour',
    )
    .argument(...which)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  offerbook extend train')
    .action(async (name: string, { json }: { json?: true }) => {
      await actByApi(context, async (api) => {
        const { instanceId } = await findInstance(api, name);
        const now = await api.extendInstance({ id: instanceId });
        context.print(json ? JSON.stringify(now) : limitLines(now).join('\n'));
      });
    });
}

/** Returns the limits of an instance in sentences, and the end that comes soon. */
function limitLines(instance: LedgerInstanceAnswer): string[] {
  const { instanceId, maxHours, endsAt, idleMinutes, idlePercent, maxUsd, endAction, warnMinutes } = instance;
  const limits = [
    ...(endsAt === null
      ? []
      : [`at ${minuteWords(endsAt)}${maxHours === null ? '' : `, ${maxHours} hours after the start`}`]),
    ...(idleMinutes === null ? [] : [`after ${idleMinutes} minutes with GPU use under ${idlePercent}%`]),
    ...(maxUsd === null ? [] : [`once it has cost $${maxUsd}`]),
  ];
  if (limits.length === 0) return [`Instance ${instanceId} has no limits.`];
  const done = endAction === 'destroy' ? 'destroyed' : 'stopped';
  const warns = warnMinutes === 0 ? 'without a warning' : `with a warning ${warnMinutes} minutes before`;
  return [`Instance ${instanceId} is ${done} ${limits.join(', or ')}, ${warns}.`, ...endingLines(instance)];
}

/** Returns the warning of an instance; empty if no end comes soon. */
export function endingLines({ instanceId, ending, endAction }: LedgerInstanceAnswer): string[] {
  if (ending === null) return [];
  const done = endAction === 'destroy' ? 'destroyed' : 'stopped';
  return [
    `Instance ${instanceId} will be ${done} about ${minuteWords(ending.at)} (${ending.reading}): \`offerbook extend ${instanceId}\` puts it off.`,
  ];
}
