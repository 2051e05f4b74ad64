import { createRoute, z } from '@hono/zod-openapi';
import type { ApiApp } from '../../core/http/api-app.ts';
import { ApiProblem, problemResponses } from '../../core/http/problem.ts';
import { requireRole } from '../../core/http/require-role.ts';
import { byId, jsonAnswer, moment, noQuery, wholeList } from '../../core/http/route-parts.ts';
import { type DeadLetter, dropDeadLetter, findDeadLetter, listDeadLetters } from '../../jobs/jobs.sql.ts';
import type { ApiDeps } from './api-deps.ts';

const maxListed = 200;

const DeadLetterSchema = z
  .object({
    id: z.string(),
    queue: z.string().openapi({ description: 'What kind of work it was: `crawl-on-demand`, `deliver`' }),
    scope: z.string().nullable().openapi({ description: 'Of a crawl: the books it was to make' }),
    attempts: z.int(),
    reason: z.string().nullable().openapi({ description: 'Of the last attempt; null: not kept' }),
    givenUpAt: moment,
  })
  .openapi('DeadLetter');

/** An item of `GET /api/dead-letters`. */
export type DeadLetterAnswer = z.infer<typeof DeadLetterSchema>;

const tags = ['health'];

const listRoute = createRoute({
  ...{ method: 'get', path: '/api/dead-letters', tags },
  summary: 'Jobs given up after their last attempt in the last two weeks, the newest first',
  request: { query: noQuery },
  responses: {
    200: jsonAnswer(`The newest ${maxListed}`, wholeList(DeadLetterSchema, 'DeadLetters')),
    ...problemResponses(400, 401, 403, 503),
  },
});
const retryRoute = createRoute({
  ...{ method: 'post', path: '/api/dead-letters/{id}/retry', tags },
  summary: 'Queue it again, with all its attempts; needs the role operator',
  request: byId,
  responses: { 204: { description: 'It waits' }, ...problemResponses(400, 401, 403, 404, 409, 503) },
});
const dropRoute = createRoute({
  ...{ method: 'delete', path: '/api/dead-letters/{id}', tags },
  summary: 'Take it off the list; needs the role operator',
  request: byId,
  responses: { 204: { description: 'It is off' }, ...problemResponses(400, 401, 403, 404, 503) },
});

/** `/api/dead-letters`. */
export function mountDeadLetters(app: ApiApp, { sql, retryJob }: ApiDeps): void {
  app.openapi(listRoute, async (c) => {
    const letters = await listDeadLetters(sql, maxListed);
    return c.json({ items: letters.map(present), nextCursor: null }, 200);
  });
  app.openapi(retryRoute, async (c) => {
    requireRole(c, 'operator');
    const letter = await findDeadLetter(sql, c.req.valid('param').id);
    if (letter === null) throw noSuchLetter();
    if (retryJob === undefined) {
      throw new ApiProblem(409, 'conflict', 'Jobs are queued by a running service alone: ask one.');
    }
    await retryJob(letter);
    return c.body(null, 204);
  });
  app.openapi(dropRoute, async (c) => {
    requireRole(c, 'operator');
    if (!(await dropDeadLetter(sql, c.req.valid('param').id))) throw noSuchLetter();
    return c.body(null, 204);
  });
}

const noSuchLetter = (): ApiProblem =>
  new ApiProblem(404, 'not-found', 'No job that was given up has this id.');

function present({ id, queue, data, attempts, reason, givenUpAt }: DeadLetter): DeadLetterAnswer {
  const scope = (data.scope as { name?: unknown } | undefined)?.name;
  return {
    ...{ id, queue, attempts, reason },
    scope: typeof scope === 'string' ? scope : null,
    givenUpAt: givenUpAt.toISOString(),
  };
}
