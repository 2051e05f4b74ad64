import { pino } from 'pino';
import type { Log } from './domain/log.ts';

/** Lines of JSON on stderr: stdout belongs to what a command answers. Keys and tokens are cut. */
export function createLog(level: string): Log {
  const redact = { paths: ['token', 'apiKey', 'authorization', '*.token', '*.apiKey', '*.authorization'] };
  return pino({ level, redact, base: null, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination(2));
}
