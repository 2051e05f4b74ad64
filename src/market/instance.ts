import type { PricingType } from '../core/offer.ts';

/**
 * A rented machine as the market lists it. Of its fields the interface describes only status, SSH host and
 * port: every other one is null where the market does not say. Rates are dollars for the whole machine.
 */
export interface Instance {
  /** The `new_contract` of its creation. */
  instanceId: number;
  /** `actual_status` as delivered, unknown values too; null while it is being provisioned. */
  actualStatus: string | null;
  /** `intended_status`, `cur_state`, `next_state`, `status_msg`. */
  intendedStatus: string | null;
  currentState: string | null;
  nextState: string | null;
  statusMessage: string | null;
  sshHost: string | null;
  sshPort: number | null;
  publicIp: string | null;
  label: string | null;
  machineId: number | null;
  hostId: number | null;
  gpuName: string | null;
  numGpus: number | null;
  /** By `is_bid`. */
  type: PricingType | null;
  image: string | null;
  templateId: number | null;
  startedAt: Date | null;
  /** When the host's offer ends. */
  endsAt: Date | null;
  uptimeMinutes: number | null;
  /** 0 to 100 as listed. */
  gpuUtilPercent: number | null;
  diskSpaceGb: number | null;
  diskUsedGb: number | null;
  /** `dph_base`: $/hour without storage and bandwidth. */
  baseUsdPerHour: number | null;
  /** `dph_total` as listed. */
  listedUsdPerHour: number | null;
  storageUsdPerGbMonth: number | null;
  minBidUsdPerHour: number | null;
  inetDownUsdPerGb: number | null;
  inetUpUsdPerGb: number | null;
  /** The record as delivered, JSON text, unknown fields included, secrets dropped. */
  raw: string;
}

/** A row that could not be read: `reason` is short and groups (`id: missing`). */
export interface RejectedRow {
  reason: string;
}
