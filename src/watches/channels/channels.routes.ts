import { createRoute, z } from '@hono/zod-openapi';
import { uuidv7 } from 'uuidv7';
import type { ApiApp } from '../../core/http/api-app.ts';
import { readPage } from '../../core/http/cursor.ts';
import { nameTaken, orNoSuch, problemResponses } from '../../core/http/problem.ts';
import { pageParams } from '../../core/http/query.ts';
import { requireRole } from '../../core/http/require-role.ts';
import { byId, jsonAnswer, jsonBody, moment, noQuery, pageOf } from '../../core/http/route-parts.ts';
import type { WatchesDeps } from '../watches-deps.ts';
import { deliveryStates } from './channel.ts';
import { ChannelChangeSchema, NewChannelSchema } from './channel-body.ts';
import { type ChannelChange, changedChannel } from './channel-changes.ts';
import { type ChannelDeliveries, recentDeliveries } from './channel-deliveries.sql.ts';
import {
  deleteChannel,
  findChannel,
  listChannels,
  type StoredChannel,
  saveChannel,
  switchChannel,
} from './channels.sql.ts';
import type { GuardedHttp } from './guarded-http.ts';
import { channelKinds, channelRegistry } from './kinds/registry.ts';
import { type OpenedChannel, openChannel, showConfig } from './kinds/sealed-config.ts';
import { oneLine } from './notice.ts';
import type { NoticeOf } from './notice-schema.ts';

const ChannelSchema = z
  .object({
    id: z.string(),
    kind: z.enum(channelKinds),
    name: z.string(),
    config: z.record(z.string(), z.unknown()).openapi({
      description: 'By kind, without secrets: an address is shown as its host and last four characters',
    }),
    secretSet: z.boolean().openapi({ description: 'Whether it has a secret that can be decrypted' }),
    offReason: z
      .string()
      .nullable()
      .openapi({ description: 'Why nothing is sent to it, such as a private address; null: it is on' }),
    lastDelivery: z
      .object({
        state: z.enum(deliveryStates),
        title: z.string(),
        endedAt: moment,
        problem: z.string().nullable(),
      })
      .nullable()
      .openapi({ description: 'The newest of the last 7 days that ended, without tests; null: none' }),
    undelivered: z.int().openapi({
      description:
        'Deliveries of the last 7 days that failed or were refused, after which it was sent nothing',
    }),
  })
  .openapi('Channel');

/** The answer of `GET /api/channels/{id}`, and an item of `GET /api/channels`. */
export type ChannelAnswer = z.infer<typeof ChannelSchema>;

const NewChannelAnswer = ChannelSchema.extend({
  madeSecret: z
    .string()
    .nullable()
    .openapi({ description: 'The generated signing key, shown only once; null: none was generated' }),
}).openapi('MadeChannel');

const tags = ['channels'];
const path = '/api/channels/{id}';

