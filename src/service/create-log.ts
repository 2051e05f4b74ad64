import { pino } from 'pino';
import { escapeForTerminal } from '../core/control-characters.ts';
import type { Log } from '../core/log.ts';
import { currentTraceId } from '../core/trace.ts';
import { plainLogLine } from './plain-log-line.ts';

/**
 * Returns a log of JSON lines on stderr without control characters, because stdout belongs to a command's output. Keys
 * and tokens are cut out, and a line that was written for a request or its jobs has their trace id. `write` takes the
 * lines. @default stderr, where a terminal gets short plain lines instead
 */
export function createLog(level: string, write: (line: string) => void = toStderr()): Log {
  const redact = { paths: ['token', 'apiKey', 'authorization', '*.token', '*.apiKey', '*.authorization'] };
  const mixin = (): object => {
    const traceId = currentTraceId();
    return traceId === null ? {} : { traceId };
  };
  const out = { write: (line: string) => write(escapeForTerminal(line)) };
  return pino({ level, redact, mixin, base: null, timestamp: pino.stdTimeFunctions.isoTime }, out);
}

/** Not by pino's own stream, which tries for ever, also at the exit, to write to a closed terminal or a full disk. */
function toStderr(): (line: string) => void {
  const { stderr } = process;
  return (line) => void stderr.write(stderr.isTTY ? plainLogLine(line) : line);
}
