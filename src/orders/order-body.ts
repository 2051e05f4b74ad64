import { z } from '@hono/zod-openapi';
import { storableLine } from '../core/http/query.ts';
import { moment } from '../core/http/route-parts.ts';
import { rentFields } from '../rentals/rent/rent-body.ts';
import { decimalText } from '../spend/balances.routes.ts';
import { percentileDays } from './order.ts';

const days = (allowed: readonly number[]) =>
  z.literal([...allowed]).openapi({ type: 'integer', enum: [...allowed] });

const ChoiceSchema = z
  .strictObject({
    watchId: z.uuid().openapi({ description: 'The watch whose offers fit' }),
    maxUsdPerGpuHour: z
      .number()
      .gt(0)
      .max(1e6)
      .optional()
      .openapi({ description: 'Max price per GPU, with the disk of the request' }),
    maxPercentile: z
      .strictObject({ percentile: z.number().min(0).max(100), days: days(percentileDays) })
      .optional()
      .openapi({ description: 'Max percentile of the listed price, as in verdicts' }),
    minIndexFall: z
      .strictObject({ percent: z.number().gt(0).max(100), days: days([1, 7, 27]) })
      .optional()
      .openapi({
        description:
          "The model's like-for-like index has clearly fallen by at least this; for watches of models",
      }),
    bid: z
      .strictObject({
        abovePercent: z
          .number()
          .min(0)
          .max(900)
          .default(10)
          .openapi({ description: "The first bid, percent above the offer's minimum bid" }),
        stepPercent: z
          .number()
          .min(1)
          .max(100)
          .default(10)
          .openapi({ description: 'Raise of a bid that is outbid, percent' }),
        whenOutbid: z.enum(['wait', 'replace']).default('wait').openapi({
          description:
            'When the highest bid is outbid: wait until it wins again, or destroy the instance as soon as another offer fits',
        }),
      })
      .optional()
      .openapi({
        description:
          'Bids for interruptible offers, at most `maxUsdPerGpuHour`; without it on-demand offers fit',
      }),
  })
  .refine(({ bid, maxUsdPerGpuHour }) => bid === undefined || maxUsdPerGpuHour !== undefined, {
    message: 'is needed with `bid`: no bid is raised above it',
    path: ['maxUsdPerGpuHour'],
  })
  .refine(
    ({ maxUsdPerGpuHour, maxPercentile, minIndexFall }) =>
      [maxUsdPerGpuHour, maxPercentile, minIndexFall].some((each) => each !== undefined),
    { message: 'needs `maxUsdPerGpuHour`, `maxPercentile` or `minIndexFall`', path: ['maxUsdPerGpuHour'] },
  )
  .openapi('OrderChoice');

const { image, templateHashId, diskGb, env, onstart, args, runtype, label, costCenter } = rentFields;
const { maxHours, endAction, provisionMinutes } = rentFields;
const RequestSchema = z
  .strictObject({
    image,
    templateHashId,
    diskGb,
    env,
    onstart,
    args,
    runtype,
    label,
    costCenter,
    maxHours,
    endAction,
    provisionMinutes,
  })
  .openapi('OrderRequest', {
    description: 'What each machine is rented with; the label defaults to the name',
  });

const usd = decimalText.refine((text) => Number(text) > 0, 'must be above 0');
const fields = {
  name: storableLine(200).min(1),
  count: z.int().min(1).max(100).openapi({ description: 'Machines wanted' }),
  endsAt: z.string().openapi({ format: 'date-time', description: 'It expires then' }),
  budgetUsd: usd
    .nullable()
    .openapi({ description: 'What its machines may commit; needs `maxHours` and `endAction` `destroy`' }),
  choices: z.array(ChoiceSchema).min(1).max(10).openapi({ description: 'In order of preference' }),
  request: RequestSchema,
  channelIds: z
    .array(z.uuid())
    .max(20)
    .openapi({ description: "Where its messages go; empty: the channels of the first choice's watch" }),
};

const optional = {
  count: fields.count.default(1),
  budgetUsd: fields.budgetUsd.default(null),
  channelIds: fields.channelIds.default([]),
};

/** The body of `POST /api/orders`. */
export const NewOrderSchema = z.strictObject({ ...fields, ...optional }).openapi('NewOrder', {
  example: {
    name: 'night training',
    count: 2,
    endsAt: '2026-08-01T00:00:00Z',
    budgetUsd: '40',
    choices: [{ watchId: '01983f2c-8b1e-7c40-9d3a-5b6e7f809a1b', maxUsdPerGpuHour: 0.35 }],
    request: { image: 'pytorch/pytorch:latest', diskGb: 40, maxHours: 24, endAction: 'destroy' },
  },
});
export type NewOrder = z.output<typeof NewOrderSchema>;

/** The body of `PATCH /api/orders/{id}`: a field that is given replaces the one before. */
export const OrderChangeSchema = z
  .strictObject(fields)
  .partial()
  .openapi('OrderChange', { example: { count: 3, endsAt: '2026-08-02T00:00:00Z' } });

const range = { from: moment.optional(), to: moment.optional() };

/** The body of `POST /api/orders/dry-run`. */
export const TriedOrderSchema = z
  .strictObject({ ...fields, ...optional, name: fields.name.default('dry run'), ...range })
  .openapi('TriedOrder', {
    example: {
      endsAt: '2026-08-01T00:00:00Z',
      choices: [{ watchId: '01983f2c-8b1e-7c40-9d3a-5b6e7f809a1b', maxUsdPerGpuHour: 0.35 }],
      request: { image: 'pytorch/pytorch:latest', diskGb: 40 },
      from: '2026-07-01T00:00:00Z',
      to: '2026-07-20T05:19:05Z',
    },
  });

/** The body of `POST /api/orders/{id}/dry-run`. */
export const DryRunBodySchema = z.strictObject(range).openapi('DryRunRange', {
  example: { from: '2026-07-01T00:00:00Z', to: '2026-07-20T05:19:05Z' },
  description: 'Default: as long as the order has left, from a day to 30 days, until the newest book',
});
