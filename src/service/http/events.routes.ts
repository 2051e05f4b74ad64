import { createRoute, z } from '@hono/zod-openapi';
import { streamSSE } from 'hono/streaming';
import type { ApiApp } from '../../core/http/api-app.ts';
import { badField, problemResponses } from '../../core/http/problem.ts';
import { isDatabaseUnreachable } from '../../database/unreachable.ts';
import { listEvents, listenForEvents, newestEventId } from '../../rentals/events.sql.ts';
import type { ApiDeps } from './api-deps.ts';

const route = createRoute({
  operationId: 'streamEvents',
  method: 'get',
  path: '/api/events',
  tags: ['service'],
  summary: 'Live server-sent events',
  request: {
    query: z.strictObject({
      after: z
        .string()
        .regex(/^\d{1,15}$/, 'must be the id of an event')
        .optional()
        .openapi({ type: 'integer', description: 'Start after this event id, like `Last-Event-ID`' }),
    }),
  },
  responses: {
    200: {
      description:
        'A stream of `book`, `crawl`, `instance`, `rental`, `alert`, `delivery`, `actions` and `order`; `data` is JSON with `at`, `marketId` and the event’s own fields',
      content: { 'text/event-stream': { schema: z.string() } },
    },
    ...problemResponses(400, 401, 403, 503),
  },
});

/** Seconds after which a quiet stream sends a comment, so that proxies keep it open; it also reveals lost notices. */
const quietMs = 15_000;

/** `GET /api/events`. */
export function mountEvents(app: ApiApp, deps: ApiDeps): void {
  const { sql } = deps;
  app.openapi(route, async (c) => {
    const given = c.req.header('last-event-id') ?? c.req.valid('query').after;
    if (given !== undefined && !/^\d{1,15}$/.test(given)) {
      throw badField('Last-Event-ID', 'must be the id of an event');
    }
    let sent = given === undefined ? await newestEventId(sql) : Number(given);
    // Proxies that buffer responses would delay events.
    c.header('X-Accel-Buffering', 'no');
    c.header('Cache-Control', 'no-store');
    return streamSSE(c, async (stream) => {
      let wake: () => void = () => {};
      const closed = { yes: false };
      stream.onAbort(() => {
        closed.yes = true;
        wake();
      });
      let unlisten = async (): Promise<void> => {};
      const unwatch = deps.credentials.watch(c.get('credential'), () => {
        closed.yes = true;
        wake();
      });
      try {
        unlisten = await listenForEvents(sql, () => wake());
        await stream.writeSSE({ event: 'hello', data: '{}', id: String(sent) });
        while (!closed.yes) {
          const woken = new Promise<void>((resolve) => {
            wake = resolve;
          });
          const events = await listEvents(sql, sent);
          for (const { id, kind, at, marketId, data } of events) {
            const text = JSON.stringify({ at: at.toISOString(), marketId, ...data });
            await stream.writeSSE({ event: kind, data: text, id: String(id) });
            sent = id;
          }
          if (events.length > 0) continue;
          const isWoken = await Promise.race([
            woken.then(() => true),
            stream.sleep(quietMs).then(() => false),
          ]);
          if (!isWoken && !closed.yes) await stream.write(': still here\n\n');
        }
      } catch (error) {
        // The reader connects again: it learns then whether the database is back.
        if (!isDatabaseUnreachable(error)) deps.log.error({ err: error }, 'a stream of events ended');
      } finally {
        unwatch();
        await unlisten().catch(() => {});
      }
    }) as never;
  });
}
