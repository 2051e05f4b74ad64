import { createRoute, z } from '@hono/zod-openapi';
import type { ApiApp } from '../../core/http/api-app.ts';
import { ApiProblem, problemResponses } from '../../core/http/problem.ts';
import { requireRole } from '../../core/http/require-role.ts';
import { byId, jsonAnswer, moment, noQuery, wholeList } from '../../core/http/route-parts.ts';
import { dismissFailedJob, type FailedJob, findFailedJob, listFailedJobs } from '../../jobs/jobs.sql.ts';
import type { ApiDeps } from './api-deps.ts';

const maxListed = 200;

const FailedJobSchema = z
  .object({
    id: z.string(),
    queue: z.string().openapi({ description: 'The kind of work: `crawl-on-demand`, `deliver`' }),
    scope: z.string().nullable().openapi({ description: 'For a crawl: the scope of its books' }),
    attempts: z.int(),
    reason: z.string().nullable().openapi({ description: 'Of the last attempt; null: not stored' }),
    failedAt: moment,
  })
  .openapi('FailedJob');

/** An item of `GET /api/failed-jobs`. */
export type FailedJobAnswer = z.infer<typeof FailedJobSchema>;

const tags = ['health'];

const listRoute = createRoute({
  operationId: 'listFailedJobs',
  method: 'get',
  path: '/api/failed-jobs',
  tags,
  summary: 'Failed jobs of the last two weeks, the newest first',
  request: { query: noQuery },
  responses: {
    200: jsonAnswer(`The newest ${maxListed}`, wholeList(FailedJobSchema, 'FailedJobs')),
    ...problemResponses(400, 401, 403, 503),
  },
});
const retryRoute = createRoute({
  operationId: 'retryFailedJob',
  method: 'post',
  path: '/api/failed-jobs/{id}/retry',
  tags,
  summary: 'Retry a failed job, with all its attempts; needs the role operator',
  request: byId,
  responses: { 204: { description: 'The job is queued' }, ...problemResponses(400, 401, 403, 404, 409, 503) },
});
const dropRoute = createRoute({
  operationId: 'dismissFailedJob',
  method: 'delete',
  path: '/api/failed-jobs/{id}',
  tags,
  summary: 'Dismiss a failed job; needs the role operator',
  request: byId,
  responses: { 204: { description: 'The job is dismissed' }, ...problemResponses(400, 401, 403, 404, 503) },
});

/** `/api/failed-jobs`. */
export function mountFailedJobs(app: ApiApp, { sql, retryJob }: ApiDeps): void {
  app.openapi(listRoute, async (c) => {
    const jobs = await listFailedJobs(sql, maxListed);
    return c.json({ items: jobs.map(present), nextCursor: null }, 200);
  });
  app.openapi(retryRoute, async (c) => {
    requireRole(c, 'operator');
    const job = await findFailedJob(sql, c.req.valid('param').id);
    if (job === null) throw noSuchJob();
    if (retryJob === undefined) {
      throw new ApiProblem(
        409,
        'conflict',
        'Only a running service can retry jobs: send the request to one.',
      );
    }
    await retryJob(job);
    return c.body(null, 204);
  });
  app.openapi(dropRoute, async (c) => {
    requireRole(c, 'operator');
    if (!(await dismissFailedJob(sql, c.req.valid('param').id))) throw noSuchJob();
    return c.body(null, 204);
  });
}

const noSuchJob = (): ApiProblem => new ApiProblem(404, 'not-found', 'No failed job has this id.');

function present({ id, queue, data, attempts, reason, failedAt }: FailedJob): FailedJobAnswer {
  const scope = (data.scope as { name?: unknown } | undefined)?.name;
  return {
    id,
    queue,
    attempts,
    reason,
    scope: typeof scope === 'string' ? scope : null,
    failedAt: failedAt.toISOString(),
  };
}
