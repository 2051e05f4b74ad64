import { createRoute, z } from '@hono/zod-openapi';
import { chooseMarket } from '../../books/choose-market.ts';
import { findScope } from '../../books/newest-books.sql.ts';
import type { ApiApp } from '../../core/http/api-app.ts';
import { problemResponses } from '../../core/http/problem.ts';
import { marketParam } from '../../core/http/query.ts';
import { jsonAnswer, moment } from '../../core/http/route-parts.ts';
import { pricingTypes } from '../../core/offer.ts';
import type { RentalsDeps } from '../rentals-deps.ts';
import { neededStays, readMachineRecord } from './machine-record.ts';

const count = (description: string) => z.int().openapi({ description });

const PlaceRecordSchema = z
  .object({
    machines: count('With a listing, ever'),
    listings: count('Ever seen'),
    readListings: count('Those seen last, which `listedNow` and `stays` are of'),
    listedNow: count('In the newest book'),
    stays: count('Stays on the market whose beginning and end were both seen'),
    medianListedHours: z
      .number()
      .nullable()
      .openapi({ description: 'Of those stays; null: there are fewer than `neededStays`' }),
    rentals: z.object({
      made: count('By Offerbook, of every pricing type'),
      ran: count('It ran at some time'),
      notRented: count('The market refused, or no instance appeared'),
      neverRan: count('An instance came, and never ran'),
      wentDown: count('It ran, and was down at least once'),
    }),
    otherInstances: count('Of the account, rented elsewhere, not by Offerbook; those that ended too'),
  })
  .openapi('PlaceRecord');

const MachineRecordSchema = z
  .object({
    market: z.string(),
    machineId: z.int(),
    hostId: z.int().nullable(),
    type: z.enum(pricingTypes),
    since: moment.nullable().openapi({ description: 'The first complete book; null: there is none' }),
    neededStays: z.int(),
    machine: PlaceRecordSchema,
    host: PlaceRecordSchema.nullable().openapi({ description: 'Of all its machines; null: it is unknown' }),
  })
  .openapi('MachineRecord');

/** The answer of `GET /api/machines/{machineId}/record`. */
export type MachineRecordAnswer = z.infer<typeof MachineRecordSchema>;

const route = createRoute({
  operationId: 'getMachineRecord',
  method: 'get',
  path: '/api/machines/{machineId}/record',
  tags: ['acting'],
  summary: 'How long the listings of a machine and its host last, and how your own rentals there went',
  request: {
    params: z.strictObject({
      machineId: z
        .string()
        .regex(/^\d{1,15}$/, 'must be a number')
        .openapi({ type: 'integer' }),
    }),
    query: z.strictObject({
      ...marketParam,
      type: z.enum(pricingTypes).default('on-demand').openapi({ description: 'Of the listings' }),
    }),
  },
  responses: {
    200: jsonAnswer('The record', MachineRecordSchema),
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

/** `/api/machines`. */
export function mountMachineRecord(app: ApiApp, deps: RentalsDeps): void {
  app.openapi(route, async (c) => {
    const { market: name, type } = c.req.valid('query');
    const machineId = Number(c.req.valid('param').machineId);
    const market = await chooseMarket(deps, name);
    const scopeId = await findScope(deps.sql, market.id);
    const of = { marketId: market.id, scopeId: scopeId ?? 0, type, machineId };
    const { since, ...record } = await readMachineRecord(deps.sql, of, deps.now());
    const { hostId, machine, host } = record;
    const answer = {
      market: market.name,
      machineId,
      hostId,
      type,
      since: since?.toISOString() ?? null,
      neededStays,
      machine,
      host,
    };
    return c.json(answer, 200);
  });
}
