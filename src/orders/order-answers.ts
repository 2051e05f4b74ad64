import { z } from '@hono/zod-openapi';
import { moment } from '../core/http/route-parts.ts';
import { attemptOutcomes, orderStates, type StandingOrder, waitingKinds } from './order.ts';
import { isMachine, type OrderAttempt, sumCommitted } from './order-facts.ts';

const dollars = z.string();
const RentSchema = z.object({
  at: moment,
  hours: z.number().openapi({ description: 'Since the beginning of the range' }),
  choice: z.int().openapi({ description: 'From 0' }),
  bookId: z.string(),
  listingId: z.string(),
  machineId: z.int(),
  gpuName: z.string(),
  numGpus: z.int(),
  usdPerHour: z.number(),
  usdPerGpuHour: z.number(),
  bidUsdPerHour: z
    .number()
    .nullable()
    .openapi({ description: 'The first bid, without the disk; null: on demand' }),
});
const ChanceSchema = z.object({
  choice: z.int().openapi({ description: 'From 0' }),
  hours: z.number(),
  raisePercent: z.number().openapi({ description: 'How far above the minimum bid the bids counted were' }),
  status: z.enum(['ok', 'insufficient']),
  share: z
    .number()
    .nullable()
    .openapi({ description: 'Of them not outbid in that time, 0 to 1; null: too few' }),
  bids: z.int(),
  cases: z.int(),
  unknown: z.int(),
});

export const DryRunSchema = z
  .object({
    from: moment,
    to: moment,
    books: z.int().openapi({ description: 'Books that it would have judged' }),
    wouldRent: z.int(),
    medianHoursToRent: z.number().nullable().openapi({ description: 'null: it would have rented nothing' }),
    committedUsd: dollars.nullable().openapi({ description: 'null: its machines have no end' }),
    state: z.enum(orderStates).nullable().openapi({ description: 'null: it would still be waiting' }),
    rents: z.array(RentSchema),
    bidChances: z.array(ChanceSchema).openapi({
      description: 'How long past bids as high as the first bid of each choice that bids have lasted',
    }),
  })
  .openapi('OrderDryRun');

/** The answer of `POST /api/orders/dry-run`. */
export type DryRunAnswer = z.infer<typeof DryRunSchema>;

const AttemptSchema = z.object({
  attempt: z.int(),
  at: moment,
  choice: z.int(),
  bookId: z.string(),
  offerId: z.int(),
  machineId: z.int(),
  usdPerHour: dollars.openapi({ description: 'As the book listed it' }),
  maxUsdPerHour: dollars,
  outcome: z.enum(attemptOutcomes),
  reason: z.string().nullable(),
  bidUsdPerHour: dollars
    .nullable()
    .openapi({ description: 'The newest bid, the whole machine without its disk; null: on demand' }),
  rentalId: z.string().nullable(),
  instanceId: z.int().nullable(),
  rentalState: z.string().nullable(),
});

export const OrderSchema = z
  .object({
    id: z.string(),
    market: z.string(),
    name: z.string(),
    state: z.enum(orderStates),
    reason: z.string().nullable(),
    waitingFor: z
      .enum(waitingKinds)
      .nullable()
      .openapi({ description: 'null: a fitting offer, or it is not armed' }),
    waitingReason: z.string().nullable(),
    count: z.int(),
    machines: z.int().openapi({ description: 'Rented, or unclear' }),
    endsAt: moment,
    budgetUsd: dollars.nullable(),
    committedUsd: dollars.nullable().openapi({ description: 'null: a machine of it has no end' }),
    choices: z.array(z.record(z.string(), z.unknown())),
    request: z
      .record(z.string(), z.unknown())
      .openapi({ description: 'Names and lengths only of environment variables and scripts' }),
    channelIds: z.array(z.string()),
    createdBy: z.string(),
    createdAt: moment,
    armedAt: moment.nullable(),
    // A nullable schema would make its component nullable everywhere.
    dryRun: z.union([DryRunSchema, z.null()]).openapi({ description: 'null: not run with these fields' }),
    attempts: z.array(AttemptSchema),
  })
  .openapi('StandingOrder');

/** The answer of `GET /api/orders/{id}`, and an item of `GET /api/orders`. */
export type OrderAnswer = z.infer<typeof OrderSchema>;

/** Returns an order with its attempts for an answer. */
export function presentOrder(order: StandingOrder, attempts: readonly OrderAttempt[]): OrderAnswer {
  const { id, market, name, state, reason, waitingFor, waitingReason, count, budgetUsd } = order;
  const { choices, request, channelIds, createdBy, createdAt, armedAt, dryRun } = order;
  return {
    id,
    market,
    name,
    state,
    reason,
    waitingFor: state === 'armed' ? waitingFor : null,
    waitingReason: state === 'armed' ? waitingReason : null,
    count,
    machines: attempts.filter(isMachine).length,
    endsAt: order.endsAt.toISOString(),
    budgetUsd,
    committedUsd: sumCommitted(attempts)?.toDecimalPlaces(6).toString() ?? null,
    choices: choices.map((choice) => ({ ...choice })),
    request,
    channelIds: [...channelIds],
    createdBy,
    createdAt: createdAt.toISOString(),
    armedAt: armedAt?.toISOString() ?? null,
    dryRun: dryRun as DryRunAnswer | null,
    attempts: attempts.map(({ at, bookId, rental, tries: _, bidAt: __, ...attempt }) => ({
      ...attempt,
      at: at.toISOString(),
      bookId: String(bookId),
      rentalId: rental?.id ?? null,
      instanceId: rental?.instanceId ?? null,
      rentalState: rental?.state ?? null,
    })),
  };
}
