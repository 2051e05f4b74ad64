import { z } from '@hono/zod-openapi';
import { isTimeZone } from '../calendar-date.ts';
import { defaultProfile, type UsageProfile } from '../metric.ts';
import { type PricingType, pricingTypes, verificationTiers } from '../offer.ts';
import type { OfferFilter } from '../offer-filter.ts';
import { isStorableLine, isStorableText } from '../storable-text.ts';

const numberPattern = /^-?\d{1,15}(\.\d{1,15})?([eE][+-]?\d{1,2})?$/;

interface NumberLimits {
  min?: number;
  max?: number;
  above?: number;
  whole?: true;
}

function numberSchema({ min, max, above, whole }: NumberLimits) {
  let number = whole ? z.int('must be a whole number') : z.number();
  if (min !== undefined) number = number.min(min);
  if (max !== undefined) number = number.max(max);
  if (above !== undefined) number = number.gt(above);
  return z.string().regex(numberPattern, 'must be a number').transform(Number).pipe(number);
}

const numberParam = (description: string, limits: NumberLimits, unset?: number) =>
  numberSchema(limits)
    .optional()
    .openapi({
      type: limits.whole ? 'integer' : 'number',
      description,
      ...(limits.min === undefined ? {} : { minimum: limits.min }),
      ...(limits.max === undefined ? {} : { maximum: limits.max }),
      ...(limits.above === undefined ? {} : { exclusiveMinimum: limits.above }),
      ...(unset === undefined ? {} : { default: unset }),
    });

/** A parameter that may be repeated: any of its values. At most 100. */
const listOf = <T extends z.ZodType<unknown, string>>(item: T) =>
  z
    .union([z.string(), z.array(z.string())])
    .transform((given) => [...new Set([given].flat())])
    .pipe(z.array(item).max(100, 'may be repeated at most 100 times'))
    .optional();

const listed = (description: string, items: { type: 'string' | 'integer'; enum?: string[] }) => ({
  type: 'array' as const,
  items,
  description,
});

const unstorable = 'must hold no control characters';

/** Text of one line, as it is given. */
export const storableText = (max: number) => z.string().max(max).refine(isStorableLine, unstorable);

/** Text of one line that a person wrote, without the blanks around it. */
export const storableLine = (max: number) => z.string().trim().max(max).refine(isStorableLine, unstorable);

/** Text of any number of lines: a script, a value of the environment. */
export const storableLines = (max: number) =>
  z.string().max(max).refine(isStorableText, 'must hold no U+0000 and no halves of characters');

const name = storableText(200).min(1, 'must not be empty');
const id = numberSchema({ min: 0, whole: true });
const idList = (description: string) => listOf(id).openapi(listed(description, { type: 'integer' }));
const flag = (description: string) =>
  z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .optional()
    .openapi({ type: 'boolean', description });

/** The market of a read. */
export const marketParam = {
  market: name.optional().openapi({ description: 'Name of the market; default: the configured one' }),
};

/** Models and pricing types, each repeatable. */
export const seriesParams = {
  gpuName: listOf(name).openapi(listed('GPU model as the market spells it; repeatable', { type: 'string' })),
  type: listOf(z.enum(pricingTypes)).openapi(
    listed('Pricing type; repeatable; default `on-demand`', { type: 'string', enum: [...pricingTypes] }),
  ),
};

const countryCode = z
  .string()
  .regex(/^[A-Za-z]{2}$/, 'must be a two-letter country code')
  .transform((code) => code.toUpperCase());

