import { createHash } from 'node:crypto';
import type { MarketFilters } from '../../core/market-filter.ts';
import type { InstanceEnv } from '../../market/env-flags.ts';
import type { InstanceRequest } from '../../market/instance-request.ts';
import type { Runtype } from '../../market/template.ts';
import type { VolumeAttachment } from '../../market/volume.ts';
import type { RentEnds } from '../instances/end-limits.ts';
import type { FailurePolicy } from '../rental.ts';

/** A request to rent; exactly one of `offerId` and `watchId`. Source: docs/api.md#acting. */
export interface RentRequest extends RentEnds {
  offerId?: number | undefined;
  /** The cheapest current match of this watch. */
  watchId?: string | undefined;
  image?: string | undefined;
  templateHashId?: string | undefined;
  diskGb: number;
  /** Cap on $/hour of the whole machine with its disk. */
  maxUsdPerHour?: number | undefined;
  /** Makes it a bid. */
  bidUsdPerHour?: number | undefined;
  env?: InstanceEnv | undefined;
  onstart?: string | undefined;
  args?: string | undefined;
  runtype?: Runtype | undefined;
  extraFilters?: MarketFilters | undefined;
  volume?: VolumeAttachment | undefined;
  label?: string | undefined;
  costCenter?: string | undefined;
  /** @default `notify` */
  onFailure?: FailurePolicy | undefined;
  /** With `replace`: maximum number of replacements. @default 1 */
  replacements?: number | undefined;
  /** Minutes after which an instance that never ran has failed to start. @default 20 */
  provisionMinutes?: number | undefined;
  /** Whether to try the next best offer if one is gone or above the cap. @default false */
  nextBest?: boolean | undefined;
  /** For the price of the usage profile; storage is the disk. */
  profile?: { downGb?: number; upGb?: number; runningHours?: number; stoppedHours?: number } | undefined;
}

export const defaultProvisionMinutes = 20;

/** What is sent for a request, except the label. */
export function instanceRequestOf(request: RentRequest): InstanceRequest {
  const { image, templateHashId, diskGb, onstart, env, volume, runtype, args, extraFilters, bidUsdPerHour } =
    request;
  return { image, templateHashId, diskGb, onstart, env, volume, runtype, args, extraFilters, bidUsdPerHour };
}

/** Returns the same hash for equal requests, in any order of fields. */
export const hashOfRequest = (request: RentRequest): string =>
  createHash('sha256')
    .update(JSON.stringify(sorted(request)))
    .digest('hex');

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.fromEntries(
    entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, field]) => [key, sorted(field)]),
  );
}

/** Returns a request without secrets: of the environment its names, of scripts their lengths. */
export function publicRequest(request: RentRequest): Record<string, unknown> {
  const { env, onstart, args, ...rest } = request;
  return {
    ...(sorted(rest) as object),
    ...(env === undefined ? {} : { env: Object.keys(env).sort() }),
    ...(onstart === undefined ? {} : { onstartCharacters: onstart.length }),
    ...(args === undefined ? {} : { argsCharacters: args.length }),
  };
}

/** Whether a request has anything that `publicRequest` leaves out. */
export const hasSecrets = ({ env, onstart, args }: RentRequest): boolean =>
  (env !== undefined && Object.keys(env).length > 0) || onstart !== undefined || args !== undefined;
