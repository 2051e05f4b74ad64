import type { CallOptions } from './call.ts';
import type { RejectedRow } from './instance.ts';

/**
 * The volume that a new instance gets, an existing one linked or a new one made of a volume offer.
 * Source: docs/marketplace.md#25-volume-of-an-instance.
 */
export type VolumeAttachment =
  | { kind: 'existing'; volumeId: number; mountPath: string }
  | { kind: 'new'; volumeOfferId: number; sizeGb: number; mountPath: string };

/** A volume of the account. Fields of the public extension; null: not said. */
export interface Volume {
  volumeId: number;
  status: string | null;
  sizeGb: number | null;
  startedAt: Date | null;
  /** As listed. */
  storageTotalCost: number | null;
  machineId: number | null;
  /** Instances that it is attached to; null where the market does not say. */
  instanceIds: readonly number[] | null;
  /** The record as delivered, JSON text. */
  raw: string;
}

/** Storage that a machine offers for volumes. Fields of the public extension; null: not said. */
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

/** Which storage to find. */
export interface VolumeOfferQuery {
  /** Of this machine alone. */
  machineId?: number | undefined;
  /** This offer alone. */
  volumeOfferId?: number | undefined;
  /** @default the market's usual */
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

/** A volume to make. */
export interface VolumeRequest {
  volumeOfferId: number;
  /** Whole GB. @default the market's, 15 as described */
  sizeGb?: number | undefined;
}

/** Creates or resizes a volume. Throws MarketError; UserError for wrong arguments before anything is sent. */
export type CreateVolume = (request: VolumeRequest, options?: CallOptions) => Promise<{ volumeName: string }>;
