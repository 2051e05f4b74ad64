/** Answers of Offerbook's HTTP API that the page reads. Times are ISO 8601 UTC; null means not known. */
export type PricingType = 'on-demand' | 'bid' | 'reserved';
export type Verdict = 'complete' | 'partial' | 'failed';
export type Mode = 'simulated' | 'replay' | 'live';

export interface Status {
  version: string;
  market: { name: string; kind: string };
  mode: Mode;
  gpuNames: string[];
  types: PricingType[];
  newestBooks: { type: PricingType; observedAt: string; verdict: Verdict; offers: number }[];
  /** null: no book yet, or a recorded market, whose age means nothing. */
  dataAgeMinutes: number | null;
  /** From this age on the newest complete book is too old. */
  maxDataAgeMinutes: number;
  /** The newest crawl of each type that is over. */
  lastEnded: {
    type: PricingType;
    endedAt: string;
    outcome: 'complete' | 'partial' | 'failed' | 'unchanged';
    /** null: nothing was wrong. */
    reason: string | null;
  }[];
  lastCrawls: { id: string; type: PricingType | null; outcome: string | null; startedAt: string }[];
  instances: { polledAt: string; statuses: { status: string | null; instances: number }[] } | null;
  jobs: { queued: number; active: number };
  schedule: {
    kind: string;
    scope: string | null;
    type: PricingType | null;
    cron: string;
    timeZone: string;
    everyMinutes: number | null;
    reason: string | null;
    nextAt: string | null;
  }[];
  /** Books made so far at the first start; null when nothing is being seeded. */
  seeding: { done: number; total: number } | null;
  deadLetters: number;
  actions: { enabled: boolean };
}

export type Bucket = 'book' | '1h' | '1d' | '1w';

/** One point of a trend: supply as the mean of the bucket's complete books. */
export interface TrendPoint {
  /** Start of the bucket; of a book the moment it was observed. */
  t: string;
  books: number;
  observations: number;
  offers: number;
  gpus: number;
  machines: number;
  physicalGpus: number;
  /** Some machine lists no GPU ids. */
  physicalGpusIsLowerBound: boolean;
  /** In US dollars; null when no offer of the bucket has the figure. */
  min: number | null;
  p10: number | null;
  p25: number | null;
  median: number | null;
  p75: number | null;
  p90: number | null;
  max: number | null;
}

/** What several types offer together, each machine and GPU counted once, as means a round of their books. */
export interface SupplyPoint {
  t: string;
  rounds: number;
  machines: number;
  physicalGpus: number;
  /** Some machine lists no GPU ids. */
  physicalGpusIsLowerBound: boolean;
}

export interface Trends {
  bucket: Bucket;
  from: string;
  to: string;
  metric: string;
  unit: string;
  series: { key: string; points: TrendPoint[] }[];
  /** By model, null: all of them; empty where one type is asked for. */
  supply: { gpuName: string | null; points: SupplyPoint[] }[];
  coverage: { books: number; complete: number; partial: number; failed: number; expected: number | null };
}

export interface RankedOffer {
  rank: number;
  offerId: number;
  listingId: string;
  machineId: number;
  hostId: number | null;
  gpuName: string;
  numGpus: number;
  type: PricingType;
  value: number;
  unit: string;
  /** Whole offer with 8 GB of storage; of a bid the minimum bid. */
  usdPerHour: number;
  usdPerGpuHour: number;
  dlperf: number | null;
  /** 0 to 1. */
  reliability: number | null;
  verification: string | null;
  country: string | null;
  /** Far outside its segment's usual prices. */
  joke: boolean | null;
  allInUsdPerHour: number | null;
  /** The machine or its host is preferred. */
  preferred: boolean;
  /** null: none is given. */
  verdict: OfferVerdict | null;
}

/** How an offer's price stands among its segment's of the last days. */
export interface OfferVerdict {
  segment: { level: string; type: string; gpuName: string; verification: string | null };
  /** Whole days since the segment's daily minimum was at or below it; null: not known. */
  lowestInDays: number | null;
  windows: VerdictWindow[];
  /** Among the offers of the same book: no word about history. */
  comparableNow: { percentile: number | null; offers: number } | null;
}

export interface VerdictWindow {
  days: number;
  /** 0 is the cheapest; null: too little to judge. */
  percentile: number | null;
  status: string;
  samples: number;
  machines: number;
  /** Share of the days with complete books. */
  coverage: number | null;
  /** What is too little, in words. */
  missing: string[];
}

export interface Rankings {
  /** null: the market has no book of this type yet. */
  observedAt: string | null;
  bookVerdict: Verdict | null;
  /** The figure ranked by, which may differ from the one asked for. */
  by: string;
  items: RankedOffer[];
  unranked: { reason: string; offers: number }[];
  nextCursor: string | null;
}

/** An attempt at a book. */
export interface Crawl {
  id: string;
  kind: string;
  scope: string;
  type: PricingType | null;
  cause: string;
  state: 'queued' | 'running' | 'ended';
  startedAt: string | null;
  endedAt: string | null;
  outcome: 'complete' | 'partial' | 'failed' | 'unchanged' | null;
  reason: string | null;
  certificate: {
    pages: number;
    rows: number;
    retries: number;
    throttles: number;
    durationMs: number;
    missingShareAtMost?: number | null;
  } | null;
  book: { id: string; observedAt: string; verdict: Verdict; offers: number; proof: string } | null;
  /** The certificate in plain sentences; empty of bills and instances. */
  explanation: string[];
}

/** A GPU model of the newest book; prices are of a GPU and hour at 8 GB. */
export interface MarketRow {
  gpuName: string;
  offers: number;
  /** As listed: overlapping chunks count each. */
  gpus: number;
  /** Each once; null: the book is partial. */
  physicalGpus: number | null;
  physicalGpusIsLowerBound: boolean | null;
  machines: number;
  median: number | null;
  /** Joke prices left out. */
  lowest: number | null;
  change24hPercent: number | null;
  change7dPercent: number | null;
  change30dPercent: number | null;
  sparkline: { t: string; median: number | null }[];
  bidMedian: number | null;
  /** How far the median of the minimum bids is below the median. */
  bidSpreadPercent: number | null;
}

export interface Market {
  observedAt: string | null;
  bookVerdict: Verdict | null;
  type: PricingType;
  unit: string;
  items: MarketRow[];
}
