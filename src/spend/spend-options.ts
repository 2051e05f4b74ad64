import type { Command } from 'commander';

/** The options of every read of spend, as `addSpendOptions` names them. */
export interface SpendOptions {
  from?: string;
  to?: string;
  timeZone?: string;
  asOf?: string;
  market?: string | string[];
  json?: true;
}

/** Adds the options for a range of spend, and for the market of the account. */
export const addSpendOptions = (command: Command): Command =>
  addRangeOptions(command).option('--market <name>', 'market to read (default: the configured one)');

/** Adds the options for a range of spend. */
export function addRangeOptions(command: Command): Command {
  return command
    .option('--from <date>', 'start, a date or a time, inclusive (default: the previous month)')
    .option('--to <date>', 'end, a date or a time, exclusive (default: the end of this month)')
    .option('--time-zone <zone>', 'time zone of days and months (default: UTC)')
    .option('--as-of <instant>', 'report what was known at this time (default: now)');
}

/** The query of a read of spend. */
export const spendQuery = ({ from, to, timeZone, asOf, market }: SpendOptions) => ({
  from,
  to,
  timeZone,
  asOf,
  market,
});
