import { z } from 'zod';
import { UserError } from '../domain/errors.ts';
import { type pricingTypes, verificationTiers } from '../domain/offer.ts';

const name = z.string().min(1);
const seconds = z.number().min(0).max(3_600);
const httpStatus = z.int().min(100).max(599);
const operators = ['eq', 'neq', 'gt', 'lt', 'gte', 'lte', 'in', 'notin'] as const;
const filter = z
  .partialRecord(z.enum(operators), z.unknown())
  .refine((value) => Object.keys(value).length === 1, { error: 'expected one operator and its value' });

/** Names that a search sets by itself: a fixed filter of such a name would be lost or would hide offers. */
const takenFilters = ['type', 'limit', 'order', 'rentable', 'verification', 'id', 'gpu_name', 'dph_total'];

const search = z.strictObject({
  path: z
    .string()
    .regex(/^\/[^?#\s]*$/, { error: 'expected a path that begins with /' })
    .default('/api/v0/bundles/'),
  typeNames: z
    .strictObject({
      'on-demand': name.default('on-demand'),
      bid: name.default('bid'),
      reserved: name.default('reserved'),
    } satisfies Record<(typeof pricingTypes)[number], unknown>)
    .prefault({}),
  storageParameter: name.default('allocated_storage'),
  verificationTiers: z
    .array(name)
    .min(1)
    .default([...verificationTiers]),
  fixedFilters: z
    .record(name, filter)
    .refine((value) => takenFilters.every((taken) => !(taken in value)), {
      error: `${takenFilters.join(', ')} are set by the search itself`,
    })
    .default({ rented: { eq: false } }),
  pageLimit: z.int().min(1).max(1_000_000).default(5_000),
});

const auth = z.strictObject({
  statuses: z.array(httpStatus).default([401, 403]),
  phrases: z.array(name).default(['invalid user key']),
});

const rateLimit = z.strictObject({
  statuses: z.array(httpStatus).default([429]),
  phrases: z
    .array(name)
    .default(['threshold', 'too many requests', 'too frequent', 'rate limit', 'rate_limit']),
  firstWaitSeconds: seconds.default(2),
  maxRetryAfterSeconds: seconds.default(120),
});

const minIntervalSeconds = z.strictObject({ searchOffers: seconds.default(0) });

const dialectSchema = z.strictObject({
  search: search.prefault({}),
  auth: auth.prefault({}),
  rateLimit: rateLimit.prefault({}),
  minIntervalSeconds: minIntervalSeconds.prefault({}),
});

/**
 * What the specification leaves open and how this market fills it in: every "not shown" that the program
 * touches. `docs/dialect.md` explains each key; the defaults are those of the marketplace facts.
 */
export type Dialect = z.infer<typeof dialectSchema>;

/** The endpoints that a minimum interval and a request budget go by. */
export type EndpointName = keyof Dialect['minIntervalSeconds'];

/** The dialect without a `MARKET_DIALECT` file. */
export const defaultDialect: Dialect = dialectSchema.parse({});

/**
 * The dialect in the JSON text of a `MARKET_DIALECT` file: defaults for what it leaves out.
 * `source` names the file in messages. Throws UserError with every unknown key and wrong value at once.
 */
export function parseDialect(text: string, source: string): Dialect {
  const parsed = dialectSchema.safeParse(parseJson(text, source));
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(
    ({ path, message }) => `${path.length === 0 ? 'the whole' : path.join('.')}: ${message}`,
  );
  throw new UserError(`MARKET_DIALECT ${source}: ${problems.join('; ')}. docs/dialect.md lists the keys`);
}

/** Every key as `group.key`, in the order of the file: what the documentation must list. */
export function dialectKeys(): string[] {
  return Object.entries(defaultDialect).flatMap(([group, keys]) =>
    Object.keys(keys).map((key) => `${group}.${key}`),
  );
}

function parseJson(text: string, source: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new UserError(`MARKET_DIALECT ${source} is not JSON: ${(cause as Error).message}`, { cause });
  }
}
