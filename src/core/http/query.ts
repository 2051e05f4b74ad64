import { z } from '@hono/zod-openapi';
import { isTimeZone } from '../calendar-date.ts';
import { readCountry, readShare } from '../filter-words.ts';
import { defaultProfile, type UsageProfile } from '../metric.ts';
import { type PricingType, pricingTypes } from '../offer.ts';
import {
  type FilterName,
  filterEntries,
  isList,
  noFilter,
  type OfferFilter,
  type OfferFilterSpec,
} from '../offer-filter.ts';
import { isStorableLine, isStorableText } from '../storable-text.ts';
import { badField } from './problem.ts';

const numberPattern = /^-?\d{1,15}(\.\d{1,15})?([eE][+-]?\d{1,2})?$/;

interface NumberLimits {
  min?: number | undefined;
  max?: number | undefined;
  above?: number;
  whole?: true | undefined;
}

function numberSchema({ min, max, above, whole }: NumberLimits) {
  let number = whole ? z.int('must be a whole number') : z.number();
  if (min !== undefined) number = number.min(min);
  if (max !== undefined) number = number.max(max);
  if (above !== undefined) number = number.gt(above);
  return z.string().regex(numberPattern, 'must be a number').transform(Number).pipe(number);
}

/** A number within limits. */
export const numberParam = (description: string, limits: NumberLimits, unset?: number) =>
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

/** A parameter that may be repeated, at most 100 times, to allow several values. */
export const listOf = <T extends z.ZodType<unknown, string>>(item: T) =>
  z
    .union([z.string(), z.array(z.string())])
    .transform((given) => [...new Set([given].flat())])
    .pipe(z.array(item).max(100, 'may be repeated at most 100 times'))
    .optional();

/** The description of such a parameter. */
export const listed = (description: string, items: { type: 'string' | 'integer'; enum?: string[] }) => ({
  type: 'array' as const,
  items,
  description,
});

const unstorable = 'must not contain control characters';

/** Text of one line, exactly as given. */
export const storableText = (max: number) => z.string().max(max).refine(isStorableLine, unstorable);

/** Text of one line that a person typed, without the spaces around it. */
export const storableLine = (max: number) => z.string().trim().max(max).refine(isStorableLine, unstorable);

/** Text of any number of lines: a script, an environment variable. */
export const storableLines = (max: number) =>
  z.string().max(max).refine(isStorableText, 'must not contain U+0000 or unpaired surrogates');

const name = storableText(200).min(1, 'must not be empty');
/** A parameter that is true, false or not given. */
export const flagParam = (description: string) =>
  z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .optional()
    .openapi({ type: 'boolean', description });

/** The market to read. */
export const marketParam = {
  market: name.optional().openapi({ description: 'Name of the market; default: the configured one' }),
};

/** The markets of a read that can compare several. */
export const marketsParam = {
  market: listOf(name).openapi(
    listed('Name of a market; repeatable, to compare several; default: the configured one', {
      type: 'string',
    }),
  ),
};

/** One market or several, in a body. */
export const marketsField = (description: string) =>
  z
    .union([name, z.array(name).min(1).max(20)])
    .optional()
    .openapi({ description });

/** Models and pricing types, each repeatable. */
export const seriesParams = {
  gpuName: listOf(name).openapi(listed('GPU model as the market spells it; repeatable', { type: 'string' })),
  type: listOf(z.enum(pricingTypes)).openapi(
    listed('Pricing type; repeatable; default `on-demand`', { type: 'string', enum: [...pricingTypes] }),
  ),
};

/** A text that stands for a value; null is refused with the message. */
const readAs = <T>(read: (text: string) => T | null, message: string) =>
  z.string().transform((text, context): T => {
    const value = read(text);
    if (value !== null) return value;
    context.addIssue(message);
    return z.NEVER;
  });

const country = readAs(readCountry, 'must be a country, such as DE or Germany');
const share = readAs(readShare, 'must be a share, such as 0.98 or 98%');

/** What one value of a filter may be. */
function valueSchema({ values, format, isWhole, min, max }: OfferFilterSpec): z.ZodType<unknown, string> {
  if (values !== undefined) return z.enum(values);
  if (format === 'countryCode') return country;
  return numberSchema({ min, max, whole: isWhole });
}

