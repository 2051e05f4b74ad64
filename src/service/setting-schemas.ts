import { z } from 'zod';
import { isCron } from '../jobs/ticks.ts';

/** Any text. */
export const text = z.string();
/** An http or https address. */
export const webAddress = z.url({ protocol: /^https?$/, error: 'expected an http or https address' });
/** The address of a PostgreSQL database. */
export const postgresAddress = z.url({
  protocol: /^postgres(ql)?$/,
  error: 'expected postgres://user:password@host/database',
});
/** A cron expression or `off`. */
export const schedule = z
  .string()
  .refine((value) => value === 'off' || isCron(value), 'expected a cron expression or `off`');

/** Whether a name is that of a time zone. */
export function timeZone(value: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: value });
    return true;
  } catch {
    return false;
  }
}

/** Text that an HTTP header can carry. */
export const headerText = text.regex(
  /^[\x21-\x7e]+$/,
  'expected letters, digits and signs of ASCII without spaces',
);

/** Returns null for a schedule that is off. */
export const unlessOff = (value: string): string | null => (value === 'off' ? null : value);

/** The least grave messages that are logged. */
export const logLevel = z.enum(
  ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
  'expected trace, debug, info, warn, error, fatal or silent',
);
