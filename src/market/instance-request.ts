import type { MarketFilters } from '../core/market-filter.ts';
import type { InstanceEnv } from './env-flags.ts';
import type { Runtype } from './template.ts';
import type { VolumeAttachment } from './volume.ts';

/** A new instance from an offer; needs image or template. Source: docs/marketplace.md#43-create-an-instance. */
export interface InstanceRequest {
  /** Overrides the template's. */
  image?: string | undefined;
  /** The template's `hash_id`, never its numeric id. */
  templateHashId?: string | undefined;
  /** GB, fixed at creation. */
  diskGb: number;
  onstart?: string | undefined;
  env?: InstanceEnv | undefined;
  volume?: VolumeAttachment | undefined;
  runtype?: Runtype | undefined;
  /** Replaces or extends the image's command. */
  args?: string | undefined;
  extraFilters?: MarketFilters | undefined;
  label?: string | undefined;
  /** $/hour for the whole machine; omitted: on demand. */
  bidUsdPerHour?: number | undefined;
}