function filterParam(spec: OfferFilterSpec) {
  const { operator, keeps, values, format, isWhole, min, max } = spec;
  if (operator === 'is') return flagParam(`Offers ${keeps}`);
  if (format === 'share') {
    const description = `Offers ${keeps}`;
    return share.optional().openapi({ type: 'number', description, minimum: 0, maximum: 1 });
  }
  if (!isList(operator)) return numberParam(`Offers ${keeps}`, { min, max, whole: isWhole });
  const type = isWhole === true ? ('integer' as const) : ('string' as const);
  const items = { type, ...(values === undefined ? {} : { enum: [...values] }) };
  return listOf(valueSchema(spec)).openapi(listed(`Offers ${keeps}; repeatable`, items));
}

type FilterParams = {
  [Name in FilterName]: z.ZodOptional<z.ZodType<NonNullable<OfferFilter[Name]>, string | string[]>>;
};

/** The filters besides model and type. */
export const filterParams = Object.fromEntries(
  filterEntries.map(([name, spec]) => [name, filterParam(spec)]),
) as unknown as FilterParams;

/** The usage profile. */
export const profileParams = {
  storageGb: numberParam('Disk, GB', { min: 0 }, defaultProfile.storageGb),
  downGb: numberParam('Total download, GB', { min: 0 }, defaultProfile.downGb),
  upGb: numberParam('Total upload, GB', { min: 0 }, defaultProfile.upGb),
  runningHours: numberParam('Hours running', { above: 0 }, defaultProfile.runningHours),
  stoppedHours: numberParam(
    'Hours stopped, when only the disk costs',
    { min: 0 },
    defaultProfile.stoppedHours,
  ),
};

/** The price that someone would pay for the whole machine. */
export const budgetParam = {
  budgetUsdPerHour: numberParam("Budget for a whole machine with the profile's storage, USD/hour", {
    above: 0,
  }),
};

/** A number of whole hours from 1 to `max`; defaults to `unset`. */
export const wholeHoursParam = (description: string, { max, unset }: { max: number; unset: number }) =>
  numberSchema({ min: 1, max, whole: true })
    .default(unset)
    .openapi({ type: 'integer', minimum: 1, maximum: max, default: unset, description });

/** The time range of a history. */
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
    .openapi({ description: 'Time zone of dates', default: 'UTC' }),
};

/** The paging parameters of a list. */
export const pageParams = {
  limit: numberSchema({ min: 1, max: 1000, whole: true })
    .default(100)
    .openapi({ type: 'integer', minimum: 1, maximum: 1000, default: 100, description: 'Items per page' }),
  cursor: z
    .string()
    .max(1000)
    .optional()
    .openapi({ description: '`nextCursor` of the previous page; the other parameters must stay the same' }),
};

type Given<T extends z.ZodRawShape> = z.output<z.ZodObject<T>>;

/** Returns the filter that the parameters describe. */
export function readFilter(query: Given<typeof filterParams>): OfferFilter {
  const names = Object.keys(noFilter) as FilterName[];
  return Object.fromEntries(names.map((name) => [name, query[name] ?? noFilter[name]])) as OfferFilter;
}

/** Returns the usage profile that the parameters describe. */
export function readProfile(query: Given<typeof profileParams>): UsageProfile {
  return {
    storageGb: query.storageGb ?? defaultProfile.storageGb,
    downGb: query.downGb ?? defaultProfile.downGb,
    upGb: query.upGb ?? defaultProfile.upGb,
    runningHours: query.runningHours ?? defaultProfile.runningHours,
    stoppedHours: query.stoppedHours ?? defaultProfile.stoppedHours,
  };
}

/** Returns the requested pricing types in their fixed order. */
export const readTypes = (given: PricingType[] | undefined): PricingType[] =>
  given === undefined ? ['on-demand'] : pricingTypes.filter((type) => given.includes(type));

const maxSeries = 100;

/** Returns the types and models of the requested series, for this many markets. Throws a 400 for more than 100 series. */
export function readSeries(
  { type, gpuName: gpuNames = [] }: Given<typeof seriesParams>,
  markets = 1,
): {
  types: PricingType[];
  gpuNames: string[];
} {
  const types = readTypes(type);
  if (types.length * Math.max(1, gpuNames.length) * markets > maxSeries) {
    throw badField('gpuName', `and \`type\` give more than ${maxSeries} series: narrow them`);
  }
  return { types, gpuNames };
}
