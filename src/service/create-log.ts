import { pino } from 'pino';
import { escapeForTerminal } from '../core/control-characters.ts';
import type { Log } from '../core/log.ts';

/**
 * Returns a log of JSON lines on stderr without control characters, because stdout belongs to a command's output. Keys
 * and tokens are cut out.
 */
export function createLog(level: string): Log {
  const redact = { paths: ['token', 'apiKey', 'authorization', '*.token', '*.apiKey', '*.authorization'] };
  const stderr = pino.destination(2);
  const out = { write: (line: string) => void stderr.write(escapeForTerminal(line)) };
  return pino({ level, redact, base: null, timestamp: pino.stdTimeFunctions.isoTime }, out);
}
