import { z } from '@hono/zod-openapi';
import { isTimeZone } from '../core/calendar-date.ts';
import { filterParams, marketsField, profileParams, seriesParams, storableLine } from '../core/http/query.ts';
import { rankingMetrics } from '../core/metric.ts';
import { pricingTypes } from '../core/offer.ts';
import {
  type FilterName,
  filterEntries,
  isList,
  type OfferFilter,
  type OfferFilterSpec,
} from '../core/offer-filter.ts';
import { isFixedCron } from '../jobs/ticks.ts';
import { type WatchFields, type WatchFilters, watchDefaults } from './watch.ts';

const number = { type: 'number' as const };

const oneOrMore = (item: {
  type: 'string' | 'integer';
  enum?: string[];
  minimum?: number;
  maximum?: number;
}) => ({ anyOf: [item, { type: 'array' as const, items: item }] });

/** The filters for the API documents; `query.ts` decides what is valid. */
const filterProperties = {
  gpuName: oneOrMore({ type: 'string' }),
  type: oneOrMore({ type: 'string', enum: [...pricingTypes] }),
  ...Object.fromEntries(filterEntries.map(([name, spec]) => [name, filterProperty(spec)])),
};

function filterProperty({ operator, values, isWhole, min, max, keeps }: OfferFilterSpec) {
  const description = `Offers ${keeps}`;
  if (operator === 'is') return { type: 'boolean' as const, description };
  const limits = {
    ...(min === undefined ? {} : { minimum: min }),
    ...(max === undefined ? {} : { maximum: max }),
  };
  if (!isList(operator)) return { ...number, ...limits, description };
  const type = isWhole === true ? ('integer' as const) : ('string' as const);
  return {
    ...oneOrMore({ type, ...limits, ...(values === undefined ? {} : { enum: [...values] }) }),
    description,
  };
}

/** Turns a JSON value into the equivalent query parameter, so that one schema checks both. */
function asParameter(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 1 ? asParameter(value[0]) : value.map(asParameter);
  if (typeof value === 'number') return String(Number(value.toPrecision(15)));
  // A value that no parameter can have is as wrong as an empty one.
  return typeof value === 'object' ? '' : typeof value === 'boolean' ? String(value) : value;
}

function asParameters(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, asParameter(each)]));
}

const filters = z
  .preprocess(asParameters, z.strictObject({ ...seriesParams, ...filterParams }))
  .openapi('WatchFilters', {
    type: 'object',
    description: 'Conditions on offers, as on rankings; a list means one of its values',
    properties: filterProperties,
    additionalProperties: false,
  });

type SavedFilters = { [Name in FilterName]: z.ZodOptional<z.ZodType<NonNullable<OfferFilter[Name]>>> };

/** Returns the filters for a response: lists are lists, and unset ones are absent. */
export const SavedFiltersSchema = z
  .object({
    gpuName: z.array(z.string()).optional(),
    type: z.array(z.enum(pricingTypes)).optional(),
    ...(Object.fromEntries(
      filterEntries.map(([name, spec]) => [name, savedSchema(spec).optional()]),
    ) as unknown as SavedFilters),
  })
  .openapi('SavedFilters', { description: 'The conditions that are set; others are absent' });

function savedSchema({ operator, values, isWhole }: OfferFilterSpec): z.ZodType {
  if (operator === 'is') return z.boolean();
  const item = values !== undefined ? z.enum(values) : isWhole === true ? z.int() : z.string();
  return isList(operator) ? z.array(item) : z.number();
}

const profile = z.preprocess(asParameters, z.strictObject(profileParams)).openapi('UsageProfile', {
  type: 'object',
  description: 'The usage profile; defaults as in rankings',
  properties: {
    storageGb: number,
    downGb: number,
    upGb: number,
    runningHours: { ...number, exclusiveMinimum: 0 },
    stoppedHours: number,
  },
  additionalProperties: false,
});

