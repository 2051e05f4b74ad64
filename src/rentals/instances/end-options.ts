import { type Command, Option } from 'commander';
import { above0, from0 } from '../../core/terminal/numbers.ts';
import { parseInstant } from '../../core/terminal/parse-instant.ts';
import type { EndRequest } from './end-limits.ts';

/** The word that removes a limit. */
type None = 'none';

/** The limits in the options of a command. */
export interface EndOptions {
  maxHours?: number | None;
  endsAt?: Date | None;
  idleMinutes?: number | None;
  idlePercent?: number;
  maxUsd?: number | None;
  endAction?: 'stop' | 'destroy';
  warnMinutes?: number;
  cheaperPercent?: number | None;
  cheaperAction?: 'notify' | 'replace';
}

/** Adds the options of limits; with `removes`, the word `none` removes a limit. */
export function addEndOptions(command: Command, { removes = false }: { removes?: boolean } = {}): Command {
  const orNone = <T>(parse: (text: string) => T) =>
    removes ? (text: string): T | None => (text === 'none' ? text : parse(text)) : parse;
  const none = removes ? '; none removes it' : '';
  return command
    .option(
      '--max-hours <hours>',
      `hours from the start of the rental until --end-action${none}`,
      orNone(above0),
    )
    .option('--ends-at <time>', `the moment of the end, in place of --max-hours${none}`, orNone(parseInstant))
    .option(
      '--idle-minutes <minutes>',
      `minutes in which every poll knew the GPU use and saw it low${none}`,
      orNone(above0),
    )
    .option('--idle-percent <percent>', 'with --idle-minutes: low is below this (default: 5)', above0)
    .option('--max-usd <usd>', `dollars that it may cost from the start of the rental${none}`, orNone(above0))
    .addOption(
      new Option('--end-action <action>', 'what to do at a limit (default: stop)').choices([
        'stop',
        'destroy',
      ]),
    )
    .option('--warn-minutes <minutes>', 'how long before an end to warn (default: 15); 0: never', from0)
    .option(
      '--cheaper-percent <percent>',
      `look for equal machines that cost so much less${none}`,
      orNone(above0),
    )
    .addOption(
      new Option('--cheaper-action <action>', 'with one in 2 of 3 books (default: notify)').choices([
        'notify',
        'replace',
      ]),
    );
}

/** Returns the body's fields of the options; null removes a limit. */
export function endsOfOptions(options: EndOptions): EndRequest {
  const { maxHours, endsAt, idleMinutes, idlePercent, maxUsd, endAction, warnMinutes } = options;
  return {
    cheaperPercent: unlessNone(options.cheaperPercent),
    cheaperAction: options.cheaperAction,
    maxHours: unlessNone(maxHours),
    endsAt: endsAt instanceof Date ? endsAt.toISOString() : unlessNone(endsAt),
    idleMinutes: unlessNone(idleMinutes),
    maxUsd: unlessNone(maxUsd),
    idlePercent,
    endAction,
    warnMinutes,
  };
}

const unlessNone = <T>(given: T | None): T | null => (given === 'none' ? null : (given as T));
