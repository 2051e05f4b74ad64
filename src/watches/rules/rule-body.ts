import { z } from '@hono/zod-openapi';
import { isTimeZone } from '../../core/calendar-date.ts';
import { storableText } from '../../core/http/query.ts';
import { defaultMetric, ruleMetrics } from '../../core/metric.ts';
import { isFixedCron } from '../../jobs/ticks.ts';
import { indexChangeDays } from '../../prices/index/index-change.ts';
import { WatchedOffersSchema } from '../watch-body.ts';
import { maxCooldownMinutes } from './cooldown.ts';
import { ruleDefaults as defaults, type RuleFields, type RuleKind, ruleKinds } from './rule.ts';

const percent = z.number().positive().max(1_000_000);
const days = z.int().min(1).max(90);
const perListing = z.boolean().optional();
const metric = z.enum(ruleMetrics).default(defaultMetric);
const none = z.strictObject({});

/** The parameters of each kind. Source: docs/api.md#rules. */
export const ruleParams: Readonly<Record<RuleKind, z.ZodType<Record<string, unknown>>>> = {
  priceBelow: z.strictObject({ metric, usd: z.number().positive(), perListing }),
  percentileBelow: z.strictObject({ metric, percentile: z.number().positive().max(100), days, perListing }),
  lowestInDays: z.strictObject({ metric, days, perListing }),
  changePercent: z.strictObject({
    metric,
    percent,
    since: z.union([z.literal('lastFired'), z.number().positive().max(2_160)]).default(24),
    direction: z.enum(['any', 'up', 'down']).optional(),
    perListing,
  }),
  indexChange: z.strictObject({ percent, days: z.literal(indexChangeDays).default(7) }),
  backInStock: none,
  supplyBelow: z.strictObject({ offers: z.int().min(1) }),
  bidSpread: z.strictObject({ percent: z.number().min(0).max(100) }),
  burnAbove: z.strictObject({ usdPerHour: z.number().min(0) }),
  budget: z.strictObject({ budgetId: z.uuid(), share: z.number().positive().max(10).optional() }),
  dataAge: z.strictObject({ minutes: z.int().min(1).max(100_000) }),
  crawlPartial: none,
  instanceState: z.strictObject({ states: z.array(storableText(50).min(1)).min(1).max(20) }),
  idleGpu: none,
  cheaperEqual: z.strictObject({ percent: z.number().positive().max(100).default(5) }),
  instanceLimit: none,
  delivery: none,
};

const clockTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time like 22:00');
const timeZone = z.string().refine(isTimeZone, 'must be a time zone like Europe/Berlin');

const memory = {
  of: z
    .strictObject({ m: z.int().min(1).max(100), n: z.int().min(1).max(100) })
    .refine(({ m, n }) => m <= n, { path: ['m'], message: 'must be at most n' })
    .optional()
    .openapi({
      description: `Fires if the condition held in m of the last n complete books. Default: ${defaults.of.m} of ${defaults.of.n}`,
    }),
  hysteresisPercent: z
    .number()
    .min(0)
    .max(100)
    .optional()
    .openapi({ description: `Default: ${defaults.hysteresisPercent}` }),
  cooldownMinutes: z
    .int()
    .min(0)
    .max(maxCooldownMinutes)
    .optional()
    .openapi({ description: `Default: ${defaults.cooldownMinutes}` }),
  rearm: z
    .union([z.enum(['leave', 'never']), z.strictObject({ afterMinutes: z.int().min(1).max(525_600) })])
    .optional()
    .openapi({ description: `When it may fire again. Default: \`${defaults.rearm}\`` }),
  quietHours: z
    .strictObject({ from: clockTime, to: clockTime, timeZone: timeZone.optional() })
    .nullable()
    .optional()
    .openapi({ description: `Alerts in these hours are sent at their end. Default: ${defaults.quietHours}` }),
  dailyCap: z
    .int()
    .min(1)
    .max(100_000)
    .nullable()
    .optional()
    .openapi({ description: `Maximum alerts per UTC day. Default: ${defaults.dailyCap}` }),
  digest: z
    .strictObject({
      cron: z
        .string()
        .max(200)
        .refine(isFixedCron, 'must be a cron expression like 0 8 * * * with a date that exists'),
      timeZone: timeZone.optional(),
    })
    .nullable()
    .optional()
    .openapi({ description: 'When collected alerts are sent as one message. Default: null, each at once' }),
  channelIds: z.array(z.uuid()).max(20).optional().openapi({ description: "Default: the watch's" }),
  enabled: z.boolean().optional(),
};
const watchedOffers = WatchedOffersSchema.optional();
const params = z.record(z.string(), z.unknown()).openapi({
  type: 'object',
  description: `By kind. Those that compare prices take \`metric\`: ${ruleMetrics.join(', ')}; ${defaultMetric} unless given`,
});

