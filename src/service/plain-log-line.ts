import { escapeLine } from '../core/control-characters.ts';

/** Of the process and for machines: a person at the terminal of the service knows them, or asks the JSON for them. */
const omitted = new Set(['level', 'time', 'msg', 'err', 'traceId', 'pid', 'version', 'role', 'database']);
const levelNames: Record<number, string> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'fatal',
};
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const maxFields = 6;
const maxValueLength = 200;

/**
 * Returns a line of the JSON log as a person reads it: time, level, message, why it failed and the first fields that have
 * a plain value, `12:04:05 info  book stored type=bid offers=1500`. What is no such line is returned as it is.
 *
 * @param timeZone of the time. @default that of the machine
 */
export function plainLogLine(json: string, timeZone?: string): string {
  const line = parseLine(json);
  if (line === null) return json;
  const { level, time, msg, err, ...fields } = line;
  const clock = new Date(time).toLocaleTimeString('en-GB', timeZone === undefined ? {} : { timeZone });
  const reason = err?.message === undefined || err.message === '' ? '' : `: ${err.message}`;
  const shown = Object.entries(fields).filter(([name, value]) => !omitted.has(name) && isPlain(value));
  const words = shown.slice(0, maxFields).map(([name, value]) => `${name}=${wordOf(value)}`);
  const text = [clock, (levelNames[level] ?? String(level)).padEnd(5), `${msg ?? ''}${reason}`, ...words];
  return `${escapeLine(text.join(' ').trimEnd())}\n`;
}

interface LogLine {
  level: number;
  time: string;
  msg?: string;
  err?: { message?: string };
  [field: string]: unknown;
}

function parseLine(json: string): LogLine | null {
  try {
    const line = JSON.parse(json) as LogLine | null;
    return typeof line?.level === 'number' && typeof line.time === 'string' ? line : null;
  } catch {
    return null;
  }
}

const isPlain = (value: unknown): boolean =>
  ['string', 'number', 'boolean'].includes(typeof value) && !uuid.test(String(value));

function wordOf(value: unknown): string {
  const text = String(value);
  const short = text.length > maxValueLength ? `${text.slice(0, maxValueLength)}…` : text;
  return /^[^\s"=]+$/.test(short) ? short : JSON.stringify(short);
}
