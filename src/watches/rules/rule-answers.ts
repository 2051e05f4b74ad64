import { z } from '@hono/zod-openapi';
import { moment } from '../../core/http/route-parts.ts';
import { deliveryStates } from '../channels/channel.ts';
import { ruleKinds } from './rule.ts';

const unit = z
  .string()
  .nullable()
  .openapi({ description: 'Unit of its value and threshold; null: it has none' });

const deliveries = z
  .array(
    z
      .object({
        channel: z.string().openapi({ description: 'Name of the channel' }),
        state: z.enum(deliveryStates).openapi({ description: '`queued`: it waits to be sent' }),
        problem: z
          .string()
          .nullable()
          .openapi({ description: 'Why the last attempt failed; null: none failed' }),
      })
      .openapi('AlertDelivery'),
  )
  .openapi({
    description: 'The newest to each channel; empty: sent to nobody, still held, or no longer kept',
  });

export const RuleSchema = z
  .object({
    id: z.string(),
    market: z.string().openapi({ description: 'Of a rule of a watch the first of its markets' }),
    watchId: z.string().nullable(),
    kind: z.enum(ruleKinds),
    params: z.record(z.string(), z.unknown()),
    unit,
    of: z.object({ m: z.int(), n: z.int() }),
    hysteresisPercent: z.number(),
    cooldownMinutes: z.int(),
    rearm: z.union([z.enum(['leave', 'never']), z.object({ afterMinutes: z.int() })]),
    quietHours: z.object({ from: z.string(), to: z.string(), timeZone: z.string() }).nullable(),
    dailyCap: z.int().nullable(),
    digest: z.object({ cron: z.string(), timeZone: z.string() }).nullable(),
    channelIds: z.array(z.string()).openapi({ description: "Empty: the watch's" }),
    enabled: z.boolean(),
    lastFiredAt: moment
      .nullable()
      .openapi({ description: 'Moment of its newest alert; null: it has not fired, or no longer kept' }),
    lastDeliveries: deliveries.openapi({
      description: 'Those of its newest alert, the newest to each channel; empty: none is known',
    }),
  })
  .openapi('Rule');

/** The answer of `GET /api/rules/{id}`, and an item of `GET /api/rules`. */
export type RuleAnswer = z.infer<typeof RuleSchema>;

const figure = z.number().nullable();

export const AlertSchema = z
  .object({
    id: z.string(),
    market: z.string().openapi({ description: 'Whose book or event fired it' }),
    at: moment.openapi({ description: "The book's moment, or the event's" }),
    bookId: z.string().nullable(),
    title: z.string(),
    value: figure,
    baseline: figure,
    previous: figure,
    unit: unit.openapi({ description: 'Of the value; null: it has none' }),
    heldUntil: moment
      .nullable()
      .openapi({ description: 'Waits for a digest or the end of quiet hours; null: it does not' }),
    suppressed: z.string().nullable().openapi({
      description: 'Why it was not sent: `daily-cap` or `no-channel`; null: it was sent, or waits',
    }),
    undeliveredTo: z.array(z.string()).openapi({
      description:
        'Channels to which sending it failed or was refused, by name; empty: it was sent, or waits',
    }),
    deliveries,
  })
  .openapi('Alert');

const nowShape = {
  at: moment.openapi({ description: 'The newest book of the range' }),
  value: figure.openapi({
    description: 'With `perListing` the lowest; null: nothing matches, or it is not known',
  }),
  numGpus: z
    .int()
    .nullable()
    .openapi({ description: 'GPUs of the offer of that value, rented together; null: it is of no offer' }),
  machines: z.int().openapi({ description: 'Machines with a matching offer in that book' }),
  percentile: figure.openapi({ description: 'Percentile of the value in its pool, if the rule uses it' }),
  fires: z.boolean().openapi({ description: 'Whether a rule created now would fire with this book' }),
};

export const BacktestAnswerSchema = z
  .object({
    from: moment,
    to: moment,
    firstAt: moment.nullable().openapi({ description: 'The first of its books; null: there is none' }),
    books: z.int().openapi({ description: 'Complete books of the watch in the range' }),
    unit,
    now: z
      .object({ market: z.string(), ...nowShape })
      .nullable()
      .openapi({
        description: 'The current value, with several markets the lowest; null: no book in the range',
      }),
    markets: z
      .array(z.object({ market: z.string(), books: z.int(), now: z.object(nowShape).nullable() }))
      .openapi({ description: 'The same for each market of the watch' }),
    watch: z
      .object({ id: z.string(), name: z.string(), channelIds: z.array(z.string()) })
      .nullable()
      .openapi({ description: 'The watch of these offers; null: a rule on them would make it' }),
    count: z.int().openapi({ description: 'Firings, without those beyond the daily cap' }),
    firings: z.array(
      z.object({
        market: z.string(),
        at: moment,
        bookId: z.string(),
        value: figure,
        baseline: figure,
        previous: figure,
        capped: z.boolean(),
        offer: z
          .object({
            listingId: z.string(),
            machineId: z.int(),
            gpuName: z.string(),
            numGpus: z.int(),
            usdPerHour: z.number().nullable(),
          })
          .nullable(),
      }),
    ),
  })
  .openapi('BacktestAnswer');

/** The answer of `POST /api/rules/backtest`. */
export type BacktestAnswer = z.infer<typeof BacktestAnswerSchema>;
