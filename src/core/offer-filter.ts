import type { Verification } from './offer.ts';

/**
 * Which offers count, beside model and pricing type. A list means one of its values; empty: no condition.
 * null: no condition. An offer whose value is unknown never meets a condition on it, but is not excluded by
 * one that excludes. Source: design.md section 4, Filters.
 */
export interface OfferFilter {
  numGpus: readonly number[];
  verification: readonly Verification[];
  /** Two capital letters. */
  country: readonly string[];
  datacenter: boolean | null;
  staticIp: boolean | null;
  /** 0 to 1. */
  minReliability: number | null;
  /** VRAM of one GPU, GB of 1000 MB: a card sold with 24 GB is listed with 24,564 MB and has 24. */
  minVramGb: number | null;
  minCuda: number | null;
  minDiskGb: number | null;
  /** As listed. */
  minInetDown: number | null;
  minInetUp: number | null;
  /** Of the whole offer, with the profile's storage. */
  maxUsdPerHour: number | null;
  machineId: readonly number[];
  hostId: readonly number[];
  excludeMachineId: readonly number[];
  excludeHostId: readonly number[];
}

export const noFilter: OfferFilter = {
  numGpus: [],
  verification: [],
  country: [],
  datacenter: null,
  staticIp: null,
  minReliability: null,
  minVramGb: null,
  minCuda: null,
  minDiskGb: null,
  minInetDown: null,
  minInetUp: null,
  maxUsdPerHour: null,
  machineId: [],
  hostId: [],
  excludeMachineId: [],
  excludeHostId: [],
};

/** Whether the filter sets no condition at all. */
export function isUnfiltered(filter: OfferFilter): boolean {
  return Object.values(filter).every(
    (value) => value === null || (Array.isArray(value) && value.length === 0),
  );
}

/** What the conditions of a filter look at; null: the market did not say. */
export interface MatchedOffer {
  machineId: number;
  hostId: number | null;
  numGpus: number;
  verification: Verification | null;
  country: string | null;
  datacenter: boolean | null;
  staticIp: boolean | null;
  reliability: number | null;
  gpuRamMb: number | null;
  cudaMaxGood: number | null;
  diskSpaceGb: number | null;
  inetDown: number | null;
  inetUp: number | null;
  baseUsdPerHour: number;
  storageUsdPerGbMonth: number | null;
}
