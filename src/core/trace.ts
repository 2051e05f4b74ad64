import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';

const traces = new AsyncLocalStorage<string | null>();

/** Returns the trace id of the request or job that the caller works for; null: it works for none. */
export const currentTraceId = (): string | null => traces.getStore() ?? null;

/** Runs `work` and all that it begins under a trace id; null: under none. */
export const runTraced = <T>(traceId: string | null, work: () => T): T => traces.run(traceId, work);

/** Returns a new trace id, as W3C Trace Context writes them: 32 hexadecimal digits. */
export const newTraceId = (): string => randomBytes(16).toString('hex');

const traceparent = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-|$)/;
const requestId = /^[\w.:-]{1,128}$/;

/**
 * Returns the trace id that a request brings: that of its `traceparent`, else its `X-Request-Id`. null: it brings none
 * that is well formed.
 */
export function readTraceId(header: (name: string) => string | undefined): string | null {
  const [, traced] = traceparent.exec(header('traceparent') ?? '') ?? [];
  if (traced !== undefined) return traced;
  const named = header('x-request-id') ?? '';
  return requestId.test(named) ? named : null;
}
