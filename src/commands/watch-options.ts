import { type Command, InvalidArgumentError, Option } from 'commander';
import { filterParams, seriesParams } from '../api/query.ts';
import { rankingFigures } from '../domain/metric.ts';
import { watchDefaults } from '../domain/watch.ts';

type Values = Record<string, string | string[]>;

/** What the options of `watch` give. */
export interface WatchOptions {
  name?: string;
  market?: string;
  filter?: Values;
  clear?: string[];
  profile?: Values;
  rankBy?: string;
  top?: string;
  cron?: string;
  timeZone?: string;
  json?: true;
}

/** Adds the options of a watch's fields beside its name. */
export function addWatchOptions(command: Command, filterMeaning: string): Command {
  return command
    .option('--filter <name=value...>', filterMeaning, collectValue)
    .option(
      '--profile <name=value...>',
      'the job that all-in prices are of: storageGb, downGb, …',
      collectValue,
    )
    .addOption(new Option('--rank-by <figure>', `default: ${watchDefaults.rankBy}`).choices(rankingFigures))
    .option('--top <offers>', `offers in a report; default: ${watchDefaults.top}`)
    .option('--cron <expression>', `when it gets its own book; default: ${watchDefaults.cron}`)
    .option('--time-zone <zone>', 'whose clocks that goes by; default: TZ')
    .option('--json', 'answer in JSON');
}

/** The body that the API would get, filters apart; texts are told from numbers there. */
export function bodyOf({ name, profile, rankBy, top, cron, timeZone }: WatchOptions): object {
  return {
    name,
    profile,
    rankBy,
    top: top === undefined ? undefined : Number(top),
    schedule: { cron, timeZone },
  };
}

/** The option that takes filters away. */
export const clearOption = (): Option =>
  new Option('--clear <filter...>', 'filters to take away').choices(
    Object.keys({ ...seriesParams, ...filterParams }),
  );

/** `name=value` beside those before it; a name that comes again gets a list. */
function collectValue(text: string, before: Values = {}): Values {
  const equals = text.indexOf('=');
  if (equals < 1) throw new InvalidArgumentError('expected name=value.');
  const [name, value] = [text.slice(0, equals), text.slice(equals + 1)];
  return { ...before, [name]: name in before ? [before[name] ?? '', value].flat() : value };
}