/** The body of `POST /api/rules`. */
export const NewRuleSchema = z
  .strictObject({
    watchId: z
      .uuid()
      .nullable()
      .optional()
      .openapi({ description: 'For price rules; not for rules over events' }),
    watch: watchedOffers.openapi({
      description:
        'For price rules, in place of `watchId`: the offers to watch. The rule belongs to the watch with exactly ' +
        'these markets, filters and profile, which is made with it if there is none',
    }),
    market: storableText(200)
      .min(1)
      .optional()
      .openapi({ description: 'For rules over events. Default: the configured market' }),
    kind: z.enum(ruleKinds),
    params: params.optional(),
    ...memory,
  })
  .openapi('NewRule', {
    example: {
      watchId: '01983f2c-8b1e-7c40-9d3a-5b6e7f809a1b',
      kind: 'priceBelow',
      params: { usd: 0.35 },
      of: { m: 2, n: 3 },
      cooldownMinutes: 60,
    },
  });

/** The body of `PATCH /api/rules/{id}`. */
export const RuleChangeSchema = z
  .strictObject({ params: params.optional(), ...memory })
  .openapi('RuleChange', { example: { params: { usd: 0.3 }, enabled: true } });

/** The body of `POST /api/rules/backtest`. */
export const BacktestSchema = z
  .strictObject({
    ruleId: z.uuid().optional().openapi({ description: 'An existing rule, or the fields of one:' }),
    watchId: z.uuid().optional(),
    watch: watchedOffers.openapi({
      description: 'In place of `watchId`: the offers to watch, as in a new rule; nothing is stored',
    }),
    kind: z.enum(ruleKinds).optional(),
    params: params.optional(),
    ...memory,
    from: z.iso
      .datetime({ offset: true })
      .optional()
      .openapi({ description: 'Default: 30 days before `to`' }),
    to: z.iso
      .datetime({ offset: true })
      .optional()
      .openapi({ description: 'Default: just after the newest book' }),
    wholeHistory: z.boolean().optional().openapi({
      description: 'From the first book, at most a year before `to`; instead of `from`',
    }),
  })
  .openapi('Backtest', {
    example: {
      watchId: '01983f2c-8b1e-7c40-9d3a-5b6e7f809a1b',
      kind: 'priceBelow',
      params: { usd: 0.35 },
      from: '2026-07-01T00:00:00Z',
      to: '2026-07-20T05:19:05Z',
    },
  });

type RuleChange = z.output<typeof RuleChangeSchema>;

/** Returns the rule after a change; `timeZone` is the default zone. Does not check its params. */
export function changedRule(before: RuleFields, body: RuleChange, defaultZone: string): RuleFields {
  const { quietHours, digest } = body;
  const inZone = <T extends { timeZone?: string | undefined }>(times: T) => ({
    ...times,
    timeZone: times.timeZone ?? defaultZone,
  });
  return {
    ...before,
    params: body.params ?? before.params,
    of: body.of ?? before.of,
    hysteresisPercent: body.hysteresisPercent ?? before.hysteresisPercent,
    cooldownMinutes: body.cooldownMinutes ?? before.cooldownMinutes,
    rearm: body.rearm ?? before.rearm,
    quietHours: quietHours === undefined ? before.quietHours : quietHours && inZone(quietHours),
    dailyCap: body.dailyCap === undefined ? before.dailyCap : body.dailyCap,
    digest: digest === undefined ? before.digest : digest && inZone(digest),
    channelIds: [...new Set(body.channelIds ?? before.channelIds)],
    enabled: body.enabled ?? before.enabled,
  };
}

/** The default options of a rule. */
export const blankRule = (kind: RuleKind, watchId: string | null): RuleFields => ({
  ...defaults,
  kind,
  watchId,
  params: {},
});
