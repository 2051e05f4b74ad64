import type { CallOptions } from './call.ts';
import type { RejectedRow } from './instance.ts';

/**
 * A new instance's volume: an existing one linked, or a new one from a volume offer.
 * Source: docs/marketplace.md#25-volume-of-an-instance.
 */
export type VolumeAttachment =
  | { kind: 'existing'; volumeId: number; mountPath: string }
  | { kind: 'new'; volumeOfferId: number; sizeGb: number; mountPath: string };

/** A volume of the account. Fields of the public extension; null: not stated. */
export interface Volume {
  volumeId: number;
  status: string | null;
  sizeGb: number | null;
  startedAt: Date | null;
  /** As listed. */
  storageTotalCost: number | null;
  machineId: number | null;
  /** Instances that it is attached to; null if the market does not state them. */
  instanceIds: readonly number[] | null;
  /** The record as delivered, JSON text. */
  raw: string;
}

/** Storage that a machine offers for volumes. Fields of the public extension; null: not stated. */
export interface VolumeOffer {
  volumeOfferId: number;
  machineId: number | null;
  hostId: number | null;
  /** Largest volume, GB. */
  diskSpaceGb: number | null;
  storageUsdPerGbMonth: number | null;
  reliability: number | null;
  /** The record as delivered, JSON text. */
  raw: string;
}

/** Selects storage offers. */
export interface VolumeOfferQuery {
  /** Only of this machine. */
  machineId?: number | undefined;
  /** Only this offer. */
  volumeOfferId?: number | undefined;
  /** @default the market's default */
  limit?: number | undefined;
}

/** The calls about volumes. All throw MarketError; wrong arguments are a UserError before anything is sent. */
export interface VolumeCalls {
  searchVolumeOffers: (
    query?: VolumeOfferQuery,
    options?: CallOptions,
  ) => Promise<{ offers: VolumeOffer[]; rejected: RejectedRow[] }>;
  listVolumes: (options?: CallOptions) => Promise<{ volumes: Volume[]; rejected: RejectedRow[] }>;
  deleteVolume: (volumeId: number, options?: CallOptions) => Promise<void>;
}

/** A request to create a volume. */
export interface VolumeRequest {
  volumeOfferId: number;
  /** Whole GB. @default the market's, documented as 15 */
  sizeGb?: number | undefined;
}

/** Creates or resizes a volume. Throws MarketError; UserError for wrong arguments before anything is sent. */
export type CreateVolume = (request: VolumeRequest, options?: CallOptions) => Promise<{ volumeName: string }>;
