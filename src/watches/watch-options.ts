import { type Command, InvalidArgumentError, Option } from 'commander';
import { filterParams, seriesParams } from '../core/http/query.ts';
import { rankingMetrics } from '../core/metric.ts';
import { filterNames } from '../core/offer-fields.ts';
import type { Api } from '../core/terminal/api.ts';
import { findChannels } from '../core/terminal/find-by-name.ts';
import { watchDefaults } from './watch.ts';

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
  /** Names or ids; false: none. */
  channel?: string[] | false;
  reportCron?: string;
  reportTimeZone?: string;
  /** false: it goes out when it is asked for alone. */
  report?: boolean;
  json?: true;
}

/** Adds the options of a watch's fields beside its name. */
export function addWatchOptions(command: Command, filterMeaning: string): Command {
  return command
    .option('--filter <name=value...>', `${filterMeaning}; ${filterNames.join(', ')}`, collectValue)
    .option(
      '--profile <name=value...>',
      'the job that all-in prices are of: storageGb, downGb, …',
      collectValue,
    )
    .addOption(new Option('--rank-by <figure>', `default: ${watchDefaults.rankBy}`).choices(rankingMetrics))
    .option('--top <offers>', `offers in a report; default: ${watchDefaults.top}`)
    .option('--cron <expression>', `when it gets its own book; default: ${watchDefaults.cron}`)
    .option('--time-zone <zone>', 'whose clocks that goes by; default: TZ')
    .option(
      '--channel <channel...>',
      'names or ids of where its reports and alerts go, in place of those before',
    )
    .option('--no-channel', 'its reports and alerts go nowhere')
    .option('--report-cron <expression>', 'when its report goes to the channels; see also --cron')
    .option('--report-time-zone <zone>', 'whose clocks that goes by; default: those of --time-zone')
    .option('--no-report', 'its report goes out when it is asked for alone')
    .option('--json', 'answer in JSON');
}

/** The body for the API, filters apart; texts are told from numbers there. */
export async function bodyOf(api: Api, given: WatchOptions): Promise<object> {
  const { name, profile, rankBy, top, cron, timeZone, channel, report, reportCron, reportTimeZone } = given;
  const channelIds = await findChannels(api, channel || []);
  const isScheduled = reportCron !== undefined || reportTimeZone !== undefined;
  return {
    ...{ name, profile, rankBy, top: top === undefined ? undefined : Number(top) },
    schedule: { cron, timeZone },
    channelIds: channel === undefined ? undefined : channelIds,
    reportSchedule:
      report === false ? null : isScheduled ? { cron: reportCron, timeZone: reportTimeZone } : undefined,
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
