import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { ApiApp, ApiEnv } from '../../core/http/api-app.ts';
import { problemResponses } from '../../core/http/problem.ts';
import { marketsParam } from '../../core/http/query.ts';
import { csvDialect } from '../../exports/csv.ts';
import { type ExportFormat, exportFormats, mediaTypeOf, writeTable } from '../../exports/formats.ts';
import type { ApiDeps } from '../http/api-deps.ts';
import { exportNames } from './export-names.ts';
import { exportQueries, type OpenedExport, openExportTable } from './export-tables.ts';
import { createScreenTables } from './screen-tables.ts';

const files = exportNames.flatMap((name) => exportFormats.map((format) => `${name}.${format}`));

const bytes = { schema: { type: 'string' as const, format: 'binary' } };

const route = createRoute({
  operationId: 'exportTable',
  method: 'get',
  path: '/api/exports/{file}',
  tags: ['spend'],
  summary:
    'A whole list as a file: spend, sums, comparison with the market, FOCUS, rentals, trends, rankings, offers',
  request: {
    params: z.object({
      file: z.enum(files as [string, ...string[]]).openapi({ param: { name: 'file', in: 'path' } }),
    }),
    query: z.looseObject({ ...exportQueries['spend-summary'].partial().shape, ...marketsParam }).openapi({
      description:
        'Those of spend, with one market; of trends, rankings and offers those of their screens, and `locale`, `timeZone`',
    }),
  },
  responses: {
    200: {
      description: 'The file, complete, streamed',
      headers: {
        'X-Offerbook-As-Of': {
          description: '`asOf` that repeats it',
          schema: { type: 'string', format: 'date-time' },
        },
      },
      content: Object.fromEntries(exportFormats.map((format) => [mediaTypeOf(format), bytes])),
    },
    ...problemResponses(400, 401, 403, 404, 409, 503),
  },
});

/** `/api/exports/…`. */
export function mountExports(app: ApiApp, deps: ApiDeps): void {
  const screens = createScreenTables(deps);
  // Each file is checked with its own parameters, not with those of all.
  app.openAPIRegistry.registerPath(route);
  app.get('/api/exports/:file', async (c, next) => {
    const file = c.req.param('file');
    if (!files.includes(file)) return await next();
    const [name = '', format = ''] = file.split('.') as [string, ExportFormat];
    const opened = await openExportTable(c, deps, screens, name as 'spend', c.req.queries());
    return answerFile(c, deps, opened, { name, format: format as ExportFormat });
  });
}

/** Answers with a table as a streamed file; the query ends if the client goes away. */
function answerFile(
  c: Context<ApiEnv>,
  { log, credentials }: Pick<ApiDeps, 'log' | 'credentials'>,
  { table, fileName, timeZone, locale, asOf }: OpenedExport,
  { name, format }: { name: string; format: ExportFormat },
): Response {
  c.header('Content-Type', mediaTypeOf(format));
  c.header('Content-Disposition', `attachment; filename="${fileName}.${format}"`);
  if (asOf !== null) c.header('X-Offerbook-As-Of', asOf.toISOString());
  // Nobody would read or cancel the file of a HEAD request.
  if (c.req.method === 'HEAD') return c.body(null);
  const gone = new AbortController();
  const pieces = writeTable(table, { format, csv: csvDialect(locale, timeZone), signal: gone.signal });
  let cut: (error: Error) => void = () => {};
  const unwatch = credentials.watch(c.get('credential'), () => {
    const error = new Error('the credential of the request has ended');
    gone.abort(error);
    cut(error);
    pieces.return(undefined).catch(() => {});
  });
  const body = new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        cut = (error) => breakOff(c, controller, error);
      },
      pull: async (controller) => {
        try {
          const next = await pieces.next();
          if (gone.signal.aborted) return;
          if (next.done === true) {
            unwatch();
            controller.close();
          } else controller.enqueue(next.value);
        } catch (error) {
          if (gone.signal.aborted) return;
          unwatch();
          log.error({ err: error, file: `${name}.${format}` }, 'an export broke off');
          breakOff(c, controller, error);
        }
      },
      cancel: async () => {
        unwatch();
        gone.abort(new Error('the client has gone away'));
        await pieces.return(undefined).catch(() => {});
      },
    },
    // Nothing is read before the client takes it.
    { highWaterMark: 0 },
  );
  c.req.raw.signal?.addEventListener('abort', () => gone.abort(new Error('the client has gone away')));
  return c.body(body);
}

/**
 * Ends an incomplete response so that the client notices: it closes the connection. The server would write an error of
 * the stream into the file and crash.
 */
function breakOff(c: Context, controller: ReadableStreamDefaultController, error: unknown): void {
  const { outgoing } = (c.env ?? {}) as { outgoing?: { destroy: () => void } };
  if (outgoing === undefined) controller.error(error);
  else outgoing.destroy();
}
