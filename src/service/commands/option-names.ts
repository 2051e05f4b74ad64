import type { Command } from 'commander';

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
  sizeGb: 'gb',
  volumeOfferId: 'offer',
  watchId: 'watch',
};

/** Returns an error of the API with its parameters as the user typed them: `--gpu-name` for `gpuName`, `<usd>` for `monthlyUsd`. */
export function withOptionNames(message: string, command: Command | null): string {
  if (command === null) return message;
  const { options, registeredArguments } = command;
  return message.replace(/`(\w+)`/g, (quoted, name: string) => {
    for (const wanted of [name, synonyms[name]]) {
      const option = options.find((each) => each.attributeName() === wanted);
      if (option?.long !== undefined && option.long !== null) return option.long;
      if (registeredArguments.some((each) => each.name() === wanted)) return `<${wanted}>`;
    }
    return quoted;
  });
}

/** Returns an error of the command line parser in our words: what is wrong, with a closest name where there is one. */
export function plainUsageError(text: string): string {
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
    .replace('Allowed choices are', 'Choose one of')
    .replace(/\n\((Did you mean .*\?)\)$/, '. $1');
  const sentence = `${plain.slice(0, 1).toUpperCase()}${plain.slice(1)}`;
  return /[.?!]$/.test(sentence) ? sentence : `${sentence}.`;
}
