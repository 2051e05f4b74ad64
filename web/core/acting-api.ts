import type { TemplateAnswer } from '../../src/rentals/templates/templates.routes.ts';

/** Answers of the API about renting. Amounts are decimal text; null means not known. */
export interface Instance {
  instanceId: number | null;
  rentalId: string | null;
  state: string;
  reason: string | null;
  label: string | null;
  costCenter: string | null;
  rentedBy: string | null;
  statusMessage: string | null;
  gpuName: string | null;
  numGpus: number | null;
  type: string | null;
  machineId: number | null;
  hostId: number | null;
  image: string | null;
  diskGb: number | null;
  sshHost: string | null;
  sshPort: number | null;
  startedAt: string | null;
  hostEndsAt: string | null;
  usdPerHour: string | null;
  runningUsdPerHour: string | null;
  stoppedUsdPerDay: string | null;
  /** Of a bid; null: not one, or not known. */
  bidUsdPerHour: string | null;
  minBidUsdPerHour: number | null;
  cost: {
    usd: string;
    estimatedUsd: string;
    chargedUsd: string | null;
    chargedUntil: string | null;
    /** A rate was unknown for some time. */
    isLowerBound: boolean;
  };
  gpuUtilPercent: number | null;
  idle: boolean | null;
  cheaper: { offerId: number; usdPerHour: number; savesUsdPerDay: string } | null;
  wanted: 'running' | 'stopped' | 'destroyed' | null;
  wantedProblem: string | null;
  maxHours: number | null;
  endAction: 'stop' | 'destroy' | null;
  endsAt: string | null;
  createdAt: string | null;
  endedAt: string | null;
}

export interface Instances {
  items: Instance[];
  /** Of those whose price is known. */
  totalUsdPerHour: string;
  unpriced: number;
}

/** The offer that a quote is of, as the market has it now. */
export interface QuotedOffer {
  offerId: number;
  machineId: number;
  hostId: number | null;
  gpuName: string;
  numGpus: number;
  type: string;
  country: string | null;
  reliability: number | null;
  verification: string | null;
  inetDownUsdPerGb: number | null;
  inetUpUsdPerGb: number | null;
}

export interface Quote {
  at: string;
  offerId: number;
  offer: QuotedOffer;
  /** What would be sent. */
  instance: { image: string | null; diskGb: number | null };
  usdPerHour: string | null;
  baseUsdPerHour: string | null;
  storageUsdPerHour: string | null;
  stoppedUsdPerDay: string | null;
  bidUsdPerHour: string | null;
  minBidUsdPerHour: number | null;
  allInUsd: string | null;
  endsAt: string | null;
  warnings: { kind: string; message: string }[];
  problems: string[];
  guards: { guard: string; message: string }[];
  refusal: { kind: string; message: string } | null;
  wouldRent: boolean;
}

export interface Rented {
  rentalId: string;
  instanceId: number | null;
  offerId: number;
  gpuName: string;
  numGpus: number;
  usdPerHour: string;
  state: string;
  reason: string | null;
}

export interface Actions {
  /** Whether new rentals are let through by the setting and the switch. */
  enabled: boolean;
  setting: boolean;
  killSwitch: { enabled: boolean; changedAt: string; changedBy: string } | null;
  limits: {
    maxUsdPerHour: number | null;
    maxTotalUsdPerHour: number | null;
    maxInstances: number | null;
  } | null;
}

/** A template of the market: an image with what it is started with. */
export type Template = TemplateAnswer;

export interface Volume {
  volumeId: number;
  status: string | null;
  sizeGb: number | null;
  machineId: number | null;
  instanceIds: number[] | null;
  startedAt: string | null;
}

/** Storage that a machine offers for volumes. */
export interface VolumeOffer {
  volumeOfferId: number;
  machineId: number | null;
  diskSpaceGb: number | null;
  storageUsdPerGbMonth: number | null;
  reliability: number | null;
}
