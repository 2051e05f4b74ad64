import type { PricingType } from '../core/offer.ts';

/**
 * A rented machine as listed by the market. The API documents only status, SSH host and port; other fields are null if
 * the market does not state them. Rates are in dollars for the whole machine.
 */
export interface Instance {
  /** The `new_contract` of its creation. */
  instanceId: number;
  /** `actual_status` as delivered, including unknown values; null while it is being provisioned. */
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
  /** Derived from `is_bid`. */
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
  /** The record as delivered, JSON text, including unknown fields but no secrets. */
  raw: string;
}

/** An unreadable row; `reason` is short and can be grouped by (`id: missing`). */
export interface RejectedRow {
  reason: string;
}
