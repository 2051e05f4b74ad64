import { pino } from 'pino';
import { escapeForTerminal } from '../core/control-characters.ts';
import type { Log } from '../core/log.ts';

/**
 * Lines of JSON on stderr, with nothing raw in them that steers a terminal: stdout belongs to what a command answers. Keys
 * and tokens are cut.
 */
export function createLog(level: string): Log {
  const redact = { paths: ['token', 'apiKey', 'authorization', '*.token', '*.apiKey', '*.authorization'] };
  const stderr = pino.destination(2);
  const out = { write: (line: string) => void stderr.write(escapeForTerminal(line)) };
  return pino({ level, redact, base: null, timestamp: pino.stdTimeFunctions.isoTime }, out);
}
