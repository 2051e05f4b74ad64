import { createRoute, z } from '@hono/zod-openapi';
import { isTimeZone } from '../../core/calendar-date.ts';
import type { ApiApp } from '../../core/http/api-app.ts';
import { ApiProblem, badField, orNoSuch, problemResponses } from '../../core/http/problem.ts';
import { requireRole } from '../../core/http/require-role.ts';
import { byId, jsonAnswer, jsonBody, moment } from '../../core/http/route-parts.ts';
import { readMomentParam } from '../../core/http/time-range.ts';
import type { WatchesDeps } from '../watches-deps.ts';
import { deliveryDays } from './channel.ts';
import { findChannel } from './channels.sql.ts';
import { channelRegistry } from './kinds/registry.ts';
import { countReplay, replayDeliveries } from './replay.sql.ts';

const RequestSchema = z
  .strictObject({
    day: z.iso.date('must be a date like 2026-07-20').optional().openapi({
      description: 'All deliveries of this day; instead of `from` and `to`',
    }),
    from: z.string().optional().openapi({ description: 'Inclusive: an instant with its zone, or a date' }),
    to: z.string().optional().openapi({ description: 'Exclusive: an instant with its zone, or a date' }),
    timeZone: z
      .string()
      .refine(isTimeZone, 'must be a time zone like Europe/Berlin')
      .default('UTC')
      .openapi({ description: 'Time zone of dates' }),
    dryRun: z.boolean().default(false).openapi({ description: 'Only count' }),
  })
  .openapi('Replay', { example: { day: '2026-07-20', dryRun: true } });

type ReplayBody = z.infer<typeof RequestSchema>;

const AnswerSchema = z
  .object({
    from: moment,
    to: moment,
    dryRun: z.boolean(),
    deliveries: z.int().openapi({ description: 'Written in that time and still stored' }),
    queued: z.int().openapi({ description: 'Sent again; with `dryRun`: that would be' }),
    alreadyQueued: z.int().openapi({ description: 'Left alone: they wait to be sent anyway' }),
    justReplayed: z.int().openapi({ description: 'Left alone: they were sent again in the last minute' }),
    deletedBefore: moment.nullable().openapi({
      description: 'Deliveries that ended before this are no longer stored; null: none of that time',
    }),
  })
  .openapi('ReplayAnswer');

/** The answer of `POST /api/channels/{id}/replay`. */
export type ReplayAnswer = z.infer<typeof AnswerSchema>;

const replayRoute = createRoute({
  operationId: 'replayDeliveries',
  method: 'post',
  path: '/api/channels/{id}/replay',
  tags: ['channels'],
  summary: 'Send the deliveries of a day again, with the same ids; needs the role operator',
  request: { ...byId, body: jsonBody(RequestSchema) },
  responses: {
    202: jsonAnswer('What is sent again', AnswerSchema),
    ...problemResponses(400, 401, 403, 404, 409, 503),
  },
});

const dayMs = 86_400_000;

/** `/api/channels/{id}/replay`. */
export function mountReplay(app: ApiApp, deps: WatchesDeps): void {
  const { sql } = deps;
  app.openapi(replayRoute, async (c) => {
    requireRole(c, 'operator');
    const { id, kind, name } = orNoSuch(await findChannel(sql, c.req.valid('param').id), 'channel');
    const body = c.req.valid('json');
    const { from, to } = rangeOf(body);
    if (channelRegistry[kind].marksReplays !== true) {
      const detail = `${name} is of the kind ${kind}, whose messages cannot be marked as replays: send single deliveries again.`;
      throw new ApiProblem(409, 'conflict', detail);
    }
    const now = deps.now();
    const ask = { channelId: id, from, to };
    const counts = await (body.dryRun ? countReplay : replayDeliveries)(sql, ask, now);
    if (!body.dryRun && counts.queued > 0) await deps.deliver();
    const kept = new Date(now.getTime() - deliveryDays * dayMs);
    const answer = {
      from: from.toISOString(),
      to: to.toISOString(),
      dryRun: body.dryRun,
      ...counts,
      deletedBefore: from < kept ? kept.toISOString() : null,
    };
    return c.json(answer, 202);
  });
}

function rangeOf({ day, from, to, timeZone }: ReplayBody): { from: Date; to: Date } {
  if (day !== undefined && (from !== undefined || to !== undefined)) {
    throw badField('day', 'stands for `from` and `to`: leave these out, or `day`');
  }
  const next = day && new Date(Date.parse(`${day}T00:00:00Z`) + dayMs).toISOString().slice(0, 10);
  const begin = readMomentParam(day === undefined ? 'from' : 'day', day ?? from, timeZone);
  const end = readMomentParam(day === undefined ? 'to' : 'day', next ?? to, timeZone);
  if (begin === null) throw badField('from', 'is missing: give `day`, or `from` and `to`');
  if (end === null) throw badField('to', 'is missing: give `day`, or `from` and `to`');
  if (begin >= end) throw badField('from', `must be before \`to\` (${end.toISOString()})`);
  return { from: begin, to: end };
}
