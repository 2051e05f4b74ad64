import { z } from '@hono/zod-openapi';
import { moment } from '../../core/http/route-parts.ts';
import { ReportSchema } from '../reports/report-schema.ts';
import { type Notice, type NoticeKind, noticeKinds } from './notice.ts';

const figure = z.number().nullable();

/** What a notice of any kind has besides its kind and its data. */
export const noticeFields = {
  title: z.string().openapi({ description: 'One line of plain text' }),
  lines: z.array(z.string()).openapi({ description: 'Plain text, one line each; empty in a report' }),
  link: z.string().nullable().openapi({ description: 'Where to read more; null: nowhere' }),
  at: moment.openapi({ description: 'The moment that it is about' }),
  watchId: z.string().nullable(),
  ruleId: z.string().nullable(),
};

/** A notice of any kind. */
export const NoticeSchema = z.object({
  kind: z.enum(noticeKinds),
  ...noticeFields,
  data: z.record(z.string(), z.unknown()).openapi({ description: 'By kind: docs/webhooks.md' }),
});

const firing = {
  rule: z.object({ id: z.string(), kind: z.string(), params: z.record(z.string(), z.unknown()) }),
  market: z.string().openapi({ description: 'Name of the market' }),
  value: figure.openapi({ description: 'What the rule compares; null: there is none' }),
  baseline: figure.openapi({ description: 'What it is compared with' }),
  previous: figure.openapi({ description: 'The value before' }),
  unit: z.string().nullable().openapi({ description: 'Of value, baseline and previous; empty: none' }),
};

const PriceAlertSchema = z
  .object({
    ...firing,
    watch: z.object({ id: z.string().nullable(), name: z.string() }),
    bookId: z.int(),
    observedAt: moment.openapi({ description: 'When the book began' }),
    metric: z.string().nullable().openapi({ description: 'null: the rule compares no price' }),
    offer: z
      .object({
        offerId: z.int().nullable(),
        listingId: z.string(),
        machineId: z.int(),
        hostId: z.int().nullable(),
        gpuName: z.string(),
        numGpus: z.int(),
        type: z.string(),
        verification: z.string().nullable(),
        country: z.string().nullable(),
        usdPerHour: figure,
      })
      .nullable()
      .openapi({ description: 'null: no offer matches' }),
  })
  .openapi('PriceAlert', { description: 'A firing of a price rule' });

const EventAlertSchema = z.looseObject(firing).openapi('EventAlert', {
  description:
    'A firing of a rule on events. By the kind of the rule it also has `instanceId`, `offerId`, `machineId`, ' +
    '`usdPerHour`, `offerUsdPerHour`, `scope`, `type`, `reason`, `channelId`, `lost` or `problem`',
});

const AlertSchema = z.union([PriceAlertSchema, EventAlertSchema]);

/** The data of each kind of notice. */
export const noticeData = {
  alert: AlertSchema,
  digest: z.object({ alerts: z.array(AlertSchema) }),
  report: z.object({ report: ReportSchema }),
  order: z
    .looseObject({
      orderId: z.string(),
      name: z.string(),
      step: z.string(),
      state: z.string(),
      words: z.string(),
      rentalId: z.string().optional().openapi({ description: 'Once it has rented' }),
    })
    .openapi({
      description:
        'By the step it also has `attempt`, `machineId`, `instanceId`, `usdPerHour` or `bidUsdPerHour`',
    }),
  test: z.object({ sample: z.literal(true) }),
} satisfies Readonly<Record<NoticeKind, z.ZodType>>;

/** The data of one kind of notice. */
export type NoticeData<Kind extends NoticeKind> = z.infer<(typeof noticeData)[Kind]>;

/** A notice of one kind. */
export type NoticeOf<Kind extends NoticeKind> = Omit<Notice, 'kind' | 'data'> & {
  kind: Kind;
  data: NoticeData<Kind>;
};
