import { type Command, InvalidArgumentError, Option } from 'commander';
import { rankingMetrics } from '../core/metric.ts';
import { filterNames } from '../core/offer-filter.ts';
import type { Api } from '../core/terminal/api.ts';
import { findChannels } from '../core/terminal/find-by-name.ts';
import { watchDefaults } from './watch.ts';

type Values = Record<string, string | string[]>;

/** Values of the options of `watch`. */
export interface WatchOptions {
  name?: string;
  /** In which to look the name up. */
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
  /** false: sent only on request. */
  report?: boolean;
  json?: true;
}

/** Adds the options of a watch's fields except its name. */
export function addWatchOptions(command: Command, filterMeaning: string): Command {
  return command
    .option('--filter <name=value...>', `${filterMeaning}: ${filterNames.join(', ')}`, collectValue)
    .option(
      '--profile <name=value...>',
      'usage profile for all-in prices: storageGb, downGb, upGb, runningHours, stoppedHours',
      collectValue,
    )
    .addOption(
      new Option('--rank-by <metric>', `metric to rank by (default: ${watchDefaults.rankBy})`).choices(
        rankingMetrics,
      ),
    )
    .option('--top <offers>', `offers in a report (default: ${watchDefaults.top})`)
    .option('--cron <expression>', `crawl schedule (default: ${watchDefaults.cron})`)
    .option('--time-zone <zone>', 'time zone of --cron (default: TZ)')
    .option(
      '--channel <channel...>',
      'names or ids of the channels for its reports and alerts; replaces earlier ones',
    )
    .option('--no-channel', 'send its reports and alerts to no channel')
    .option('--report-cron <expression>', 'schedule of its reports (default: that of --cron)')
    .option('--report-time-zone <zone>', 'time zone of --report-cron (default: that of --time-zone)')
    .option('--no-report', 'send no reports on a schedule')
    .option('--json', 'print JSON');
}

/** Returns the body for the API, without filters; numbers are converted there. */
export async function bodyOf(api: Api, given: WatchOptions): Promise<object> {
  const { name, profile, rankBy, top, cron, timeZone, channel, report, reportCron, reportTimeZone } = given;
  const channelIds = await findChannels(api, channel || []);
  const isScheduled = reportCron !== undefined || reportTimeZone !== undefined;
  return {
    name,
    profile,
    rankBy,
    top: top === undefined ? undefined : Number(top),
    schedule: { cron, timeZone },
    channelIds: channel === undefined ? undefined : channelIds,
    reportSchedule:
      report === false ? null : isScheduled ? { cron: reportCron, timeZone: reportTimeZone } : undefined,
  };
}

/** The option that removes filters. */
export const clearOption = (): Option =>
  new Option('--clear <filter...>', 'filters to remove').choices(['gpuName', 'type', ...filterNames]);

/** Adds `name=value` to the values before it; a repeated name becomes a list. */
function collectValue(text: string, before: Values = {}): Values {
  const equals = text.indexOf('=');
  if (equals < 1) throw new InvalidArgumentError('Expected name=value.');
  const [name, value] = [text.slice(0, equals), text.slice(equals + 1)];
  return { ...before, [name]: name in before ? [before[name] ?? '', value].flat() : value };
}
