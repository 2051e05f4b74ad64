/** Answers of the API about the account: what is watched, told, spent and let in. */
export interface Watch {
  id: string;
  market: string;
  name: string;
  filters: Record<string, unknown>;
  profile: Record<string, number>;
  rankBy: string;
  top: number;
  schedule: { cron: string; timeZone: string };
  channelIds: string[];
  reportSchedule: { cron: string; timeZone: string } | null;
}

export interface Channel {
  id: string;
  kind: string;
  name: string;
  config: Record<string, unknown>;
  secretSet: boolean;
}

export interface Delivery {
  id: string;
  channelId: string;
  channelName: string;
  kind: string;
  title: string;
  watchId: string | null;
  ruleId: string | null;
  state: string;
  attempts: number;
  createdAt: string;
  nextAttemptAt: string | null;
  endedAt: string | null;
  problem: string | null;
}

export interface Token {
  id: string;
  name: string;
  role: string;
  createdAt: string;
  revokedAt: string | null;
}

export interface BlockEntry {
  id: string;
  kind: 'block' | 'prefer';
  machineId: number | null;
  hostId: number | null;
  note: string | null;
  addedAt: string;
}

export interface SpendItem {
  key: string | null;
  subkey?: string | null;
  category: string;
  basis: 'charged' | 'estimated';
  amountUsd: string;
  entries: number;
}

export interface Spend {
  market: string;
  from: string;
  to: string;
  timeZone: string;
  groupBy: string;
  stackBy: string | null;
  items: SpendItem[];
  totals: Omit<SpendItem, 'key' | 'subkey'>[];
  disappeared: { entries: number; amountUsd: string };
  months: { month: string; closedAt: string; adjustmentUsd: string }[];
  readUntil: { invoices: string | null; charges: string | null };
  balance: { at: string | null; amountUsd: string | null; reason: string | null };
}

export interface Listing {
  id: string;
  market: string;
  machineId: number;
  hostId: number | null;
  gpuName: string;
  numGpus: number;
  type: string;
  ordinal: number;
  observedAt: string | null;
  offerId: number | null;
  raw: Record<string, unknown> | null;
}

export interface ListingHistory {
  listingId: string;
  from: string;
  to: string;
  runs: {
    from: string;
    to: string | null;
    usdPerHour: number | null;
    usdPerGpuHour: number | null;
    allInUsdPerHour: number | null;
  }[];
  presence: { from: string; to: string; open: boolean }[];
  episodes: {
    startedAt: string;
    lastSeenAt: string;
    endedAt: string | null;
    endedBy: 'gone' | 'repriced' | 'chunkTaken' | null;
    listedForSeconds: number;
    lastAskUsdPerGpuHour: number | null;
    rented: boolean | null;
    clearingUsdPerGpuHour: number | null;
  }[];
  attributes: Record<string, unknown>[];
  truncated: boolean;
}

export interface Rule {
  id: string;
  watchId: string | null;
  kind: string;
  params: Record<string, unknown>;
  /** Of what it watches; null: it has none. */
  unit: string | null;
  of: { m: number; n: number };
  cooldownMinutes: number | null;
  enabled: boolean;
  channelIds: string[] | null;
}

export interface Alert {
  id: string;
  at: string;
  title: string;
  value: number | null;
  baseline: number | null;
  previous: number | null;
  unit: string | null;
  suppressed: boolean;
}

export interface Backtest {
  from: string;
  to: string;
  books: number;
  unit: string | null;
  now: { at: string; value: number | null; percentile: number | null; fires: boolean } | null;
  count: number;
  firings: {
    at: string;
    value: number | null;
    baseline: number | null;
    previous: number | null;
    capped: boolean;
  }[];
}

export interface VsMarket {
  items: {
    instanceId: number | null;
    source: string | null;
    label: string | null;
    gpuName: string | null;
    numGpus: number | null;
    paidUsd: string;
    comparedUsd: string | null;
    overMedianUsd: string | null;
    overMinUsd: string | null;
    unattributable: string | null;
    cheaperEqual: { machineId: number; usdPerHour: string | number; since: string } | null;
  }[];
}

export interface Reconciliation {
  items: {
    kind: string;
    subject: string | null;
    from: string;
    to: string;
    expectedUsd: string | null;
    actualUsd: string | null;
    differenceUsd: string | null;
    reason: string;
  }[];
}

export interface Budget {
  id: string;
  label: string | null;
  monthlyUsd: string;
  /** Shares that alert: 0.8 for 80 %. */
  alertAt: number[];
  blockRentals: boolean;
  state: {
    spentUsd: string;
    share: number;
    /** Those of `alertAt` that are spent. */
    reached: number[];
    burnUsdPerHour: string | null;
    unpriced: number;
    projectedUsd: string | null;
    projectionMethod: string;
    usedUp: boolean;
  };
}

/** A firing of any rule of the market. */
export interface MarketAlert {
  id: string;
  at: string;
  title: string;
  watchId: string | null;
  /** Models that the watch names; empty: all, or no watch. */
  gpuNames: string[];
}

/** A link that spreadsheets read. */
export interface SheetLink {
  id: string;
  export: string;
  query: Record<string, string | string[]>;
  note: string | null;
  createdAt: string;
  revokedAt: string | null;
  lastReadAt: string | null;
}

/** The same as it is answered once, with what to paste. */
export interface NewSheetLink extends SheetLink {
  url: string;
  formulas: { googleSheets: string; excel: string; libreOffice: string };
  /** Whether others could reach the address. */
  reachable: boolean;
  hint: string | null;
}

/** A job given up after its last attempt. */
export interface DeadLetter {
  id: string;
  queue: string;
  scope: string | null;
  attempts: number;
  reason: string | null;
  givenUpAt: string;
}

/** What a watch's report would say now. */
export interface Report {
  observedAt: string | null;
  bookVerdict: string | null;
  by: string;
  unit: string;
  availability: { offers: number; gpus: number; machines: number; daysOfLast30: number };
  since: string | null;
  items: {
    rank: number;
    offerId: number;
    listingId: string;
    gpuName: string;
    numGpus: number;
    type: string;
    country: string | null;
    verification: string | null;
    value: number;
    usdPerHour: number;
    change: 'new' | 'up' | 'down' | 'same' | null;
    previousUsdPerHour: number | null;
  }[];
  gone: { offerId: number; machineId: number; gpuName: string; numGpus: number; usdPerHour: number }[];
}

export interface ReportAnswer {
  sent: boolean;
  deliveries: number;
  report: Report;
}
