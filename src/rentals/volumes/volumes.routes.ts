import { createRoute, z } from '@hono/zod-openapi';
import type { ApiApp } from '../../core/http/api-app.ts';
import { problemResponses } from '../../core/http/problem.ts';
import { requireRole } from '../../core/http/require-role.ts';
import { jsonAnswer, jsonBody, noQuery, wholeList } from '../../core/http/route-parts.ts';
import type { Actor } from '../actor.ts';
import { listMachineKinds, type MachineKind } from '../instances/machines.sql.ts';
import { callKnown, callMarket } from '../market-refusal.ts';
import type { RentalsDeps } from '../rentals-deps.ts';
import { createVolume, deleteVolume, volumeCalls } from './volume-actions.ts';

const tags = ['acting'];
const figure = z.number().nullable();

/** Of a volume's machine. */
const machineFields = {
  gpuName: z.string().nullable().openapi({
    description: 'Of the machine, as it was last offered, like `numGpus` and `country`; null: it never was',
  }),
  numGpus: z.int().nullable(),
  country: z.string().nullable(),
};

const VolumeSchema = z
  .object({
    volumeId: z.int(),
    status: z.string().nullable(),
    sizeGb: figure,
    machineId: z.int().nullable(),
    instanceIds: z.array(z.int()).nullable().openapi({ description: 'Instances that it is attached to' }),
    startedAt: z.string().nullable().openapi({ format: 'date-time' }),
    ...machineFields,
  })
  .openapi('Volume');

const VolumeOfferSchema = z
  .object({
    volumeOfferId: z.int(),
    machineId: z.int().nullable(),
    hostId: z.int().nullable(),
    diskSpaceGb: figure.openapi({ description: 'The largest possible size' }),
    storageUsdPerGbMonth: figure,
    reliability: figure,
    ...machineFields,
  })
  .openapi('VolumeOffer');

const listRoute = createRoute({
  operationId: 'listVolumes',
  method: 'get',
  path: '/api/volumes',
  tags,
  summary: "The account's volumes, if the market lists them",
  request: { query: noQuery },
  responses: {
    200: jsonAnswer('All of them', wholeList(VolumeSchema, 'Volumes')),
    ...problemResponses(400, 401, 403, 409, 502, 503),
  },
});

const searchRoute = createRoute({
  operationId: 'listVolumeOffers',
  method: 'get',
  path: '/api/volumes/offers',
  tags,
  summary: 'Storage that machines offer for volumes, if the market lists it',
  request: {
    query: z.strictObject({
      machineId: z
        .string()
        .regex(/^\d{1,15}$/, 'must be the id of a machine')
        .optional()
        .openapi({ type: 'integer', description: 'Only of this machine' }),
    }),
  },
  responses: {
    200: jsonAnswer('Volume offers', wholeList(VolumeOfferSchema, 'VolumeOffers')),
    ...problemResponses(400, 401, 403, 409, 502, 503),
  },
});

const addRoute = createRoute({
  operationId: 'createVolume',
  method: 'post',
  path: '/api/volumes',
  tags,
  summary: 'Create a volume from a volume offer; it costs money from then on; needs the role operator',
  request: {
    query: noQuery,
    body: jsonBody(
      z
        .strictObject({ volumeOfferId: z.int().min(0), sizeGb: z.int().min(1).max(1_000_000) })
        .openapi('NewVolume', { example: { volumeOfferId: 26390117, sizeGb: 200 } }),
    ),
  },
  responses: {
    201: jsonAnswer(
      'Its name; the market returns nothing else',
      z.object({ volumeName: z.string() }).openapi('VolumeMade'),
    ),
    ...problemResponses(400, 401, 403, 409, 410, 502, 503),
  },
});

const deleteRoute = createRoute({
  operationId: 'deleteVolume',
  method: 'delete',
  path: '/api/volumes/{id}',
  tags,
  summary: 'Delete a volume with its data; needs the role operator',
  request: {
    params: z.strictObject({
      id: z
        .string()
        .regex(/^\d{1,15}$/, 'must be the id of a volume')
        .openapi({ type: 'integer' }),
    }),
    query: noQuery,
  },
  responses: {
    204: { description: 'The market has deleted it' },
    ...problemResponses(400, 401, 403, 404, 409, 502, 503),
  },
});

/** `/api/volumes`. */
export function mountVolumes(app: ApiApp, deps: RentalsDeps): void {
  app.openapi(listRoute, async (c) => {
    const actor = await deps.actor();
    const { volumes } = await volumeCalls(actor).listVolumes();
    const items = (await withMachines(actor, volumes)).map(
      ({ raw: _, storageTotalCost: __, startedAt, instanceIds, ...volume }) => ({
        ...volume,
        instanceIds: instanceIds === null ? null : [...instanceIds],
        startedAt: startedAt?.toISOString() ?? null,
      }),
    );
    return c.json({ items, nextCursor: null }, 200);
  });
  app.openapi(searchRoute, async (c) => {
    const { machineId } = c.req.valid('query');
    const wanted = machineId === undefined ? {} : { machineId: Number(machineId) };
    const actor = await deps.actor();
    const { offers } = await volumeCalls(actor).searchVolumeOffers(wanted);
    const items = (await withMachines(actor, offers)).map(({ raw: _, ...offer }) => offer);
    return c.json({ items, nextCursor: null }, 200);
  });
  app.openapi(addRoute, async (c) => {
    const { name } = requireRole(c, 'operator');
    const wanted = c.req.valid('json');
    const actor = await deps.actor();
    return c.json(await callMarket(wanted, () => createVolume(actor, { ...wanted, by: name })), 201);
  });
  app.openapi(deleteRoute, async (c) => {
    const { name } = requireRole(c, 'operator');
    const { id } = c.req.valid('param');
    const actor = await deps.actor();
    const unknown = `The account has no volume ${id}: \`offerbook volumes list\` shows all.`;
    await callKnown(unknown, () => deleteVolume(actor, Number(id), name));
    return c.body(null, 204);
  });
}

const unknownKind = { gpuName: null, numGpus: null, country: null };

/** Adds what is known of their machines. */
async function withMachines<T extends { machineId: number | null }>(
  { sql, market }: Actor,
  items: readonly T[],
): Promise<(T & (MachineKind | typeof unknownKind))[]> {
  const ids = items.flatMap(({ machineId }) => machineId ?? []);
  const kinds = await listMachineKinds(sql, market.id, ids);
  return items.map((item) => ({ ...item, ...(kinds.get(item.machineId ?? -1) ?? unknownKind) }));
}