/** The filters of design section 4 beside model and type. */
export const filterParams = {
  numGpus: listOf(numberSchema({ min: 1, max: 32_767, whole: true })).openapi(
    listed('GPUs of the offer; repeatable', { type: 'integer' }),
  ),
  verification: listOf(z.enum(verificationTiers)).openapi(
    listed('Verification tier; repeatable', { type: 'string', enum: [...verificationTiers] }),
  ),
  country: listOf(countryCode).openapi(listed('Two-letter country code; repeatable', { type: 'string' })),
  datacenter: flag('In a datacenter or not'),
  staticIp: flag('With a static address or not'),
  minReliability: numberParam('Lowest reliability, 0 to 1', { min: 0, max: 1 }),
  minVramGb: numberParam('Least VRAM of one GPU, GB of 1000 MB', { min: 0 }),
  minCuda: numberParam('Lowest highest-supported CUDA version', { min: 0 }),
  minDiskGb: numberParam('Least disk, GB', { min: 0 }),
  minInetDown: numberParam('Least download speed, as listed', { min: 0 }),
  minInetUp: numberParam('Least upload speed, as listed', { min: 0 }),
  maxUsdPerHour: numberParam("Highest price of the whole offer with the profile's storage, USD/hour", {
    min: 0,
  }),
  machineId: idList('Machine; repeatable'),
  hostId: idList('Host; repeatable'),
  excludeMachineId: idList('Machine to leave out; repeatable'),
  excludeHostId: idList('Host to leave out; repeatable'),
};

/** The usage profile. */
export const profileParams = {
  storageGb: numberParam('Disk, GB', { min: 0 }, defaultProfile.storageGb),
  downGb: numberParam('Download in all, GB', { min: 0 }, defaultProfile.downGb),
  upGb: numberParam('Upload in all, GB', { min: 0 }, defaultProfile.upGb),
  runningHours: numberParam('Hours running', { above: 0 }, defaultProfile.runningHours),
  stoppedHours: numberParam(
    'Hours stopped, when only the disk costs',
    { min: 0 },
    defaultProfile.stoppedHours,
  ),
};

/** A price that somebody would pay for a whole offer. */
export const budgetParam = {
  budgetUsdPerHour: numberParam("Price of the whole offer with the profile's storage, USD/hour", {
    above: 0,
  }),
};

/** The range of a history. */
export const rangeParams = {
  from: z.string().optional().openapi({
    description: 'Inclusive: an instant with its zone, or a date. Default: 30 days before `to`',
  }),
  to: z.string().optional().openapi({
    description: 'Exclusive: an instant with its zone, or a date. Default: just after the newest book',
  }),
  timeZone: z
    .string()
    .refine(isTimeZone, 'must be a time zone like Europe/Berlin')
    .default('UTC')
    .openapi({ description: 'Zone whose midnight a date means', default: 'UTC' }),
};

/** The pages of a list. */
export const pageParams = {
  limit: numberSchema({ min: 1, max: 1000, whole: true })
    .default(100)
    .openapi({ type: 'integer', minimum: 1, maximum: 1000, default: 100, description: 'Items a page' }),
  cursor: z
    .string()
    .max(1000)
    .optional()
    .openapi({ description: '`nextCursor` of the page before; the other parameters must stay the same' }),
};

type Given<T extends z.ZodRawShape> = z.output<z.ZodObject<T>>;

/** The filter that the parameters mean. */
export function readFilter(query: Given<typeof filterParams>): OfferFilter {
  return {
    numGpus: query.numGpus ?? [],
    verification: query.verification ?? [],
    country: query.country ?? [],
    datacenter: query.datacenter ?? null,
    staticIp: query.staticIp ?? null,
    minReliability: query.minReliability ?? null,
    minVramGb: query.minVramGb ?? null,
    minCuda: query.minCuda ?? null,
    minDiskGb: query.minDiskGb ?? null,
    minInetDown: query.minInetDown ?? null,
    minInetUp: query.minInetUp ?? null,
    maxUsdPerHour: query.maxUsdPerHour ?? null,
    machineId: query.machineId ?? [],
    hostId: query.hostId ?? [],
    excludeMachineId: query.excludeMachineId ?? [],
    excludeHostId: query.excludeHostId ?? [],
  };
}

/** The usage profile that the parameters mean. */
export function readProfile(query: Given<typeof profileParams>): UsageProfile {
  return {
    storageGb: query.storageGb ?? defaultProfile.storageGb,
    downGb: query.downGb ?? defaultProfile.downGb,
    upGb: query.upGb ?? defaultProfile.upGb,
    runningHours: query.runningHours ?? defaultProfile.runningHours,
    stoppedHours: query.stoppedHours ?? defaultProfile.stoppedHours,
  };
}

/** The pricing types asked for, in their own order. */
export const readTypes = (given: PricingType[] | undefined): PricingType[] =>
  given === undefined ? ['on-demand'] : pricingTypes.filter((type) => given.includes(type));
