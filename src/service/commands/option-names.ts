import type { Command } from 'commander';
import { closestOf } from '../../core/did-you-mean.ts';
import { suggestCommand, suggestOption } from './other-names.ts';

/** Names of the API that differ from the option or argument that a command takes for them. */
const synonyms: Readonly<Record<string, string>> = {
  amountUsd: 'usd',
  bidUsdPerHour: 'bid',
  by: 'metric',
  channelIds: 'channel',
  diskGb: 'disk',
  maxUsdPerHour: 'max',
  monthlyUsd: 'usd',
  offerId: 'offer',
  'reportSchedule.cron': 'reportCron',
  'reportSchedule.timeZone': 'reportTimeZone',
  'schedule.cron': 'cron',
  'schedule.timeZone': 'timeZone',
  sizeGb: 'gb',
  volumeOfferId: 'offer',
  watchId: 'watch',
};

/** Returns an error of the API with its parameters as the user typed them: `--gpu-name` for `gpuName`, `<usd>` for `monthlyUsd`. */
export function withOptionNames(message: string, command: Command | null): string {
  if (command === null) return message;
  const { options, registeredArguments } = command;
  return message.replace(/`([\w.]+)`/g, (quoted, name: string) => {
    for (const wanted of [name, synonyms[name]]) {
      const option = options.find((each) => each.attributeName() === wanted);
      if (option?.long !== undefined && option.long !== null) return option.long;
      if (registeredArguments.some((each) => each.name() === wanted)) return `<${wanted}>`;
    }
    return quoted;
  });
}

/** Returns an error of the command line parser in our words: what is wrong, with the name that was probably meant. */
export function plainUsageError(text: string, command: Command): string {
  const plain = text
    .trim()
    .replace(/^error: /, '')
    .replace(
      /^option '(?:-\w, )?(--[\w-]+).*?' argument '(.*)' is invalid\. /s,
      'invalid value "$2" for $1. ',
    )
    .replace(
      /^command-argument value '(.*)' is invalid for argument '(.*?)'\. /s,
      'invalid value "$1" for <$2>. ',
    )
    .replace(/^required option '(.*)' not specified/, 'missing option $1')
    .replace(/^missing required argument '(.*)'/, 'missing argument <$1>')
    .replace(
      /^too many arguments for '(.*?)'\. Expected (\d+) .* but got \d+: (.*)\.$/,
      (_, name, count, given) => excessWords({ name, count: Number(count), given }, command),
    )
    .replace('Allowed choices are', 'Choose one of')
    .replace(/\n\((Did you mean .*\?)\)$/, '. $1')
    .replace(/^(unknown (option|command) '(-*[\w-]+).*?')(\. Did .*)?$/, (all, wrong, what, typed) => {
      const meant = what === 'option' ? suggestOption(typed, command) : suggestCommand(typed, command);
      return meant === null ? all : `${wrong}. ${meant}`;
    });
  const sentence = `${plain.slice(0, 1).toUpperCase()}${plain.slice(1)}`;
  return /[.?!]$/.test(sentence) ? sentence : `${sentence}.`;
}

interface Excess {
  name: string;
  count: number;
  given: string;
}

/** Describes arguments that a command does not take; after a group with a default command, they may mean another one. */
function excessWords({ name, count, given }: Excess, command: Command): string {
  const takes = count === 0 ? 'no arguments' : count === 1 ? 'one argument' : `${count} arguments`;
  const [first = ''] = given.split(', ');
  const siblings = command.parent?.commands.map((each) => each.name()) ?? [];
  const close = closestOf(first, siblings);
  const meant =
    command.parent?.parent == null
      ? null
      : (suggestCommand(first, command.parent) ?? (close === null ? null : `Did you mean ${close}?`));
  return meant === null
    ? `\`${name}\` takes ${takes}, but got: ${given}.`
    : `unknown command '${first}'. ${meant}`;
}
