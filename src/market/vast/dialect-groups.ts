import { z } from 'zod';
import { filterOperators } from '../../core/market-filter.ts';
import type { pricingTypes } from '../../core/offer.ts';
import { verificationTiers } from '../../core/offer-fields.ts';

const name = z.string().min(1);
const seconds = z.number().min(0).max(3_600);
const httpStatus = z.int().min(100).max(599);
const pageLimit = z.int().min(1).max(1_000_000);
const filter = z
  .partialRecord(z.enum(filterOperators), z.unknown())
  .refine((value) => Object.keys(value).length === 1, { error: 'expected one operator and its value' });

const path = z.string().regex(/^\/[^?#\s]*$/, { error: 'expected a path that begins with /' });
const pathOfOne = path.includes('{id}', { error: 'expected a path with {id} in it' });

/** Names that a search sets itself; a fixed filter with such a name would be lost or would hide offers. */
const takenFilters = [
  ...['type', 'limit', 'order', 'rentable', 'verification', 'id', 'gpu_name', 'dph_total', 'machine_id'],
];

const search = z.strictObject({
  path: path.default('/api/v0/bundles/'),
  typeNames: z
    .strictObject({
      'on-demand': name.default('on-demand'),
      bid: name.default('bid'),
      reserved: name.default('reserved'),
    } satisfies Record<(typeof pricingTypes)[number], unknown>)
    .prefault({}),
  storageParameter: name.default('allocated_storage'),
  datacenterParameter: name.default('datacenter'),
  osVersionAlias: name.default('ubuntu_version'),
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
  extraFilterFields: z.record(name, z.enum(['number', 'text', 'boolean'])).default({}),
  pageLimit: pageLimit.default(5_000),
});

const instances = z.strictObject({
  createMethod: z.enum(['PUT', 'POST']).default('PUT'),
  createPath: pathOfOne.default('/api/v0/asks/{id}/'),
  listPath: path.default('/api/v0/instances/'),
  path: pathOfOne.default('/api/v0/instances/{id}/'),
  stopState: name.default('stopped'),
  startState: name.default('running'),
  labelParameter: name.nullable().default('label'),
});

const bid = z.strictObject({
  priceParameter: name.default('price'),
  minUsdPerHour: z.number().min(0).default(0.001),
  maxUsdPerHour: z.number().positive().default(128),
  changePath: pathOfOne.default('/api/v0/instances/bid_price/{id}/'),
  changeClientId: name.nullable().default('me'),
});

const templates = z.strictObject({
  searchPath: path.default('/api/v0/template/'),
  path: path.default('/api/v0/template/'),
  columnsParameter: name.default('select_cols'),
  orderParameter: name.default('order_by'),
});

const volumes = z.strictObject({
  createPath: path.default('/api/v0/volumes'),
  searchPath: path.default('/api/v0/volumes/search/'),
  listPath: path.default('/api/v0/volumes/'),
  deletePath: path.default('/api/v0/volumes/'),
  deleteIdIn: z.enum(['body', 'query']).default('body'),
  pageLimit: pageLimit.default(64),
});

const invoices = z.strictObject({
  path: path.default('/api/v1/invoices'),
  filtersParameter: name.default('select_filters'),
  orderParameter: name.default('order_by'),
  newestFirstParameter: name.default('latest_first'),
  tokenParameter: name.default('next_token'),
  pageLimit: pageLimit.default(60),
});

const charges = z.strictObject({
  path: path.default('/api/v0/charges/'),
  filtersParameter: name.default('select_filters'),
  newestFirstParameter: name.default('latest_first'),
  tokenParameter: name.default('after_token'),
  types: z.array(name).min(1).default(['instance', 'volume', 'serverless']),
  pageLimit: pageLimit.default(100),
  maxPageLimit: pageLimit.default(500),
});

const extensions = z.strictObject({
  charges: z.boolean().default(true),
  bidChange: z.boolean().default(true),
  labelChange: z.boolean().default(true),
  volumes: z.boolean().default(true),
});

const auth = z.strictObject({
  statuses: z.array(httpStatus).default([401, 403]),
  phrases: z.array(name).default(['invalid user key']),
});

const errors = z.strictObject({
  offerGoneStatuses: z.array(httpStatus).default([410]),
  offerGoneCodes: z.array(name).default(['no_such_ask']),
  notFoundCodes: z.array(name).default(['no_such_instance', 'no_such_volume', 'not_found']),
});

const rateLimit = z.strictObject({
  statuses: z.array(httpStatus).default([429]),
  phrases: z
    .array(name)
    .default(['threshold', 'too many requests', 'too frequent', 'rate limit', 'rate_limit']),
  firstWaitSeconds: seconds.default(2),
  maxRetryAfterSeconds: seconds.default(120),
});

const minIntervalSeconds = z.strictObject({
  searchOffers: seconds.default(0),
  createInstance: seconds.default(4.5),
  listInstances: seconds.default(1),
  getInstance: seconds.default(2),
  changeInstance: seconds.default(0),
  destroyInstance: seconds.default(3),
  changeBid: seconds.default(0),
  templates: seconds.default(3),
  volumes: seconds.default(5.5),
  invoices: seconds.default(3),
  charges: seconds.default(1),
});

/** The groups of a dialect file with their defaults. Source: docs/dialect.md. */
export const dialectGroups = {
  search: search.prefault({}),
  instances: instances.prefault({}),
  bid: bid.prefault({}),
  templates: templates.prefault({}),
  volumes: volumes.prefault({}),
  invoices: invoices.prefault({}),
  charges: charges.prefault({}),
  extensions: extensions.prefault({}),
  auth: auth.prefault({}),
  errors: errors.prefault({}),
  rateLimit: rateLimit.prefault({}),
  minIntervalSeconds: minIntervalSeconds.prefault({}),
};