const schedule = z.strictObject({
  cron: z
    .string()
    .max(200)
    .refine(isFixedCron, 'must be a cron expression like */10 * * * * with a date that exists')
    .optional()
    .openapi({ description: `5 fields, or 6 with seconds. A new watch: \`${watchDefaults.cron}\`` }),
  timeZone: z
    .string()
    .refine(isTimeZone, 'must be a time zone like Europe/Berlin')
    .optional()
    .openapi({ description: 'Time zone of the expression. A new watch: TZ of the service' }),
});

/** Every morning. */
const defaultReportCron = '0 8 * * *';

const name = storableLine(200).min(1);
const choices = {
  filters: filters.optional(),
  profile: profile.optional(),
  rankBy: z
    .enum(rankingMetrics)
    .optional()
    .openapi({ description: `A new watch: \`${watchDefaults.rankBy}\`` }),
  top: z
    .int()
    .min(1)
    .max(1000)
    .optional()
    .openapi({ description: `Offers in a report. A new watch: ${watchDefaults.top}` }),
  schedule: schedule.optional().openapi({ description: 'When its own book is crawled' }),
  channelIds: z
    .array(z.uuid())
    .max(20)
    .optional()
    .openapi({ description: 'Channels of its reports, and of alerts of rules without channels' }),
  reportSchedule: schedule
    .nullable()
    .optional()
    .openapi({
      description:
        'When its report is sent; null: only on request. A new watch with channels and a `schedule.cron`: ' +
        'that; otherwise null',
    }),
};

/** The body of `POST /api/watches`. */
export const NewWatchSchema = z
  .strictObject({
    name,
    market: marketsField('Its market, or a list of several. Default: the configured market'),
    ...choices,
  })
  .openapi('NewWatch', {
    example: {
      name: 'cheap 4090s',
      filters: { gpuName: ['RTX 4090'], minReliability: 0.98 },
      rankBy: 'usdPerGpuHour',
      top: 20,
    },
  });

/** The body of `PATCH /api/watches/{id}`. */
export const WatchChangeSchema = z
  .strictObject({
    name: name.optional(),
    market: marketsField('Its markets from now on, one or a list; the others are no longer followed'),
    ...choices,
  })
  .openapi('WatchChange', {
    example: { filters: { gpuName: ['RTX 4090', 'RTX 5090'], country: ['DE', 'FR'] }, top: 10 },
  });

/** The offers that a rule watches, in place of the id of a watch. */
export const WatchedOffersSchema = z
  .strictObject({
    market: marketsField('The market, or a list of several. Default: the configured market'),
    filters: choices.filters,
    profile: choices.profile,
  })
  .openapi('WatchedOffers', { example: { filters: { gpuName: ['H100 SXM'] } } });

type WatchChoices = Omit<z.output<typeof WatchChangeSchema>, 'market'>;

/** Returns the fields after a change: `filters` are replaced as a whole, profile and schedule part by part. */
export function changedFields(watch: WatchFields, body: WatchChoices): WatchFields {
  return {
    name: body.name ?? watch.name,
    filters: body.filters === undefined ? watch.filters : given<WatchFilters>(body.filters),
    profile: { ...watch.profile, ...given(body.profile ?? {}) },
    rankBy: body.rankBy ?? watch.rankBy,
    top: body.top ?? watch.top,
    schedule: { ...watch.schedule, ...given(body.schedule ?? {}) },
    channelIds: [...new Set(body.channelIds ?? watch.channelIds)],
    reportSchedule: changedReportSchedule(watch, body),
  };
}

function changedReportSchedule(
  { schedule: ownBooks, reportSchedule }: WatchFields,
  { reportSchedule: requested }: WatchChoices,
): WatchFields['reportSchedule'] {
  if (requested === undefined || requested === null) return requested === null ? null : reportSchedule;
  const { cron, timeZone } = { ...reportSchedule, ...given(requested) };
  return { cron: cron ?? defaultReportCron, timeZone: timeZone ?? ownBooks.timeZone };
}

type Defined<T> = { [Name in keyof T]: Exclude<T[Name], undefined> };

/** Drops undefined values. */
const given = <T extends object>(value: { [Name in keyof T]: T[Name] | undefined }): Defined<T> =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as Defined<T>;
