import type { FilterCondition, MarketFilters } from '../../core/market-filter.ts';
import { type InstanceEnv, parseEnvFlags } from '../../market/env-flags.ts';
import type { InstanceRequest } from '../../market/instance-request.ts';
import type { Template } from '../../market/template.ts';
import type { VolumeAttachment } from '../../market/volume.ts';

/** The settings of a new instance, from request and template together; null: neither states it. */
export interface ResolvedInstance {
  image: string | null;
  diskGb: number;
  onstart: string | null;
  env: InstanceEnv;
  /** Words of the template's flag string that are neither variable nor port. */
  otherFlags: readonly string[];
  volume: VolumeAttachment | null;
  runtype: string | null;
  args: string | null;
  extraFilters: MarketFilters;
  label: string | null;
  bidUsdPerHour: number | null;
}

/** The template's contribution. */
export type TemplateDefaults = Pick<
  Template,
  'image' | 'tag' | 'onstart' | 'env' | 'runtype' | 'args' | 'extraFilters'
>;

/**
 * Combines a request and its template as the market does: scalars of the request win, `env` and `extraFilters` are
 * merged by key with the request winning, a volume only comes from the request. `template` null: none. Throws UserError
 * for unreadable env flags. Source: docs/marketplace.md#template-and-request.
 */
export function resolveCreate(request: InstanceRequest, template: TemplateDefaults | null): ResolvedInstance {
  const stored = parseEnvFlags(template?.env ?? '');
  return {
    image: request.image ?? (template === null ? null : imageOf(template)),
    diskGb: request.diskGb,
    onstart: request.onstart ?? template?.onstart ?? null,
    env: mergeByKey<string>(stored.env, request.env ?? {}),
    otherFlags: stored.rest,
    volume: request.volume ?? null,
    runtype: request.runtype ?? template?.runtype ?? null,
    args: request.args ?? template?.args ?? null,
    extraFilters: mergeByKey<FilterCondition>(template?.extraFilters ?? {}, request.extraFilters ?? {}),
    label: request.label ?? null,
    bidUsdPerHour: request.bidUsdPerHour ?? null,
  };
}

/** A tag belongs to the template's image and follows it; an image with a tag keeps its own. */
function imageOf({ image, tag }: TemplateDefaults): string {
  const hasTag = /[:@][^/]*$/.test(image);
  return hasTag || tag === null || tag === '' ? image : `${image}:${tag}`;
}

// With a Map, so that a key named __proto__ is an ordinary key.
function mergeByKey<T>(
  under: Readonly<Record<string, T>>,
  over: Readonly<Record<string, T>>,
): Record<string, T> {
  return Object.fromEntries(new Map([...Object.entries(under), ...Object.entries(over)]));
}
