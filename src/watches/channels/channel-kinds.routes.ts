import { createRoute, z } from '@hono/zod-openapi';
import type { ApiApp } from '../../core/http/api-app.ts';
import { problemResponses } from '../../core/http/problem.ts';
import { jsonAnswer, noQuery, pageOf } from '../../core/http/route-parts.ts';
import type { WatchesDeps } from '../watches-deps.ts';
import type { ChannelTools } from './kinds/adapter.ts';
import { type ChannelKind, channelKinds, channelRegistry } from './kinds/registry.ts';

const ChannelKindSchema = z
  .object({
    kind: z.enum(channelKinds),
    label: z.string().openapi({ description: 'Its label' }),
    needs: z.string().openapi({ description: 'What a person needs before adding one' }),
    fields: z.array(
      z.object({
        name: z.string().openapi({ description: 'Of `config`' }),
        label: z.string(),
        placeholder: z.string().openapi({ description: 'A value that it could have' }),
        choices: z.array(z.string()).nullable().openapi({
          description:
            'The only values that it may have; `placeholder` is used if none is given. null: any value',
        }),
        several: z.boolean().openapi({ description: 'It may be a list' }),
        required: z.boolean(),
      }),
    ),
    secret: z.string().nullable().openapi({ description: 'What `secret` is; null: it takes none' }),
    missing: z.string().nullable().openapi({ description: 'What to set before it can send; null: nothing' }),
  })
  .openapi('ChannelKind');

/** An item of `GET /api/channels/kinds`. */
export type KindAnswer = z.infer<typeof ChannelKindSchema>;

const describeKind = (kind: ChannelKind, tools: ChannelTools): KindAnswer => {
  const { label, needs, fields, secret: own, splitSecret, missing } = channelRegistry[kind];
  return {
    kind,
    label,
    needs,
    fields: Object.entries(fields).map(([name, { label: words, example, choices, several, optional }]) => ({
      name,
      label: words,
      placeholder: example,
      choices: choices === undefined ? null : [...choices],
      several: several === true,
      required: optional !== true,
    })),
    // If the address is the secret, it is entered as a field.
    secret: splitSecret === undefined ? (own?.meaning ?? null) : null,
    missing: missing?.(tools) ?? null,
  };
};

const kindsRoute = createRoute({
  operationId: 'listChannelKinds',
  method: 'get',
  path: '/api/channels/kinds',
  tags: ['channels'],
  summary: 'The kinds of channels, with their fields',
  request: { query: noQuery },
  responses: {
    200: jsonAnswer('Every kind', pageOf(ChannelKindSchema, 'ChannelKinds')),
    ...problemResponses(400, 401, 403, 503),
  },
});
/** `/api/channels/kinds`, before the channels by their id. */
export function mountChannelKinds(app: ApiApp, deps: WatchesDeps): void {
  app.openapi(kindsRoute, async (c) => {
    const { tools } = await deps.notify();
    const items = channelKinds.map((kind) => describeKind(kind, tools));
    return c.json({ items, nextCursor: null }, 200);
  });
}