const listRoute = createRoute({
  operationId: 'listChannels',
  method: 'get',
  path: '/api/channels',
  tags,
  summary: 'Channels by name',
  request: { query: z.strictObject(pageParams) },
  responses: {
    200: jsonAnswer('A page of channels', pageOf(ChannelSchema, 'Channels')),
    ...problemResponses(400, 401, 403, 503),
  },
});
const addRoute = createRoute({
  operationId: 'createChannel',
  method: 'post',
  path: '/api/channels',
  tags,
  summary: 'Add a channel; needs the role admin',
  request: { query: noQuery, body: jsonBody(NewChannelSchema) },
  responses: {
    201: jsonAnswer('The new channel', NewChannelAnswer),
    ...problemResponses(400, 401, 403, 409, 503),
  },
});
const readRoute = createRoute({
  operationId: 'getChannel',
  method: 'get',
  path,
  tags,
  summary: 'One channel',
  request: byId,
  responses: { 200: jsonAnswer('The channel', ChannelSchema), ...problemResponses(400, 401, 403, 404, 503) },
});
const changeRoute = createRoute({
  operationId: 'updateChannel',
  method: 'patch',
  path,
  tags,
  summary: 'Change a channel; needs the role admin',
  request: { ...byId, body: jsonBody(ChannelChangeSchema) },
  responses: {
    200: jsonAnswer('The channel as it is now', ChannelSchema),
    ...problemResponses(400, 401, 403, 404, 409, 503),
  },
});
const deleteRoute = createRoute({
  operationId: 'deleteChannel',
  method: 'delete',
  path,
  tags,
  summary: 'Delete a channel with its deliveries; needs the role admin',
  request: byId,
  responses: {
    204: { description: 'It is deleted, also from watches and rules' },
    ...problemResponses(400, 401, 403, 404, 503),
  },
});
const testRoute = createRoute({
  operationId: 'testChannel',
  method: 'post',
  path: '/api/channels/{id}/test',
  tags,
  summary: 'Send a sample now; needs the role operator',
  request: byId,
  responses: {
    200: jsonAnswer(
      'The result',
      z
        .object({
          state: z.enum(['sent', 'failed']),
          problem: z.string().nullable().openapi({ description: 'Why it failed; null: it was accepted' }),
        })
        .openapi('ChannelTest'),
    ),
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

/** `/api/channels`. */
export function mountChannels(app: ApiApp, deps: WatchesDeps): void {
  const { sql, now } = deps;
  const presentAll = async (channels: readonly StoredChannel[]): Promise<ChannelAnswer[]> => {
    const ids = channels.map(({ id }) => id);
    const recent = await recentDeliveries(sql, ids, now());
    return await Promise.all(channels.map((channel) => presentWith(channel, recent.get(channel.id))));
  };
  const present = async (channel: StoredChannel): Promise<ChannelAnswer> => {
    const recent = await recentDeliveries(sql, [channel.id], now());
    return await presentWith(channel, recent.get(channel.id));
  };
  const presentWith = async (
    { id, kind, name: own, config: shown, secret: sealed, offReason }: StoredChannel,
    recent: ChannelDeliveries | undefined,
  ): Promise<ChannelAnswer> => {
    const { secrets, tools } = await deps.notify();
    const opened = openChannel(secrets, { id, config: shown, secret: sealed });
    return {
      id,
      kind,
      name: own,
      config: showConfig(channelRegistry[kind], shown),
      offReason: offReason ?? addressProblem(tools.http, opened),
      secretSet: (opened?.secret ?? null) !== null,
      lastDelivery: recent === undefined ? null : recent.last,
      undelivered: recent?.undelivered ?? 0,
    };
  };
  const store = async (channel: StoredChannel): Promise<void> => {
    if (!(await saveChannel(sql, channel))) throw nameTaken('a channel', channel.name);
  };
  const find = async (id: string): Promise<StoredChannel> => orNoSuch(await findChannel(sql, id), 'channel');
  app.openapi(listRoute, async (c) => {
    const { limit } = c.req.valid('query');
    const page = await readPage(c, limit, {
      after: z.string(),
      read: (after, count) => listChannels(sql, { after, limit: count }),
      keyOf: ({ name: own }) => own,
    });
    return c.json({ ...page, items: await presentAll(page.items) }, 200);
  });
  app.openapi(addRoute, async (c) => {
    requireRole(c, 'admin');
    const { kind, ...body } = c.req.valid('json');
    const before = {
      id: uuidv7(),
      kind,
      name: body.name ?? kind,
      config: {},
      secret: null,
      offReason: null,
      createdAt: now(),
    };
    const { secrets } = await deps.notify();
    const change = { config: {}, ...body } as ChannelChange;
    const { channel, made } = changedChannel(secrets, before, change, true);
    await store(channel);
    return c.json({ ...(await present(channel)), madeSecret: made }, 201);
  });
  app.openapi(readRoute, async (c) => c.json(await present(await find(c.req.valid('param').id)), 200));
  app.openapi(changeRoute, async (c) => {
    requireRole(c, 'admin');
    const before = await find(c.req.valid('param').id);
    const { secrets } = await deps.notify();
    const change = c.req.valid('json') as ChannelChange;
    const { channel } = changedChannel(secrets, before, change, false);
    await store(channel);
    return c.json(await present(channel), 200);
  });
  app.openapi(deleteRoute, async (c) => {
    requireRole(c, 'admin');
    const { id } = await find(c.req.valid('param').id);
    await deleteChannel(sql, id);
    return c.body(null, 204);
  });
  app.openapi(testRoute, async (c) => {
    requireRole(c, 'operator');
    const channel = await find(c.req.valid('param').id);
    const { secrets, tools } = await deps.notify();
    const opened = openChannel(secrets, channel);
    if (opened === null) {
      const problem = 'the secret was encrypted with another SECRETS_KEY: enter it again';
      return c.json({ state: 'failed' as const, problem }, 200);
    }
    const sample = {
      id: uuidv7(),
      notice: sampleNotice(deps, channel),
      isReplay: false,
      ...opened,
    };
    const end = await channelRegistry[channel.kind].send(sample, tools);
    if (end.kind === 'sent' && channel.offReason !== null) await switchChannel(sql, channel.id, null);
    if (end.kind === 'refused' && end.isGone) await switchChannel(sql, channel.id, end.reason);
    return end.kind === 'sent'
      ? c.json({ state: 'sent' as const, problem: null }, 200)
      : c.json({ state: 'failed' as const, problem: end.reason }, 200);
  });
}

const sampleNotice = ({ now, publicUrl }: WatchesDeps, { name: own }: StoredChannel): NoticeOf<'test'> => ({
  kind: 'test',
  title: oneLine(`Offerbook: a sample for ${own}`),
  lines: [
    'This is how alerts and reports will reach you here.',
    'RTX 4090 at $0.3000/hour: an example, not an offer.',
  ],
  link: publicUrl,
  at: now().toISOString(),
  watchId: null,
  ruleId: null,
  data: { sample: true },
});

/** Returns why a channel's address, in its config or as its secret, is never sent to; null: it may be. */
function addressProblem(
  { problemOf }: Pick<GuardedHttp, 'problemOf'>,
  opened: OpenedChannel | null,
): string | null {
  const addresses = [opened?.config.url, opened?.secret].filter((each) => typeof each === 'string');
  return addresses.map(problemOf).find((problem) => problem !== null) ?? null;
}
