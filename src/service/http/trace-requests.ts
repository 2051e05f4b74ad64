import type { Context, MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';
import { createHistogram, type Histogram } from '../../core/histogram.ts';
import { currentTraceId, newTraceId, readTraceId, runTraced } from '../../core/trace.ts';
import { requestHeader } from './request-header.ts';

const secondsBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Returns an empty histogram of request durations, by method, route and status. */
export const createRequestDurations = (): Histogram => createHistogram(secondsBounds);

/**
 * Returns middleware that gives each request a trace id, its own or a new one, and measures how long its response takes.
 * A request that this process sends to itself keeps the trace of what sends it.
 */
export function traceRequests(durations: Histogram): MiddlewareHandler {
  return async (c, next) => {
    const startedAt = performance.now();
    const traceId = readTraceId((name) => requestHeader(c, name)) ?? currentTraceId() ?? newTraceId();
    await runTraced(traceId, next);
    c.res.headers.set('X-Request-Id', traceId);
    const labels = { method: c.req.method, route: routeOf(c), status: String(c.res.status) };
    durations.observe(labels, (performance.now() - startedAt) / 1_000);
  };
}

/** The pattern of the first route with a fixed path; `other` for files of the page and unknown addresses. */
const routeOf = (c: Context): string =>
  matchedRoutes(c).find(({ path }) => !path.endsWith('*'))?.path ?? 'other';
