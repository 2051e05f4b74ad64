// Made by `npm run openapi` from docs/openapi.json. Do not edit.

/** null: DATABASE_REPLICA_URL is not set */
export type Replica = {
  /** false: reads go to the primary meanwhile */
  isUp: boolean;
  /** Why it cannot be used; null: it is up */
  reason: string | null;
  /** Since the newest change of the primary that it has; null: down, or no standby */
  lagSeconds: number | null;
  /** Reads of this process that the primary answered instead */
  fallbackReads: number;
} | null;
export type CrawledMarket = MarketHealth & {
  lastEnded: {
    type: 'on-demand' | 'bid' | 'reserved';
    endedAt: string;
    outcome: 'complete' | 'partial' | 'failed' | 'unchanged';
    reason: string | null;
  }[];
};
/** null: the book is not complete */
export type Verdict = {
  /** What the price is compared with; `model`: all tiers of the model */
  segment: {
    level: 'verification' | 'model';
    type: 'on-demand' | 'bid' | 'reserved';
    gpuName: string;
    verification: 'verified' | 'unverified' | 'deverified' | null;
  };
  /** Whole UTC days since the segment's daily minimum was at or below it, outliers left out */
  lowestInDays: number | null;
  windows: {
    days: 7 | 30 | 90;
    /** 0: the cheapest; null: insufficient */
    percentile: number | null;
    status: 'ok' | 'insufficient';
    /** Pooled prices: one per machine and UTC day */
    samples: number;
    machines: number;
    hosts: number;
    /** Share of the window's days with a complete book */
    coverage: number;
    /** What is insufficient */
    missing: string[];
  }[];
  /** Among the offers of the same segment in the same book */
  comparableNow: {
    percentile: number | null;
    offers: number;
  };
} | null;
export type Patterns = MarketPatterns & {
  /** The same for each further market requested */
  others: MarketPatterns[];
};
export type WordedForecast = HorizonForecast & {
  /** The forecast with its error, or the reason that there is none */
  words: string;
};
export type WaitOrRent = MarketWait & {
  /** The same for each further market requested */
  others: MarketWait[];
};
export type NewSheetLink = SheetLink & {
  /** Shown only once; anyone with it can read the sheet */
  url: string;
  formulas: {
    googleSheets: string;
    excel: string;
    libreOffice: string;
  };
  /** Whether other machines could reach the address */
  reachable: boolean;
  hint: string | null;
};
export type VolumeAttachment =
  | {
      kind: 'existing';
      volumeId: number;
      mountPath: string;
    }
  | {
      kind: 'new';
      volumeOfferId: number;
      sizeGb: number;
      mountPath: string;
    };
/** Of `cheaperPercent`, once enough books had one */
export type FoundMachine = {
  offerId: number;
  machineId: number;
  usdPerHour: number;
  /** The rental in its place; null: none */
  replacementId: string | null;
  /** Why it was not rented; null: it was, or was not tried */
  problem: string | null;
} | null;
/** A limit that ends it within `warnMinutes`, by the last poll */
export type InstanceEnding = {
  limit: 'maxHours' | 'endsAt' | 'idleMinutes' | 'maxUsd';
  /** As far as known */
  at: string;
  /** What was seen */
  reading: string;
} | null;
export type MadeChannel = Channel & {
  /** The generated signing key, shown only once; null: none was generated */
  madeSecret: string | null;
};
export type WholeDelivery = Delivery & {
  /** The message */
  notice: {
    kind: string;
    title: string;
    lines: string[];
    link: string | null;
    at: string;
    watchId: string | null;
    ruleId: string | null;
    data: {
      [k: string]: unknown;
    };
  };
};
/** null: not run with these fields */
export type OrderDryRun = {
  from: string;
  to: string;
  /** Books that it would have judged */
  books: number;
  wouldRent: number;
  /** null: it would have rented nothing */
  medianHoursToRent: number | null;
  /** null: its machines have no end */
  committedUsd: string | null;
  /** null: it would still be waiting */
  state: 'draft' | 'armed' | 'paused' | 'filled' | 'expired' | 'out-of-budget' | 'failed' | null;
  rents: {
    at: string;
    /** Since the beginning of the range */
    hours: number;
    /** From 0 */
    choice: number;
    bookId: string;
    listingId: string;
    machineId: number;
    gpuName: string;
    numGpus: number;
    usdPerHour: number;
    usdPerGpuHour: number;
  }[];
} | null;

export interface Health {
  status: 'ok';
}
export interface Readiness {
  status: 'ready';
  database: 'reachable';
  replica: Replica;
  market: string;
  /** null: there is none */
  lastCompleteBook: {
    observedAt: string;
    ageMinutes: number;
  } | null;
  /** The newest complete book of each pricing type; empty for a recorded market */
  books: {
    observedAt: string;
    ageMinutes: number;
    type: 'on-demand' | 'bid' | 'reserved';
  }[];
  /** Every crawled market, the default one first; the others do not affect readiness */
  markets: MarketHealth[];
  /** Queued, active, and failed in the last two weeks; look into failed ones */
  jobs: {
    queued: number;
    active: number;
    failedJobs: number;
  };
}
export interface MarketHealth {
  market: string;
  /** `ready`: its data is fresh, or it is a recorded market; else what is wrong */
  state: 'ready' | 'no-complete-book' | 'data-too-old' | 'book-ahead';
  /** What is wrong, and what to do; null: nothing is wrong */
  detail: string | null;
  /** null: there is none */
  lastCompleteBook: {
    observedAt: string;
    ageMinutes: number;
  } | null;
  /** The newest complete book of each pricing type; empty for a recorded market */
  books: {
    observedAt: string;
    ageMinutes: number;
    type: 'on-demand' | 'bid' | 'reserved';
  }[];
}
export interface Problem {
  /** Kind of the problem: `/api/docs#<kind>` */
  type: string;
  title: string;
  status: number;
  detail: string;
  /** What is wrong with each parameter or field; empty for other problems */
  errors: {
    name: string;
    detail: string;
  }[];
}
export interface Status {
  version: string;
  market: {
    name: string;
    kind: 'live' | 'simulated' | 'recorded';
  };
  mode: 'live' | 'simulated' | 'replay';
  replica: Replica;
  /** Models that the market ever listed, sorted */
  gpuNames: string[];
  types: ('on-demand' | 'bid' | 'reserved')[];
  newestBooks: {
    type: 'on-demand' | 'bid' | 'reserved';
    observedAt: string;
    /** Coverage of the book */
    verdict: 'complete' | 'partial';
    offers: number;
  }[];
  /** Types whose books were stored before there was an index: `offerbook rebuild` makes it */
  typesWithoutIndex: ('on-demand' | 'bid' | 'reserved')[];
  /** Since the newest complete book; null: none, or a recorded market */
  dataAgeMinutes: number | null;
  /** From this age on the newest complete book is too old */
  maxDataAgeMinutes: number;
  lastCrawls: {
    id: string;
    type: 'on-demand' | 'bid' | 'reserved' | null;
    startedAt: string;
    endedAt: string | null;
    outcome: 'complete' | 'partial' | 'failed' | 'unchanged' | null;
    reason: string | null;
  }[];
  /** The newest ended crawl of each pricing type in the default scope */
  lastEnded: {
    type: 'on-demand' | 'bid' | 'reserved';
    endedAt: string;
    outcome: 'complete' | 'partial' | 'failed' | 'unchanged';
    reason: string | null;
  }[];
  /** Every crawled market, the default one first */
  markets: CrawledMarket[];
  /** The account's instances at the last poll; null: never polled */
  instances: {
    polledAt: string;
    statuses: {
      /** As the market names it; null: being provisioned */
      status: string | null;
      instances: number;
    }[];
  } | null;
  seeding: {
    done: number;
    total: number;
  } | null;
  /** Scheduled crawls of the market; empty for one that the settings do not name */
  schedule: {
    kind: 'offers' | 'invoices' | 'charges' | 'instances';
    /** Of offers; null for the others */
    scope: string | null;
    type: 'on-demand' | 'bid' | 'reserved' | null;
    cron: string;
    timeZone: string;
    /** The interval that the request budget allows; null: the cron's own */
    everyMinutes: number | null;
    /** Why it is stretched; null: it is not */
    reason: string | null;
    nextAt: string | null;
  }[];
  /** Jobs whose last attempt failed, in the last two weeks */
  failedJobs: number;
  /** Of all markets: queued and active */
  jobs: {
    queued: number;
    active: number;
  };
  actions: {
    enabled: boolean;
  };
  /** What the default market can do through Offerbook */
  capabilities: {
    label: string;
    types: ('on-demand' | 'bid' | 'reserved')[];
    currencies: string[];
    /** Instances can be rented and managed */
    account: boolean;
    /** Invoices and charges are read */
    bills: boolean;
  };
}
export interface FailedJobs {
  items: FailedJob[];
  nextCursor: null;
}
export interface FailedJob {
  id: string;
  /** The kind of work: `crawl-on-demand`, `deliver` */
  queue: string;
  /** For a crawl: the scope of its books */
  scope: string | null;
  attempts: number;
  /** Of the last attempt; null: not stored */
  reason: string | null;
  failedAt: string;
}
export interface Trends {
  bucket: 'book' | '1h' | '1d' | '1w';
  from: string;
  to: string;
  metric: 'usdPerGpuHour' | 'usdPerHour' | 'usdPerDlperfHour' | 'allInUsdPerHour';
  unit: string;
  attributesAsOf: 'day';
  series: {
    key: string;
    market: string;
    points: TrendPoint[];
  }[];
  /** Supply of several types of a market together, by model; null: all models. Empty for one type */
  supply: {
    market: string;
    gpuName: string | null;
    points: SupplyPoint[];
  }[];
  coverage: {
    books: number;
    complete: number;
    partial: number;
    failed: number;
    /** null: no schedule covers this range */
    expected: number | null;
  };
}
export interface TrendPoint {
  /** Start of the bucket; for single books the time of the book */
  t: string;
  /** Complete books of the bucket */
  books: number;
  /** Prices pooled */
  observations: number;
  /** Mean per complete book */
  offers: number;
  /** Mean per complete book */
  gpus: number;
  /** Mean per complete book */
  machines: number;
  /** Mean per complete book */
  physicalGpus: number;
  physicalGpusIsLowerBound: boolean;
  min: number | null;
  p10: number | null;
  p25: number | null;
  median: number | null;
  p75: number | null;
  p90: number | null;
  max: number | null;
}
export interface SupplyPoint {
  t: string;
  /** Rounds: each time every type had a new complete book since the last round */
  rounds: number;
  /** Mean per round; a machine that several types list counts once */
  machines: number;
  /** Mean per round; a machine that several types list counts once */
  physicalGpus: number;
  physicalGpusIsLowerBound: boolean;
}
export interface Rankings {
  observedAt: string | null;
  bookVerdict: 'complete' | 'partial' | null;
  by: 'usdPerDlperfHour' | 'usdPerGpuHour' | 'allInUsdPerHour' | 'usdPerGbVramHour' | 'usdPerTflopHour';
  items: RankedOffer[];
  unranked: {
    reason: string;
    offers: number;
  }[];
  nextCursor: string | null;
}
export interface RankedOffer {
  rank: number;
  market: string;
  offerId: number;
  listingId: string;
  machineId: number;
  hostId: number | null;
  gpuName: string;
  numGpus: number;
  type: 'on-demand' | 'bid' | 'reserved';
  /** The ranking metric */
  value: number;
  unit: string;
  /** For the whole offer; for a bid the minimum bid */
  usdPerHour: number;
  usdPerGpuHour: number;
  allInUsdPerHour: number | null;
  dlperf: number | null;
  reliability: number | null;
  verification: 'verified' | 'unverified' | 'deverified' | null;
  country: string | null;
  /** Below a quarter or above four times its segment's 30-day median; null: no median */
  isOutlier: boolean | null;
  /** Preferred on the block list */
  preferred: boolean;
  verdict: Verdict;
}
export interface RankingGroups {
  observedAt: string | null;
  bookVerdict: 'complete' | 'partial' | null;
  by: 'usdPerDlperfHour' | 'usdPerGpuHour' | 'allInUsdPerHour' | 'usdPerGbVramHour' | 'usdPerTflopHour';
  unit: string;
  groups: RankingGroup[];
  unranked: {
    reason: string;
    offers: number;
  }[];
}
export interface RankingGroup {
  /** Only if several markets were requested */
  market?: string;
  /** null: not grouped by it */
  gpuName: string | null;
  /** null: not grouped by it, or unknown */
  country: string | null;
  offers: number;
  gpus: number;
  machines: number;
  min: number;
  median: number;
  max: number;
  best: {
    rank: number;
    offerId: number;
    listingId: string;
  };
}
export interface Offers {
  observedAt: string | null;
  bookVerdict: 'complete' | 'partial' | null;
  items: Offer[];
  nextCursor: string | null;
}
export interface Offer {
  market: string;
  offerId: number;
  listingId: string;
  gpuName: string;
  type: 'on-demand' | 'bid' | 'reserved';
  /** With the profile's storage; for a bid the minimum bid */
  usdPerHour: number | null;
  usdPerGpuHour: number | null;
  allInUsdPerHour: number | null;
  machineId: number;
  hostId: number | null;
  numGpus: number;
  /** Without storage and bandwidth */
  baseUsdPerHour: number;
  storageUsdPerGbMonth: number | null;
  inetDownUsdPerGb: number | null;
  inetUpUsdPerGb: number | null;
  minBidUsdPerHour: number | null;
  discountedUsdPerHour: number | null;
  discountRate: number | null;
  dlperf: number | null;
  reliability: number | null;
  /** Of one GPU, as listed */
  gpuRamMb: number | null;
  totalTflops: number | null;
  country: string | null;
  verification: 'verified' | 'unverified' | 'deverified' | null;
  cudaMaxGood: number | null;
  driverVersion: string | null;
  /** As listed; sources disagree whether MB/s or Mb/s */
  inetDown: number | null;
  inetUp: number | null;
  datacenter: boolean | null;
  staticIp: boolean | null;
  diskSpaceGb: number | null;
  cpuCores: number | null;
  cpuRamMb: number | null;
  gpuIds: number[] | null;
  isOutlier: boolean | null;
}
export interface Listing {
  id: string;
  market: string;
  machineId: number;
  /** As last seen */
  hostId: number | null;
  gpuName: string;
  numGpus: number;
  type: 'on-demand' | 'bid' | 'reserved';
  /** Its place among otherwise equal listings, from 1 */
  ordinal: number;
  /** Its newest book; null: only other scopes saw it */
  observedAt: string | null;
  bookVerdict: 'complete' | 'partial' | null;
  /** As last seen */
  offerId: number | null;
  /** The newest offer as the marketplace sent it, including unknown fields */
  raw: {
    [k: string]: unknown;
  } | null;
}
export interface ListingHistory {
  listingId: string;
  from: string;
  to: string;
  priceIntervals: {
    from: string;
    /** null: ongoing */
    to: string | null;
    /** With the profile's storage */
    usdPerHour: number | null;
    usdPerGpuHour: number | null;
    /** For the profile; null: a price component was unknown */
    allInUsdPerHour: number | null;
    baseUsdPerHour: number;
    storageUsdPerGbMonth: number | null;
    inetDownUsdPerGb: number | null;
    inetUpUsdPerGb: number | null;
    minBidUsdPerHour: number | null;
    discountedUsdPerHour: number | null;
    discountRate: number | null;
  }[];
  presence: {
    from: string;
    to: string;
    open: boolean;
  }[];
  episodes: {
    startedAt: string;
    lastSeenAt: string;
    /** null: ongoing */
    endedAt: string | null;
    endedBy: 'gone' | 'repriced' | 'chunkTaken' | null;
    listedForSeconds: number;
    lastAskUsdPerGpuHour: number | null;
    /** null: not crawled; see CRAWL_RENTED */
    rented: boolean | null;
    clearingUsdPerGpuHour: number | null;
  }[];
  attributes: {
    from: string;
    /** null: still in force */
    to: string | null;
    hostId: number | null;
    dlperf: number | null;
    reliability: number | null;
    /** Of one GPU, as listed */
    gpuRamMb: number | null;
    totalTflops: number | null;
    country: string | null;
    verification: 'verified' | 'unverified' | 'deverified' | null;
    cudaMaxGood: number | null;
    driverVersion: string | null;
    /** As listed; sources disagree whether MB/s or Mb/s */
    inetDown: number | null;
    inetUp: number | null;
    datacenter: boolean | null;
    staticIp: boolean | null;
    diskSpaceGb: number | null;
  }[];
  /** A list had more than 1000 entries: these are the newest */
  truncated: boolean;
}
export interface Market {
  observedAt: string | null;
  bookVerdict: 'complete' | 'partial' | null;
  type: 'on-demand' | 'bid' | 'reserved';
  unit: 'USD/GPU/hour';
  items: MarketModel[];
}
export interface MarketModel {
  market: string;
  gpuName: string;
  offers: number;
  /** GPUs listed: overlapping chunks count each */
  gpus: number;
  /** Physical GPUs, each once, as in `/api/trends`; null: the book is partial */
  physicalGpus: number | null;
  /** Some machine lists no GPU ids; null where `physicalGpus` is */
  physicalGpusIsLowerBound: boolean | null;
  machines: number;
  median: number | null;
  /** The lowest price that is not an outlier */
  lowest: number | null;
  /** Over 1, 7 and 27 days up to the newest complete day, like for like */
  changes: PriceChange[];
  /** Medians of the last 30 UTC days that have one */
  sparkline: {
    t: string;
    median: number;
  }[];
  /** Median of the minimum bids: a floor */
  bidMedian: number | null;
  /** How far that is below the median */
  bidSpreadPercent: number | null;
  /** The lowest list price of another seller; null: none is known */
  cheapestCloud: {
    provider: string;
    /** As the seller spells it; may be empty */
    region: string;
    numGpus: number;
    /** US dollars of the whole machine, decimal text, exact */
    usdPerHour: string;
    usdPerGpuHour: number;
    /** How far it is above the median; negative: below */
    abovePercent: number | null;
  } | null;
}
export interface PriceChange {
  days: number;
  /** Like for like; null: no comparable day */
  percent: number | null;
  stderrPercent: number | null;
  /** The median's change between the same days */
  medianPercent: number | null;
  /** Percentage points that come from a different mix of machines */
  mixPercent: number | null;
  status: 'insufficient' | 'steady' | 'clear' | 'unclear';
  /** What it means: `prices steady, cheap ones are taken` */
  words: string;
}
export interface Explanation {
  of: 'book' | 'ranking' | 'bucket';
  /** How the figure was computed, in sentences */
  text: string[];
  /** The figures as other responses have them; null: none */
  value: {
    [k: string]: number | string | boolean | null;
  };
  /** Every figure of `value` equals that of `recomputed`, numbers to 8 digits */
  agrees: boolean;
  /** The moment of the book, or the start of the bucket */
  from: string | null;
  /** End of the bucket; null: it is a book */
  to: string | null;
  bookVerdict: 'complete' | 'partial' | null;
  figure:
    | 'usdPerGpuHour'
    | 'usdPerHour'
    | 'usdPerDlperfHour'
    | 'allInUsdPerHour'
    | 'usdPerGbVramHour'
    | 'usdPerTflopHour';
  unit: string;
  formula: string;
  /** Rows taken */
  taken: number;
  rejected: {
    reason: string;
    rows: number;
  }[];
  /** From the rows taken; the supply of a bucket from the points of its books */
  recomputed: {
    observations: number;
    offers: number;
    gpus: number;
    machines: number;
    min: number | null;
    p10: number | null;
    p25: number | null;
    median: number | null;
    p75: number | null;
    p90: number | null;
    max: number | null;
    /** Each GPU counted once; only for books and buckets */
    physicalGpus?: number;
    physicalGpusIsLowerBound?: boolean;
    books: number;
    rank?: number;
    value?: number | null;
    usdPerHour?: number | null;
    usdPerGpuHour?: number | null;
    allInUsdPerHour?: number | null;
  };
  /** The last 200 books of a bucket */
  books: {
    id: string;
    observedAt: string;
    verdict: 'complete' | 'partial';
    reason: string | null;
    /** Its offers count */
    covers: boolean;
    point: {
      observations: number;
      offers: number;
      gpus: number;
      machines: number;
      min: number | null;
      p10: number | null;
      p25: number | null;
      median: number | null;
      p75: number | null;
      p90: number | null;
      max: number | null;
      /** Each GPU counted once; only for books and buckets */
      physicalGpus?: number;
      physicalGpusIsLowerBound?: boolean;
    } | null;
  }[];
  /** Earlier books of the bucket that are not listed */
  moreBooks: number;
  /** A page of the rows */
  items: ExplainedRow[];
  nextCursor: string | null;
}
export interface ExplainedRow {
  listingId: string;
  machineId: number;
  hostId: number | null;
  gpuName: string;
  numGpus: number;
  baseUsdPerHour: number;
  storageUsdPerGbMonth: number | null;
  inetDownUsdPerGb: number | null;
  inetUpUsdPerGb: number | null;
  dlperf: number | null;
  /** null: rejected */
  value: number | null;
  /** `no …`, `filter …` or `blocked`; null: taken */
  rejected: string | null;
  /** Number of books that held it like this; 1 for a single book */
  books: number;
  /** Only in rankings of several markets */
  market?: string;
}
export interface FigureExplanation {
  of:
    | 'verdict'
    | 'index'
    | 'change'
    | 'forecast'
    | 'wait'
    | 'listing'
    | 'lowest'
    | 'bid-spread'
    | 'list-price'
    | 'week'
    | 'volatility'
    | 'range'
    | 'supply'
    | 'vs-market'
    | 'balance'
    | 'budget'
    | 'instance'
    | 'adjustment'
    | 'difference';
  /** How the figure was computed, in sentences */
  text: string[];
  /** The figures as other responses have them; null: none */
  value: {
    [k: string]: number | string | boolean | null;
  };
  /** Every figure of `value` equals that of `recomputed`, numbers to 8 digits */
  agrees: boolean;
  unit: string | null;
  formula: string;
  /** Rows taken */
  taken: number;
  rejected: {
    reason: string;
    rows: number;
  }[];
  recomputed: {
    [k: string]: number | string | boolean | null;
  };
  /** A page of the rows */
  items: {
    [k: string]: number | string | boolean | null;
  }[];
  nextCursor: string | null;
}
export interface SpendExplanation {
  of: 'spend';
  /** How the figure was computed, in sentences */
  text: string[];
  /** The figures as other responses have them; null: none */
  value: {
    [k: string]: number | string | boolean | null;
  };
  /** Every figure of `value` equals that of `recomputed`, numbers to 8 digits */
  agrees: boolean;
  market: string;
  from: string;
  to: string;
  timeZone: string;
  asOf: string;
  groups: {
    by:
      | 'month'
      | 'week'
      | 'day'
      | 'service'
      | 'gpuName'
      | 'instance'
      | 'label'
      | 'rentedBy'
      | 'costCenter'
      | 'source'
      | 'type';
    key: string | null;
  }[];
  category: 'consumption' | 'payment' | 'transfer' | 'refund' | 'payout' | null;
  basis: 'charged' | 'estimated' | null;
  formula: string;
  /** Entries taken */
  taken: number;
  rejected: {
    reason: string;
    rows: number;
  }[];
  recomputed: {
    entries: number;
    /** US dollars, exact decimal */
    amountUsd: string;
  };
  /** A page of the entries */
  items: ExplainedEntry[];
  nextCursor: string | null;
}
export interface ExplainedEntry {
  entryId: string;
  kind: 'payment' | 'consumption' | 'estimate';
  category: 'consumption' | 'payment' | 'transfer' | 'refund' | 'payout';
  basis: 'charged' | 'estimated';
  start: string;
  end: string | null;
  type: string | null;
  source: string | null;
  service: string | null;
  description: string | null;
  gpuName: string | null;
  label: string | null;
  instanceId: number | null;
  /** The whole entry */
  amountUsd: string;
  /** The part of it in the sum; null: rejected */
  partUsd: string | null;
  /** `disappeared`, `other …` or `outside of the range`; null: taken */
  rejected: string | null;
}
export interface MarketPatterns {
  market: string;
  from: string;
  to: string;
  timeZone: string;
  type: 'on-demand' | 'bid' | 'reserved';
  gpuName: string;
  unit: 'USD/GPU/hour';
  hoursOfWeek: HourOfWeek[];
  cheapestHour: HourOfWeek & ({} | null);
  /** Standard deviation of the daily median's relative changes; null: under three days */
  volatilityPercent: number | null;
  days: number;
  budget: {
    usdPerHour: number;
    books: number;
    booksWithin: number;
    /** Of complete books; null: there is none */
    share: number | null;
  } | null;
}
export interface HourOfWeek {
  /** 1 is Monday */
  weekday: number;
  hour: number;
  /** Median of the hours' medians */
  median: number;
  /** Hours of the range that it is the median of */
  hours: number;
}
export interface PriceIndex {
  /** First day that all series have; null: none, or not requested */
  base: string | null;
  series: {
    key: string;
    market: string;
    points: IndexPoint[];
    /** Over 1, 7 and 27 days up to the last point */
    changes: PriceChange[];
  }[];
}
export interface IndexPoint {
  /** Start of the UTC day */
  t: string;
  /** 100 on the first day and on each restart */
  index: number;
  /** Since the last comparable day; null: it restarts */
  movementPercent: number | null;
  /** Of the movement; null: fewer than 3 hosts */
  stderrPercent: number | null;
  /** Listings seen on two or more days of the window */
  listings: number;
  /** Listings and days of the window */
  observations: number;
  /** No earlier day can be compared */
  restarted: boolean;
  /** The day has not ended */
  open: boolean;
  /** With `rebase`: 100 on `base`, or on the first day linked with it */
  rebased?: number;
  /** Two standard errors lower; null: unknown */
  rebasedLow?: number | null;
  /** Two standard errors higher */
  rebasedHigh?: number | null;
}
export interface Forecast {
  metric: 'median' | 'index';
  unit: string;
  series: {
    key: string;
    market: string;
    /** Last closed UTC day */
    lastDay: string | null;
    lastValue: number | null;
    horizons: WordedForecast[];
  }[];
}
export interface HorizonForecast {
  days: number;
  /** `withheld`: past forecasts were not 5% better than the last value, or too few are known */
  status: 'ok' | 'withheld';
  /** null where the forecast is withheld, as are the band and the candidate */
  value: number | null;
  /** p10, from the errors of past forecasts */
  low: number | null;
  /** p90 */
  high: number | null;
  candidate: 'lastValue' | 'drift' | 'dampedTrend' | 'weekday' | null;
  /** Mean error of past forecasts; null: unknown */
  meanErrorPercent: number | null;
  /** Mean error of the last value on the same days */
  naiveErrorPercent: number | null;
  /** Share of outcomes within the band, 0 to 1 */
  coverage: number | null;
  /** Past days with a known outcome */
  origins: number;
  /** In 8 of 10 cases the value moved by at most this much */
  usualMovePercent: number | null;
}
export interface MarketWait {
  market: string;
  /** The newest complete book; null: there is none */
  observedAt: string | null;
  type: 'on-demand' | 'bid' | 'reserved';
  hours: number;
  unit: string;
  /** The lowest price; null: no offer matches */
  priceNow: number | null;
  /** Percentile of `priceNow` among the prices of the 7 days before */
  percentileNow: number | null;
  overall: PriceDrops;
  similar: PriceDrops;
  bidSurvival: {
    /** The newest complete book of bids; null: there is none */
    observedAt: string | null;
    bids: BidSurvival[];
  };
}
export interface PriceDrops {
  status: 'ok' | 'insufficient';
  /** Past books that count */
  books: number;
  /** Number of these at least `hours` apart, chosen oldest first */
  cases: number;
  neededCases: number;
  drops: {
    percent: number;
    /** Share of the books, 0 to 1; null: too few cases */
    chance: number | null;
    /** To the first such price; null: never, or too few cases */
    medianHours: number | null;
  }[];
}
export interface BidSurvival {
  hours: number;
  /** How far above the minimum bid each bid is */
  raisePercent: number;
  status: 'ok' | 'insufficient';
  /** Never below the minimum bid in time, 0 to 1 */
  share: number | null;
  /** Bids whose outcome is known */
  bids: number;
  cases: number;
  /** Bids whose listing left the market before the outcome was known */
  unknown: number;
}
export interface Catalogs {
  providers: {
    provider: string;
    /** Moments at which its catalog was read */
    snapshots: number;
    firstAsOf: string;
    /** Of the newest snapshot, like the fields after it */
    asOf: string;
    importedAt: string;
    rows: number;
    /** Rows without a price, by reason */
    leftOut: {
      [k: string]: number;
    };
    /** Prices in force: the cheapest machine of each kind */
    prices: number;
  }[];
  gpus: {
    /** As catalogs spell it */
    name: string;
    /** `SXM`, `PCIE` or `NVL`; null: not stated */
    form: string | null;
    providers: string[];
    status: 'known' | 'ambiguous' | 'unknown';
    /** The models of markets that it may be */
    gpuNames: string[];
  }[];
}
export interface CatalogPrices {
  unit: 'USD/GPU/hour';
  series: {
    key: string;
    /** Only if several markets were requested */
    market?: string;
    gpuName: string;
    type: 'on-demand' | 'bid' | 'reserved';
    /** From `t` until the next step; null: no list price is known */
    steps: {
      t: string;
      price: {
        provider: string;
        /** As the seller spells it; may be empty */
        region: string;
        numGpus: number;
        /** US dollars of the whole machine, decimal text, exact */
        usdPerHour: string;
        usdPerGpuHour: number;
      } | null;
    }[];
  }[];
}
export interface Blocklist {
  items: BlocklistEntry[];
  nextCursor: string | null;
}
export interface BlocklistEntry {
  id: string;
  market: string;
  /** `block`: never rent there; `prefer`: marked as preferred */
  kind: 'block' | 'prefer';
  /** null: it is a host */
  machineId: number | null;
  /** null: it is a machine */
  hostId: number | null;
  note: string | null;
  addedAt: string;
}
/** A machine or a host, not both */
export interface NewBlocklistEntry {
  /** Default: the configured market */
  market?: string;
  kind?: 'block' | 'prefer';
  machineId?: number;
  hostId?: number;
  note?: string;
}
export interface Crawls {
  items: Crawl[];
  nextCursor: string | null;
}
export interface Crawl {
  id: string;
  /** Only if several markets were requested */
  market?: string;
  kind: string;
  scope: string;
  type: 'on-demand' | 'bid' | 'reserved' | null;
  cause: 'cron' | 'command' | 'api' | 'watch' | 'import' | 'seed';
  state: 'queued' | 'running' | 'ended';
  /** null while it is queued */
  startedAt: string | null;
  endedAt: string | null;
  /** null until it has ended */
  outcome: 'complete' | 'partial' | 'failed' | 'unchanged' | null;
  reason: string | null;
  /** For offers the first form, for invoices and charges the second */
  certificate: CoverageCertificate | BillingCertificate | null;
  /** The book that it stored */
  book: {
    id: string;
    observedAt: string;
    startedAt: string;
    /** Coverage of the book */
    verdict: 'complete' | 'partial';
    reason: string | null;
    proof: 'proved' | 'declared';
    offers: number;
  } | null;
  /** What was requested, what came and what may be missing, in sentences; empty for kinds other than offers */
  explanation: string[];
}
export interface CoverageCertificate {
  pages: number;
  rowsPerPage: number[];
  pageLimit: number | null;
  rows: number;
  accepted: number;
  rowCap: number | null;
  duplicates: number;
  movedRows: number;
  rejected: {
    [k: string]: number;
  };
  leftOut: {
    [k: string]: number;
  };
  doubtfulPrices: {
    offerId: number;
    amounts: {
      [k: string]: number;
    };
  }[];
  replacedCharacters: number;
  retries: number;
  throttles: number;
  durationMs: number;
  estimatedMissingShare: number | null;
  missingShareAtMost: number | null;
  estimate: 'agreed' | 'chapman' | 'recapture' | null;
  passes: {
    kind: 'full' | 'sample' | 'probe';
    part: string | null;
    pages: number;
    rows: number;
    unseen: number;
  }[];
  endConfirmed: boolean;
  apart: 'tiers' | 'models' | null;
  paging: 'id' | 'price' | 'whole' | 'none';
}
export interface BillingCertificate {
  pages: number;
  rows: number;
  firstTotal: number | null;
  lastTotal: number | null;
  rejected: {
    [k: string]: number;
  };
  repeated: number;
  moved: string | null;
  parts: number;
  unprovedParts: number;
  restarts: number;
  miscounted: number;
  replacedCharacters: number;
  retries: number;
  throttles: number;
  durationMs: number;
  /** Changes by the sync; null: nothing was stored */
  kept: {
    entries: number;
    added: number;
    changed: number;
    returned: number;
    missed: number;
    disappeared: number;
  } | null;
}
export interface CrawlOrdered {
  crawlIds: string[];
}
export interface CrawlOrder {
  /** What to read; default: offers */
  kind?: 'offers' | 'invoices' | 'charges' | 'instances';
  /** Name of the market; default: the configured one */
  market?: string;
  /** For offers: one pricing type; default: all */
  type?: 'on-demand' | 'bid' | 'reserved';
  /** For invoices and charges: read the whole history again */
  all?: boolean;
}
export interface StoredMarkets {
  items: StoredMarket[];
  nextCursor: null;
}
export interface StoredMarket {
  name: string;
  kind: 'live' | 'simulated' | 'recorded';
  /** Whether it is used if a request names no market */
  isDefault: boolean;
  /** Models that the market ever listed */
  gpuNames: string[];
  types: ('on-demand' | 'bid' | 'reserved')[];
  /** What renting costs on top of its prices, which never include it; 0: nothing, as far as known */
  rentingFeePercent: number;
  newestBooks: {
    type: 'on-demand' | 'bid' | 'reserved';
    observedAt: string;
    verdict: 'complete' | 'partial';
  }[];
}
export interface Books {
  items: Book[];
  nextCursor: string | null;
}
export interface Book {
  id: string;
  market: string;
  scope: string;
  type: 'on-demand' | 'bid' | 'reserved';
  observedAt: string;
  /** Coverage of the book */
  verdict: 'complete' | 'partial';
  offers: number;
}
export interface DeletedBooks {
  /** false: a dry run, nothing was changed */
  deleted: boolean;
  books: number;
  /** Offers of these books together */
  offers: number;
  /** Moment of the oldest of them */
  from: string | null;
  to: string | null;
  /** The books, oldest first; at most 100 */
  items: Book[];
}
export interface Watches {
  items: Watch[];
  nextCursor: string | null;
}
export interface Watch {
  id: string;
  /** The first of its markets */
  market: string;
  /** All markets that it follows */
  markets: string[];
  name: string;
  /** The conditions that are set; others are absent */
  filters: {
    gpuName?: string[];
    type?: ('on-demand' | 'bid' | 'reserved')[];
    verification?: ('verified' | 'unverified' | 'deverified')[];
    numGpus?: number[];
    maxUsdPerHour?: number;
    minReliability?: number;
    minVramGb?: number;
    minDiskGb?: number;
    minCuda?: number;
    minInetDown?: number;
    minInetUp?: number;
    country?: string[];
    datacenter?: boolean;
    staticIp?: boolean;
    machineId?: number[];
    hostId?: number[];
    excludeMachineId?: number[];
    excludeHostId?: number[];
  };
  profile: {
    storageGb: number;
    downGb: number;
    upGb: number;
    runningHours: number;
    stoppedHours: number;
  };
  rankBy: 'usdPerDlperfHour' | 'usdPerGpuHour' | 'allInUsdPerHour' | 'usdPerGbVramHour' | 'usdPerTflopHour';
  top: number;
  schedule: {
    cron: string;
    timeZone: string;
  };
  channelIds: string[];
  /** null: its report is sent only on request */
  reportSchedule: {
    cron: string;
    timeZone: string;
  } | null;
}
export interface NewWatch {
  name: string;
  /** Its market, or a list of several. Default: the configured market */
  market?:
    | string
    | [string]
    | [string, string]
    | [string, string, string]
    | [string, string, string, string]
    | [string, string, string, string, string]
    | [string, string, string, string, string, string]
    | [string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string, string, string, string, string, string]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ];
  filters?: WatchFilters;
  profile?: UsageProfile;
  /** A new watch: `usdPerDlperfHour` */
  rankBy?: 'usdPerDlperfHour' | 'usdPerGpuHour' | 'allInUsdPerHour' | 'usdPerGbVramHour' | 'usdPerTflopHour';
  /** Offers in a report. A new watch: 10 */
  top?: number;
  /** When its own book is crawled */
  schedule?: {
    /** 5 fields, or 6 with seconds. A new watch: `* /10 * * * *` */
    cron?: string;
    /** Time zone of the expression. A new watch: TZ of the service */
    timeZone?: string;
  };
  /**
   * Channels of its reports, and of alerts of rules without channels
   *
   * @maxItems 20
   */
  channelIds?:
    | []
    | [string]
    | [string, string]
    | [string, string, string]
    | [string, string, string, string]
    | [string, string, string, string, string]
    | [string, string, string, string, string, string]
    | [string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string, string, string, string, string, string]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ];
  /** When its report is sent; null: only on request. A new watch with channels and a `schedule.cron`: that; otherwise null */
  reportSchedule?: {
    /** 5 fields, or 6 with seconds. A new watch: `* /10 * * * *` */
    cron?: string;
    /** Time zone of the expression. A new watch: TZ of the service */
    timeZone?: string;
  } | null;
}
/** Conditions on offers, as on rankings; a list means one of its values */
export interface WatchFilters {
  gpuName?: string | string[];
  type?: ('on-demand' | 'bid' | 'reserved') | ('on-demand' | 'bid' | 'reserved')[];
  /** Offers of these verification tiers */
  verification?: ('verified' | 'unverified' | 'deverified') | ('verified' | 'unverified' | 'deverified')[];
  /** Offers of this many GPUs */
  numGpus?: number | number[];
  /** Offers whose price for the whole machine, with the profile's storage, is at most this, USD/hour */
  maxUsdPerHour?: number;
  /** Offers at least this reliable, 0 to 1 */
  minReliability?: number;
  /** Offers with at least this much VRAM per GPU, in GB of 1000 MB: a 24 GB card, listed with 24,564 MB, counts as 24 */
  minVramGb?: number;
  /** Offers with at least this much disk, GB */
  minDiskGb?: number;
  /** Offers that support this CUDA version or newer */
  minCuda?: number;
  /** Offers with at least this download speed, in the unit of the listing */
  minInetDown?: number;
  /** Offers with at least this upload speed, in the unit of the listing */
  minInetUp?: number;
  /** Offers in these countries, two letters */
  country?: string | string[];
  /** Offers in a datacenter or not */
  datacenter?: boolean;
  /** Offers with a static IP address or not */
  staticIp?: boolean;
  /** Offers of these machines */
  machineId?: number | number[];
  /** Offers of these hosts */
  hostId?: number | number[];
  /** Offers not of these machines */
  excludeMachineId?: number | number[];
  /** Offers not of these hosts */
  excludeHostId?: number | number[];
}
/** The usage profile; defaults as in rankings */
export interface UsageProfile {
  storageGb?: number;
  downGb?: number;
  upGb?: number;
  runningHours?: number;
  stoppedHours?: number;
}
export interface WatchChange {
  name?: string;
  /** Its markets from now on, one or a list; the others are no longer followed */
  market?:
    | string
    | [string]
    | [string, string]
    | [string, string, string]
    | [string, string, string, string]
    | [string, string, string, string, string]
    | [string, string, string, string, string, string]
    | [string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string, string, string, string, string, string]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ];
  filters?: WatchFilters;
  profile?: UsageProfile;
  /** A new watch: `usdPerDlperfHour` */
  rankBy?: 'usdPerDlperfHour' | 'usdPerGpuHour' | 'allInUsdPerHour' | 'usdPerGbVramHour' | 'usdPerTflopHour';
  /** Offers in a report. A new watch: 10 */
  top?: number;
  /** When its own book is crawled */
  schedule?: {
    /** 5 fields, or 6 with seconds. A new watch: `* /10 * * * *` */
    cron?: string;
    /** Time zone of the expression. A new watch: TZ of the service */
    timeZone?: string;
  };
  /**
   * Channels of its reports, and of alerts of rules without channels
   *
   * @maxItems 20
   */
  channelIds?:
    | []
    | [string]
    | [string, string]
    | [string, string, string]
    | [string, string, string, string]
    | [string, string, string, string, string]
    | [string, string, string, string, string, string]
    | [string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string, string, string, string, string, string]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ];
  /** When its report is sent; null: only on request. A new watch with channels and a `schedule.cron`: that; otherwise null */
  reportSchedule?: {
    /** 5 fields, or 6 with seconds. A new watch: `* /10 * * * *` */
    cron?: string;
    /** Time zone of the expression. A new watch: TZ of the service */
    timeZone?: string;
  } | null;
}
export interface Spend {
  market: string;
  from: string;
  to: string;
  timeZone: string;
  asOf: string;
  groupBy:
    | 'month'
    | 'week'
    | 'day'
    | 'service'
    | 'gpuName'
    | 'instance'
    | 'label'
    | 'rentedBy'
    | 'costCenter'
    | 'source'
    | 'type';
  stackBy:
    | 'month'
    | 'week'
    | 'day'
    | 'service'
    | 'gpuName'
    | 'instance'
    | 'label'
    | 'rentedBy'
    | 'costCenter'
    | 'source'
    | 'type'
    | null;
  items: {
    key: string | null;
    subkey: string | null;
    category: 'consumption' | 'payment' | 'transfer' | 'refund' | 'payout';
    basis: 'charged' | 'estimated';
    /** Exact; consumption is positive, money paid in is negative */
    amountUsd: string;
    entries: number;
  }[];
  totals: {
    category: 'consumption' | 'payment' | 'transfer' | 'refund' | 'payout';
    basis: 'charged' | 'estimated';
    /** Exact; consumption is positive, money paid in is negative */
    amountUsd: string;
    entries: number;
  }[];
  /** Entries that the market no longer lists; in no sum */
  disappeared: {
    entries: number;
    /** US dollars, decimal text, exact */
    amountUsd: string;
  };
  /** Closed months of the range, with what has changed since their close */
  months: {
    month: string;
    closedAt: string;
    /** US dollars, decimal text, exact */
    adjustmentUsd: string;
  }[];
  readUntil: {
    invoices: string | null;
    charges: string | null;
  };
  balance: Balance;
}
export interface Balance {
  /** The time up to which both kinds of bills are synced */
  at: string | null;
  /** US dollars, decimal text, exact */
  amountUsd: string | null;
  /** Why it is unknown */
  reason: string | null;
  statement: {
    at: string;
    /** US dollars, decimal text, exact */
    amountUsd: string;
  } | null;
}
export interface SpendAdjustments {
  market: string;
  from: string;
  to: string;
  timeZone: string;
  asOf: string;
  items: {
    month: string;
    closedAt: string;
    seenAt: string;
    entryId: string;
    category: 'consumption' | 'payment' | 'transfer' | 'refund' | 'payout';
    basis: 'charged' | 'estimated';
    change: 'added' | 'changed' | 'disappeared';
    start: string;
    type: string | null;
    source: string | null;
    service: string | null;
    /** US dollars, decimal text, exact */
    closedUsd: string;
    /** US dollars, decimal text, exact */
    amountUsd: string;
    /** US dollars, decimal text, exact */
    adjustmentUsd: string;
  }[];
}
export interface Balances {
  items: StatementBalance[];
  current: Balance;
  nextCursor: null;
}
export interface StatementBalance {
  id: string;
  at: string;
  amountUsd: string;
  enteredAt: string;
  enteredBy: string;
}
export interface NewBalance {
  amountUsd: string;
  /** An instant with its zone. Default: now */
  at?: string;
  market?: string;
}
export interface SpendVsMarket {
  market: string;
  from: string;
  to: string;
  timeZone: string;
  asOf: string;
  /** Totals of the same hours at the cheapest cloud */
  cloud: {
    /** At the cheapest list price of other sellers, and what was paid for these hours; null: none is known */
    cloudUsd: string | null;
    /** At the cheapest list price of other sellers, and what was paid for these hours; null: none is known */
    cloudComparedUsd: string | null;
    /** Paid for hours that have no list price */
    notComparedUsd: string;
    /** Instances without any list price */
    notComparedInstances: number;
  };
  items: {
    instanceId: number | null;
    source: string | null;
    label: string | null;
    gpuName: string | null;
    numGpus: number | null;
    type: 'on-demand' | 'bid' | 'reserved' | null;
    storageGb: number | null;
    paidUsd: string;
    /** null: nothing can be compared, `unattributable` says why */
    comparedUsd: string | null;
    /** null: nothing can be compared, `unattributable` says why */
    overMedianUsd: string | null;
    /** null: nothing can be compared, `unattributable` says why */
    overMinUsd: string | null;
    /** At the cheapest list price of other sellers, and what was paid for these hours; null: none is known */
    cloudUsd: string | null;
    /** At the cheapest list price of other sellers, and what was paid for these hours; null: none is known */
    cloudComparedUsd: string | null;
    unattributable: string | null;
    cheaperEqual: {
      machineId: number;
      usdPerHour: number;
      since: string;
      until: string | null;
    } | null;
    hours: {
      t: string;
      seconds: number;
      paidUsd: string;
      paidUsdPerGpuHour: number | null;
      medianUsdPerGpuHour: number | null;
      minUsdPerGpuHour: number | null;
      overMedianUsd: string | null;
      overMinUsd: string | null;
      cloudUsdPerGpuHour: number | null;
      cloudUsd: string | null;
    }[];
  }[];
}
export interface SpendReconciliation {
  market: string;
  from: string;
  to: string;
  timeZone: string;
  asOf: string;
  items: {
    kind: 'items' | 'invoices' | 'balances' | 'ledger';
    subject: string;
    from: string;
    to: string;
    expectedUsd: string;
    actualUsd: string;
    differenceUsd: string;
    reason: string;
  }[];
}
export interface Budgets {
  items: Budget[];
  nextCursor: null;
}
export interface Budget {
  id: string;
  market: string;
  /** The label that it is for; null: everything */
  label: string | null;
  monthlyUsd: string;
  alertAt: number[];
  blockRentals: boolean;
  timeZone: string;
  state: {
    month: string;
    from: string;
    to: string;
    spentUsd: string;
    share: number;
    /** Of instances with a known price; null: none has one */
    burnUsdPerHour: string | null;
    /** Instances whose price is unknown, in part or in full */
    unpriced: number;
    projectedUsd: string | null;
    projectionMethod: string;
    reached: number[];
    usedUp: boolean;
  };
}
export interface NewBudget {
  label?: string | null;
  monthlyUsd: string;
  /**
   * Shares that alert: 0.8 for 80%
   *
   * @maxItems 20
   */
  alertAt?:
    | []
    | [number]
    | [number, number]
    | [number, number, number]
    | [number, number, number, number]
    | [number, number, number, number, number]
    | [number, number, number, number, number, number]
    | [number, number, number, number, number, number, number]
    | [number, number, number, number, number, number, number, number]
    | [number, number, number, number, number, number, number, number, number]
    | [number, number, number, number, number, number, number, number, number, number]
    | [number, number, number, number, number, number, number, number, number, number, number]
    | [number, number, number, number, number, number, number, number, number, number, number, number]
    | [number, number, number, number, number, number, number, number, number, number, number, number, number]
    | [
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number
      ]
    | [
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number
      ]
    | [
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number
      ]
    | [
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number
      ]
    | [
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number
      ]
    | [
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number
      ]
    | [
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number
      ];
  /** Refuse rentals once it is used up */
  blockRentals?: boolean;
  /** Time zone of its months. Default: TZ of the service */
  timeZone?: string;
  market?: string;
}
export interface BudgetChange {
  monthlyUsd?: string;
  /** @maxItems 20 */
  alertAt?:
    | []
    | [number]
    | [number, number]
    | [number, number, number]
    | [number, number, number, number]
    | [number, number, number, number, number]
    | [number, number, number, number, number, number]
    | [number, number, number, number, number, number, number]
    | [number, number, number, number, number, number, number, number]
    | [number, number, number, number, number, number, number, number, number]
    | [number, number, number, number, number, number, number, number, number, number]
    | [number, number, number, number, number, number, number, number, number, number, number]
    | [number, number, number, number, number, number, number, number, number, number, number, number]
    | [number, number, number, number, number, number, number, number, number, number, number, number, number]
    | [
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number
      ]
    | [
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number
      ]
    | [
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number
      ]
    | [
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number
      ]
    | [
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number
      ]
    | [
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number
      ]
    | [
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number
      ];
  blockRentals?: boolean;
  timeZone?: string;
}
export interface SheetLinks {
  items: SheetLink[];
  nextCursor: null;
}
export interface SheetLink {
  id: string;
  /** The first of its markets */
  market: string;
  /** If it shows several */
  markets?: string[];
  export: string;
  query: {
    [k: string]: string | string[];
  };
  note: string | null;
  createdAt: string;
  revokedAt: string | null;
  lastReadAt: string | null;
}
export interface SheetLinkRequest {
  export:
    | 'spend'
    | 'spend-summary'
    | 'spend-adjustments'
    | 'focus'
    | 'rentals'
    | 'trends'
    | 'index'
    | 'rankings'
    | 'offers';
  /** Parameters of the export */
  query?: {
    [k: string]: string | string[];
  };
  note?: string | null;
  /** The market that it shows, or a list. Default: the configured market */
  market?:
    | string
    | [string]
    | [string, string]
    | [string, string, string]
    | [string, string, string, string]
    | [string, string, string, string, string]
    | [string, string, string, string, string, string]
    | [string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string, string, string, string, string, string]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ];
}
export interface Templates {
  items: Template[];
  nextCursor: null;
  rejected: number;
}
export interface Template {
  /** Used for deleting */
  templateId: number;
  /** Used for renting and changing; differs after each change */
  hashId: string | null;
  name: string;
  image: string;
  tag: string | null;
  description: string | null;
  readme: string | null;
  env: string | null;
  onstart: string | null;
  runtype: string | null;
  args: string | null;
  useSsh: boolean | null;
  sshDirect: boolean | null;
  jupyterDirect: boolean | null;
  jupyterDir: string | null;
  useJupyterLab: boolean | null;
  dockerLoginRepo: string | null;
  href: string | null;
  repo: string | null;
  extraFilters: {
    [k: string]: {
      [k: string]: unknown;
    };
  } | null;
  recommendedDiskGb: number | null;
  isPrivate: boolean | null;
  isRecommended: boolean | null;
  creatorId: number | null;
  instancesCreated: number | null;
  createdAt: string | null;
  lastUsedAt: string | null;
}
export interface TemplateMade {
  templateId: number;
  hashId: string;
}
export interface NewTemplate {
  name: string;
  image: string;
  tag?: string;
  description?: string;
  readme?: string;
  /** Flags: `-e NAME=value -p host:container` */
  env?: string;
  onstart?: string;
  /** Compress a start script that is too long into one line that unpacks and runs it */
  compressOnstart?: boolean;
  runtype?: 'ssh' | 'jupyter' | 'args';
  args?: string;
  useSsh?: boolean;
  sshDirect?: boolean;
  jupyterDirect?: boolean;
  useJupyterLab?: boolean;
  jupyterDir?: string | null;
  dockerLoginRepo?: string;
  dockerLoginUser?: string;
  /** Sent to the market and not stored */
  dockerLoginPass?: string;
  href?: string;
  repo?: string;
  /** Conditions on offers by the market's names: `{"num_gpus":{"gte":2}}` */
  extraFilters?: {
    [k: string]: {
      [k: string]: unknown;
    };
  };
  recommendedDiskGb?: number;
  isPrivate?: boolean;
}
export interface TemplateChanged {
  hashId: string;
}
export interface TemplateChange {
  name?: string;
  image?: string;
  tag?: string;
  description?: string;
  readme?: string;
  /** Flags: `-e NAME=value -p host:container` */
  env?: string;
  onstart?: string;
  /** Compress a start script that is too long into one line that unpacks and runs it */
  compressOnstart?: boolean;
  runtype?: 'ssh' | 'jupyter' | 'args';
  args?: string;
  useSsh?: boolean;
  sshDirect?: boolean;
  jupyterDirect?: boolean;
  useJupyterLab?: boolean;
  jupyterDir?: string | null;
  dockerLoginRepo?: string;
  dockerLoginUser?: string;
  /** Sent to the market and not stored */
  dockerLoginPass?: string;
  href?: string;
  repo?: string;
  /** Conditions on offers by the market's names: `{"num_gpus":{"gte":2}}` */
  extraFilters?: {
    [k: string]: {
      [k: string]: unknown;
    };
  };
  recommendedDiskGb?: number;
  isPrivate?: boolean;
}
export interface Tokens {
  items: Token[];
  nextCursor: null;
}
export interface Token {
  id: string;
  name: string;
  role: 'viewer' | 'operator' | 'admin' | 'feed';
  createdAt: string;
  /** null: active */
  revokedAt: string | null;
}
export interface TokenSecret {
  id: string;
  token: string;
}
export interface NewToken {
  name: string;
  role?: 'viewer' | 'operator' | 'admin' | 'feed';
}
export interface Quote {
  at: string;
  offerId: number;
  /** The market's current offer */
  offer: {
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
    [k: string]: unknown;
  };
  /** Whole machine with disk and a new volume; caps compare this */
  usdPerHour: string | null;
  baseUsdPerHour: string | null;
  storageUsdPerHour: string | null;
  /** For a new volume */
  volumeUsdPerHour: string | null;
  /** For the disk while it is stopped */
  stoppedUsdPerDay: string | null;
  bidUsdPerHour: string | null;
  minBidUsdPerHour: number | null;
  /** For the request's profile, including traffic */
  allInUsd: string | null;
  allInUsdPerHour: string | null;
  /** When the host's offer ends */
  endsAt: string | null;
  isVm: boolean | null;
  verdict: {
    [k: string]: unknown;
  } | null;
  warnings: {
    kind: string;
    message: string;
  }[];
  /** Why the request could not be sent */
  problems: string[];
  /** What would be sent, merged with the template; names of environment variables only */
  instance: {
    image: string | null;
    diskGb: number;
    [k: string]: unknown;
  };
  /** Where each field of `instance` comes from */
  sources: {
    [k: string]: 'request' | 'template' | 'both' | 'neither';
  };
  guards: {
    guard: string;
    limit: string | null;
    value: string | null;
    message: string;
  }[];
  /** Why the rental would be refused, apart from guards */
  refusal: {
    kind: string;
    message: string;
  } | null;
  wouldRent: boolean;
}
/** What to rent: an offer or the best match of a watch, with an image or a template */
export interface QuoteRequest {
  offerId?: number;
  /** The best current match of this watch */
  watchId?: string;
  image?: string;
  templateHashId?: string;
  /** Fixed at creation; the quote is for this size */
  diskGb: number;
  /** Cap on the whole machine with its disk */
  maxUsdPerHour?: number;
  /** Makes it a bid */
  bidUsdPerHour?: number;
  /** Idle means every GPU use below this; default 5 */
  idlePercent?: number;
  /** What happens at a limit; default `stop` */
  endAction?: 'stop' | 'destroy';
  /** How long before an end to warn; 0: never; default 15 */
  warnMinutes?: number;
  /** Of `cheaperOfBooks`; default 2 */
  cheaperBooks?: number;
  /** Newest complete books; default 3 */
  cheaperOfBooks?: number;
  /** With a cheaper machine: notify, or rent it and then ask; default `notify` */
  cheaperAction?: 'notify' | 'replace';
  /** Hours from the start of the rental; then `endAction` */
  maxHours?: number;
  /** The moment of the end, in place of `maxHours` */
  endsAt?: string;
  /** Minutes in which every poll knew the GPU use and saw it low; then `endAction` */
  idleMinutes?: number;
  /** Dollars that it may cost from the start of the rental; then `endAction` */
  maxUsd?: number;
  /** Looks for equal machines that cost at least so much less */
  cheaperPercent?: number;
  /** Values by name; a port mapping is the key `-p host:container` with the value `1` */
  env?: {
    [k: string]: string;
  };
  onstart?: string;
  args?: string;
  runtype?: 'ssh' | 'jupyter' | 'args';
  volume?: VolumeAttachment;
  label?: string;
  costCenter?: string;
  /** What to do if the instance never runs: notify the channels of its rules, or rent a replacement; default `notify` */
  onFailure?: 'notify' | 'replace';
  /** With `replace`; default 1 */
  replacements?: number;
  /** Minutes after which it has failed to start; default 20 */
  provisionMinutes?: number;
  /** Whether to take the next best if the offer is gone or above the cap */
  nextBest?: boolean;
  /** For the all-in price; storage is the disk */
  profile?: {
    downGb?: number;
    upGb?: number;
    runningHours?: number;
    stoppedHours?: number;
  };
}
export interface Instances {
  items: LedgerInstance[];
  /** Sum of the known prices */
  totalUsdPerHour: string;
  /** Instances of unknown price, which the total leaves out */
  unpriced: number;
  nextCursor: null;
}
export interface LedgerInstance {
  /** null: not settled, or nothing was rented */
  instanceId: number | null;
  /** null: rented elsewhere */
  rentalId: string | null;
  /** `creating`, `settling`, `unsettled`, `failed`, `provisioning`, `running`, `ready`, `stopped`, `down`, `start-failed`, `destroying`, `destroyed`; an instance rented elsewhere may have another one, as the market names it */
  state: string;
  reason: string | null;
  label: string | null;
  costCenter: string | null;
  rentedBy: string | null;
  actualStatus: string | null;
  intendedStatus: string | null;
  statusMessage: string | null;
  gpuName: string | null;
  numGpus: number | null;
  type: 'on-demand' | 'bid' | 'reserved' | null;
  machineId: number | null;
  hostId: number | null;
  offerId: number | null;
  image: string | null;
  diskGb: number | null;
  sshHost: string | null;
  sshPort: number | null;
  startedAt: string | null;
  hostEndsAt: string | null;
  /** Now; null: unknown or gone */
  usdPerHour: string | null;
  /** While it runs, including its disk */
  runningUsdPerHour: string | null;
  /** For its disk, while it is stopped, until it is destroyed */
  stoppedUsdPerDay: string | null;
  /** Of a bid */
  bidUsdPerHour: string | null;
  minBidUsdPerHour: number | null;
  /** The cap of the request */
  maxUsdPerHour: string | null;
  /** At rent */
  quotedUsdPerHour: string | null;
  cost: InstanceCost;
  gpuUtilPercent: number | null;
  /** GPUs under 5% busy in every poll of an hour */
  idle: boolean | null;
  /** An equal machine that costs at least 5% less now */
  cheaper: {
    offerId: number;
    machineId: number;
    usdPerHour: number;
    savesUsdPerDay: string;
  } | null;
  wanted: 'running' | 'stopped' | 'destroyed' | null;
  wantedBy: string | null;
  /** Why the last attempt failed; null: it did not */
  wantedProblem: string | null;
  maxHours: number | null;
  endAction: 'stop' | 'destroy' | null;
  endsAt: string | null;
  idleMinutes: number | null;
  idlePercent: number | null;
  /** Of the limit on its cost */
  maxUsd: string | null;
  warnMinutes: number | null;
  cheaperPercent: number | null;
  cheaperBooks: number | null;
  cheaperOfBooks: number | null;
  cheaperAction: 'notify' | 'replace' | null;
  found: FoundMachine;
  ending: InstanceEnding;
  createdAt: string | null;
  readyAt: string | null;
  /** It failed to start: consider blocking its machine or host */
  failedStartAt: string | null;
  endedAt: string | null;
}
export interface InstanceCost {
  /** Charges, plus the estimate for the time after them */
  usd: string;
  /** For the whole time, without traffic */
  estimatedUsd: string;
  /** null: no charge has arrived yet */
  chargedUsd: string | null;
  chargedUntil: string | null;
  /** Charges without traffic, minus the estimate for the same time */
  differenceUsd: string | null;
  /** A rate was unknown for some time */
  isLowerBound: boolean;
}
export interface Rented {
  rentalId: string;
  /** null: not known yet, or nothing was rented */
  instanceId: number | null;
  offerId: number;
  machineId: number;
  gpuName: string;
  numGpus: number;
  usdPerHour: string;
  state: string;
  reason: string | null;
}
/** A rental request; with `dryRun` it is quoted and nothing is sent */
export interface RentRequest {
  offerId?: number;
  /** The best current match of this watch */
  watchId?: string;
  image?: string;
  templateHashId?: string;
  /** Fixed at creation; the quote is for this size */
  diskGb: number;
  /** Cap on the whole machine with its disk */
  maxUsdPerHour?: number;
  /** Makes it a bid */
  bidUsdPerHour?: number;
  /** Idle means every GPU use below this; default 5 */
  idlePercent?: number;
  /** What happens at a limit; default `stop` */
  endAction?: 'stop' | 'destroy';
  /** How long before an end to warn; 0: never; default 15 */
  warnMinutes?: number;
  /** Of `cheaperOfBooks`; default 2 */
  cheaperBooks?: number;
  /** Newest complete books; default 3 */
  cheaperOfBooks?: number;
  /** With a cheaper machine: notify, or rent it and then ask; default `notify` */
  cheaperAction?: 'notify' | 'replace';
  /** Hours from the start of the rental; then `endAction` */
  maxHours?: number;
  /** The moment of the end, in place of `maxHours` */
  endsAt?: string;
  /** Minutes in which every poll knew the GPU use and saw it low; then `endAction` */
  idleMinutes?: number;
  /** Dollars that it may cost from the start of the rental; then `endAction` */
  maxUsd?: number;
  /** Looks for equal machines that cost at least so much less */
  cheaperPercent?: number;
  /** Values by name; a port mapping is the key `-p host:container` with the value `1` */
  env?: {
    [k: string]: string;
  };
  onstart?: string;
  args?: string;
  runtype?: 'ssh' | 'jupyter' | 'args';
  volume?: VolumeAttachment;
  label?: string;
  costCenter?: string;
  /** What to do if the instance never runs: notify the channels of its rules, or rent a replacement; default `notify` */
  onFailure?: 'notify' | 'replace';
  /** With `replace`; default 1 */
  replacements?: number;
  /** Minutes after which it has failed to start; default 20 */
  provisionMinutes?: number;
  /** Whether to take the next best if the offer is gone or above the cap */
  nextBest?: boolean;
  /** For the all-in price; storage is the disk */
  profile?: {
    downGb?: number;
    upGb?: number;
    runningHours?: number;
    stoppedHours?: number;
  };
  dryRun?: boolean;
}
export interface InstanceChanged {
  instanceId: number;
  wanted: 'running' | 'stopped' | 'destroyed';
  /** `pending`: sent again until a list shows it */
  outcome: 'accepted' | 'pending';
  problem: string | null;
  /** Cost of its disk per day until it is destroyed */
  stoppedUsdPerDay: string | null;
}
export interface InstanceChange {
  label?: string | null;
  costCenter?: string | null;
  bidUsdPerHour?: number;
  /** Idle means every GPU use below this; default 5 */
  idlePercent?: number;
  /** What happens at a limit; default `stop` */
  endAction?: 'stop' | 'destroy';
  /** How long before an end to warn; 0: never; default 15 */
  warnMinutes?: number;
  /** Of `cheaperOfBooks`; default 2 */
  cheaperBooks?: number;
  /** Newest complete books; default 3 */
  cheaperOfBooks?: number;
  /** With a cheaper machine: notify, or rent it and then ask; default `notify` */
  cheaperAction?: 'notify' | 'replace';
  /** Hours from the start of the rental; then `endAction`; null removes it */
  maxHours?: number | null;
  /** The moment of the end, in place of `maxHours`; null removes it */
  endsAt?: string | null;
  /** Minutes in which every poll knew the GPU use and saw it low; then `endAction`; null removes it */
  idleMinutes?: number | null;
  /** Dollars that it may cost from the start of the rental; then `endAction`; null removes it */
  maxUsd?: number | null;
  /** Looks for equal machines that cost at least so much less; null removes it */
  cheaperPercent?: number | null;
}
export interface Rentals {
  items: LedgerInstance[];
  nextCursor: string | null;
}
export interface Rental {
  rental: LedgerInstance;
  quote: {
    [k: string]: unknown;
  };
  /** Names and lengths only of environment variables and scripts */
  request: {
    [k: string]: unknown;
  };
  watchId: string | null;
  /** The rental that it replaces */
  replacesId: string | null;
  states: {
    at: string;
    state: string;
    reason: string | null;
  }[];
}
export interface Settlement {
  /** null: nothing was rented */
  instanceId: number | null;
}
export interface Actions {
  /** Whether ACTIONS and the kill switch allow new rentals */
  enabled: boolean;
  /** ACTIONS of the settings */
  setting: boolean;
  /** null: never used */
  killSwitch: {
    enabled: boolean;
    changedAt: string;
    changedBy: string;
  } | null;
  /** null: no actions here */
  limits: {
    maxUsdPerHour: number | null;
    maxTotalUsdPerHour: number | null;
    maxInstances: number | null;
  } | null;
}
export interface ActionSwitch {
  enabled: boolean;
}
export interface AuditLog {
  items: AuditEntry[];
  nextCursor: string | null;
}
export interface AuditEntry {
  seq: number;
  at: string;
  market: string;
  actor: string;
  action: string;
  phase: string;
  rentalId: string | null;
  instanceId: number | null;
  detail?: unknown;
  hash: string;
}
export interface AuditVerdict {
  entries: number;
  /** Hash of the last entry; store it elsewhere */
  head: string | null;
  problem: {
    seq: number;
    what: string;
  } | null;
}
export interface Volumes {
  items: Volume[];
  nextCursor: null;
}
export interface Volume {
  volumeId: number;
  status: string | null;
  sizeGb: number | null;
  machineId: number | null;
  /** Instances that it is attached to */
  instanceIds: number[] | null;
  startedAt: string | null;
}
export interface VolumeOffers {
  items: VolumeOffer[];
  nextCursor: null;
}
export interface VolumeOffer {
  volumeOfferId: number;
  machineId: number | null;
  hostId: number | null;
  /** The largest possible size */
  diskSpaceGb: number | null;
  storageUsdPerGbMonth: number | null;
  reliability: number | null;
}
export interface VolumeMade {
  volumeName: string;
}
export interface NewVolume {
  volumeOfferId: number;
  sizeGb: number;
}
export interface ChannelKinds {
  items: ChannelKind[];
  nextCursor: string | null;
}
export interface ChannelKind {
  kind: 'email' | 'webhook' | 'ntfy' | 'slack' | 'discord' | 'telegram' | 'file';
  /** Its label */
  label: string;
  fields: {
    /** Of `config` */
    name: string;
    label: string;
    /** It may be a list */
    several: boolean;
    required: boolean;
  }[];
  /** What `secret` is; null: it takes none */
  secret: string | null;
}
export interface Channels {
  items: Channel[];
  nextCursor: string | null;
}
export interface Channel {
  id: string;
  kind: 'email' | 'webhook' | 'ntfy' | 'slack' | 'discord' | 'telegram' | 'file';
  name: string;
  /** By kind, without secrets: an address is shown as its host and last four characters */
  config: {
    [k: string]: unknown;
  };
  /** Whether it has a secret that can be decrypted */
  secretSet: boolean;
}
export interface NewChannel {
  kind: 'email' | 'webhook' | 'ntfy' | 'slack' | 'discord' | 'telegram' | 'file';
  /** Default: the kind */
  name?: string;
  /** By kind: `email`: `{to, attach}`; `webhook`: `{url}`; `ntfy`: `{url, topic}`; `slack`: `{url}`; `discord`: `{url}`; `telegram`: `{chatId, url}`; `file`: `{path, format}`; an address is kept as a secret */
  config?: {};
  /** Token, signing key or address, by kind; never returned */
  secret?: string;
}
export interface ChannelChange {
  name?: string;
  /** By kind: `email`: `{to, attach}`; `webhook`: `{url}`; `ntfy`: `{url, topic}`; `slack`: `{url}`; `discord`: `{url}`; `telegram`: `{chatId, url}`; `file`: `{path, format}`; an address is kept as a secret */
  config?: {};
  /** null removes it */
  secret?: string | null;
}
export interface ChannelTest {
  state: 'sent' | 'failed';
  /** Why it failed; null: it was accepted */
  problem: string | null;
}
export interface Deliveries {
  items: Delivery[];
  nextCursor: string | null;
}
export interface Delivery {
  /** The same in every retry */
  id: string;
  channelId: string;
  channelName: string;
  kind: string;
  title: string;
  watchId: string | null;
  ruleId: string | null;
  /** `refused`: for good, at once; `failed`: after 24 hours of attempts */
  state: 'queued' | 'sent' | 'refused' | 'failed';
  attempts: number;
  createdAt: string;
  /** When its 24 hours began: at its own first attempt, or that of an earlier delivery that delayed it */
  firstAttemptAt: string | null;
  /** null: ended */
  nextAttemptAt: string | null;
  endedAt: string | null;
  /** Why the last attempt failed */
  problem: string | null;
}
export interface Rules {
  items: Rule[];
  nextCursor: string | null;
}
export interface Rule {
  id: string;
  /** Of a rule of a watch the first of its markets */
  market: string;
  watchId: string | null;
  kind:
    | 'priceBelow'
    | 'percentileBelow'
    | 'lowestInDays'
    | 'changePercent'
    | 'indexChange'
    | 'backInStock'
    | 'supplyBelow'
    | 'bidSpread'
    | 'burnAbove'
    | 'budget'
    | 'dataAge'
    | 'crawlPartial'
    | 'instanceState'
    | 'idleGpu'
    | 'cheaperEqual'
    | 'instanceLimit'
    | 'delivery';
  params: {
    [k: string]: unknown;
  };
  /** Unit of its value and threshold; null: it has none */
  unit: string | null;
  of: {
    m: number;
    n: number;
  };
  hysteresisPercent: number;
  cooldownMinutes: number;
  rearm:
    | ('leave' | 'never')
    | {
        afterMinutes: number;
      };
  quietHours: {
    from: string;
    to: string;
    timeZone: string;
  } | null;
  dailyCap: number | null;
  digest: {
    cron: string;
    timeZone: string;
  } | null;
  /** Empty: the watch's */
  channelIds: string[];
  enabled: boolean;
}
export interface BacktestAnswer {
  from: string;
  to: string;
  /** Complete books of the watch in the range */
  books: number;
  /** Unit of its value and threshold; null: it has none */
  unit: string | null;
  /** The current value, with several markets the lowest; null: no book in the range */
  now: {
    market: string;
    /** The newest book of the range */
    at: string;
    /** With `perListing` the lowest; null: nothing matches, or it is not known */
    value: number | null;
    /** Percentile of the value in its pool, if the rule uses it */
    percentile: number | null;
    /** Whether a rule created now would fire with this book */
    fires: boolean;
  } | null;
  /** The same for each market of the watch */
  markets: {
    market: string;
    books: number;
    now: {
      /** The newest book of the range */
      at: string;
      /** With `perListing` the lowest; null: nothing matches, or it is not known */
      value: number | null;
      /** Percentile of the value in its pool, if the rule uses it */
      percentile: number | null;
      /** Whether a rule created now would fire with this book */
      fires: boolean;
    } | null;
  }[];
  /** Firings, without those beyond the daily cap */
  count: number;
  firings: {
    market: string;
    at: string;
    bookId: string;
    value: number | null;
    baseline: number | null;
    previous: number | null;
    capped: boolean;
    offer: {
      listingId: string;
      machineId: number;
      gpuName: string;
      numGpus: number;
      usdPerHour: number | null;
    } | null;
  }[];
}
export interface Backtest {
  /** An existing rule, or the fields of one: */
  ruleId?: string;
  watchId?: string;
  kind?:
    | 'priceBelow'
    | 'percentileBelow'
    | 'lowestInDays'
    | 'changePercent'
    | 'indexChange'
    | 'backInStock'
    | 'supplyBelow'
    | 'bidSpread'
    | 'burnAbove'
    | 'budget'
    | 'dataAge'
    | 'crawlPartial'
    | 'instanceState'
    | 'idleGpu'
    | 'cheaperEqual'
    | 'instanceLimit'
    | 'delivery';
  /** By kind. Those that compare prices take `metric`: usdPerGpuHour, usdPerHour, usdPerDlperfHour, allInUsdPerHour; usdPerGpuHour unless given */
  params?: {};
  /** Fires if the condition held in m of the last n complete books. Default: 1 of 1 */
  of?: {
    m: number;
    n: number;
  };
  /** Default: 0 */
  hysteresisPercent?: number;
  /** Default: 0 */
  cooldownMinutes?: number;
  /** When it may fire again. Default: `leave` */
  rearm?:
    | ('leave' | 'never')
    | {
        afterMinutes: number;
      };
  /** Alerts in these hours are sent at their end. Default: null */
  quietHours?: {
    from: string;
    to: string;
    timeZone?: string;
  } | null;
  /** Maximum alerts per UTC day. Default: null */
  dailyCap?: number | null;
  /** When collected alerts are sent as one message. Default: null, each at once */
  digest?: {
    cron: string;
    timeZone?: string;
  } | null;
  /**
   * Default: the watch's
   *
   * @maxItems 20
   */
  channelIds?:
    | []
    | [string]
    | [string, string]
    | [string, string, string]
    | [string, string, string, string]
    | [string, string, string, string, string]
    | [string, string, string, string, string, string]
    | [string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string, string, string, string, string, string]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ];
  enabled?: boolean;
  /** Default: 30 days before `to` */
  from?: string;
  /** Default: just after the newest book */
  to?: string;
  /** From the first book, at most a year before `to`; instead of `from` */
  wholeHistory?: boolean;
}
export interface NewRule {
  /** For price rules; not for rules over events */
  watchId?: string | null;
  /** For rules over events. Default: the configured market */
  market?: string;
  kind:
    | 'priceBelow'
    | 'percentileBelow'
    | 'lowestInDays'
    | 'changePercent'
    | 'indexChange'
    | 'backInStock'
    | 'supplyBelow'
    | 'bidSpread'
    | 'burnAbove'
    | 'budget'
    | 'dataAge'
    | 'crawlPartial'
    | 'instanceState'
    | 'idleGpu'
    | 'cheaperEqual'
    | 'instanceLimit'
    | 'delivery';
  /** By kind. Those that compare prices take `metric`: usdPerGpuHour, usdPerHour, usdPerDlperfHour, allInUsdPerHour; usdPerGpuHour unless given */
  params?: {};
  /** Fires if the condition held in m of the last n complete books. Default: 1 of 1 */
  of?: {
    m: number;
    n: number;
  };
  /** Default: 0 */
  hysteresisPercent?: number;
  /** Default: 0 */
  cooldownMinutes?: number;
  /** When it may fire again. Default: `leave` */
  rearm?:
    | ('leave' | 'never')
    | {
        afterMinutes: number;
      };
  /** Alerts in these hours are sent at their end. Default: null */
  quietHours?: {
    from: string;
    to: string;
    timeZone?: string;
  } | null;
  /** Maximum alerts per UTC day. Default: null */
  dailyCap?: number | null;
  /** When collected alerts are sent as one message. Default: null, each at once */
  digest?: {
    cron: string;
    timeZone?: string;
  } | null;
  /**
   * Default: the watch's
   *
   * @maxItems 20
   */
  channelIds?:
    | []
    | [string]
    | [string, string]
    | [string, string, string]
    | [string, string, string, string]
    | [string, string, string, string, string]
    | [string, string, string, string, string, string]
    | [string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string, string, string, string, string, string]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ];
  enabled?: boolean;
}
export interface RuleChange {
  /** By kind. Those that compare prices take `metric`: usdPerGpuHour, usdPerHour, usdPerDlperfHour, allInUsdPerHour; usdPerGpuHour unless given */
  params?: {};
  /** Fires if the condition held in m of the last n complete books. Default: 1 of 1 */
  of?: {
    m: number;
    n: number;
  };
  /** Default: 0 */
  hysteresisPercent?: number;
  /** Default: 0 */
  cooldownMinutes?: number;
  /** When it may fire again. Default: `leave` */
  rearm?:
    | ('leave' | 'never')
    | {
        afterMinutes: number;
      };
  /** Alerts in these hours are sent at their end. Default: null */
  quietHours?: {
    from: string;
    to: string;
    timeZone?: string;
  } | null;
  /** Maximum alerts per UTC day. Default: null */
  dailyCap?: number | null;
  /** When collected alerts are sent as one message. Default: null, each at once */
  digest?: {
    cron: string;
    timeZone?: string;
  } | null;
  /**
   * Default: the watch's
   *
   * @maxItems 20
   */
  channelIds?:
    | []
    | [string]
    | [string, string]
    | [string, string, string]
    | [string, string, string, string]
    | [string, string, string, string, string]
    | [string, string, string, string, string, string]
    | [string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string, string, string, string, string, string]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ];
  enabled?: boolean;
}
export interface Alerts {
  items: Alert[];
  nextCursor: string | null;
}
export interface Alert {
  id: string;
  /** Whose book or event fired it */
  market: string;
  /** The book's moment, or the event's */
  at: string;
  bookId: string | null;
  title: string;
  value: number | null;
  baseline: number | null;
  previous: number | null;
  /** Of the value; null: it has none */
  unit: string | null;
  /** Waits for a digest or the end of quiet hours; null: it does not */
  heldUntil: string | null;
  /** `daily-cap`: it was not sent; null: it was sent */
  suppressed: string | null;
}
export interface MarketAlerts {
  items: MarketAlert[];
  nextCursor: string | null;
}
export interface MarketAlert {
  id: string;
  /** Whose book or event fired it */
  market: string;
  /** The book's moment, or the event's */
  at: string;
  title: string;
  value: number | null;
  ruleId: string;
  kind:
    | 'priceBelow'
    | 'percentileBelow'
    | 'lowestInDays'
    | 'changePercent'
    | 'indexChange'
    | 'backInStock'
    | 'supplyBelow'
    | 'bidSpread'
    | 'burnAbove'
    | 'budget'
    | 'dataAge'
    | 'crawlPartial'
    | 'instanceState'
    | 'idleGpu'
    | 'cheaperEqual'
    | 'instanceLimit'
    | 'delivery';
  /** null: a rule over events */
  watchId: string | null;
  /** Models that the watch names; empty: all, or no watch */
  gpuNames: string[];
  /** `daily-cap`: it was not sent; null: it was sent */
  suppressed: string | null;
}
export interface WatchReportAnswer {
  sent: boolean;
  /** Channels that it is sent to */
  deliveries: number;
  report: WatchReport;
}
export interface WatchReport {
  watch: {
    id: string;
    name: string;
    market: string;
    markets: string[];
  };
  at: string;
  /** Of the newest book, with several markets the oldest of these; null: there is no book yet */
  observedAt: string | null;
  /** With several markets the worst one */
  bookVerdict: 'complete' | 'partial' | null;
  dataAgeMinutes: number | null;
  /** Of the last 7 days, of all its markets */
  coverage: {
    books: number;
    complete: number;
    partial: number;
    failed: number;
  };
  /** Each market separately */
  books: {
    market: string;
    observedAt: string | null;
    bookVerdict: 'complete' | 'partial' | null;
    dataAgeMinutes: number | null;
    coverage: {
      books: number;
      complete: number;
      partial: number;
      failed: number;
    };
    offers: number;
    gpus: number;
    machines: number;
    daysOfLast30: number;
  }[];
  by: string;
  unit: string;
  availability: {
    offers: number;
    gpus: number;
    machines: number;
    daysOfLast30: number;
  };
  /** Matching offers that are not ranked */
  unranked: {
    reason: string;
    offers: number;
  }[];
  /** When the previous report was sent; null: never */
  since: string | null;
  items: {
    market: string;
    offerId: number;
    machineId: number;
    gpuName: string;
    numGpus: number;
    usdPerHour: number;
    rank: number;
    listingId: string;
    hostId: number | null;
    type: string;
    verification: string | null;
    country: string | null;
    reliability: number | null;
    value: number;
    usdPerGpuHour: number;
    allInUsdPerHour: number | null;
    isOutlier: boolean | null;
    verdict: {
      days: number;
      percentile: number | null;
      status: string;
    } | null;
    change: 'new' | 'up' | 'down' | 'same' | null;
    previousUsdPerHour: number | null;
    url: string;
    /** Whether Offerbook rents in its market */
    canRent: boolean;
  }[];
  gone: {
    market: string;
    offerId: number;
    machineId: number;
    gpuName: string;
    numGpus: number;
    usdPerHour: number;
  }[];
  trends: {
    market: string;
    gpuName: string;
    type: string;
    points: {
      t: string;
      median: number | null;
    }[];
    changes: PriceChange[];
    forecast: HorizonForecast & {
      [k: string]: unknown;
    };
    /** Changes and forecast in words */
    sentences: string[];
  }[];
  /** Whether waiting has paid off, by market; empty: the watch names no models */
  waits: (PriceDrops & {
    market: string;
    hours: number;
    type: 'on-demand' | 'bid' | 'reserved';
    sentence: string;
  })[];
  url: string;
}
export interface WatchReportRequest {
  /** Send it to the channels of the watch now; default: only a preview */
  send?: boolean;
  /** Format of a preview. Default: `json` */
  format?: 'json' | 'html' | 'text' | 'md' | 'csv' | 'xlsx';
}
export interface WatchMatches {
  observedAt: string | null;
  bookVerdict: 'complete' | 'partial' | null;
  offers: number;
  gpus: number;
  machines: number;
  /** Days before the newest book on which something matched */
  daysOfLast30: number;
  /** Each market separately */
  markets: {
    market: string;
    observedAt: string | null;
    bookVerdict: 'complete' | 'partial' | null;
    offers: number;
    gpus: number;
    machines: number;
    /** Days before the newest book on which something matched */
    daysOfLast30: number;
  }[];
}
export interface StandingOrders {
  items: StandingOrder[];
  nextCursor: string | null;
}
export interface StandingOrder {
  id: string;
  market: string;
  name: string;
  state: 'draft' | 'armed' | 'paused' | 'filled' | 'expired' | 'out-of-budget' | 'failed';
  reason: string | null;
  /** null: a fitting offer, or it is not armed */
  waitingFor: 'rentals' | 'actions' | 'budget' | 'stale-data' | 'partial-book' | 'guard' | 'market' | null;
  waitingReason: string | null;
  count: number;
  /** Rented, or unclear */
  machines: number;
  endsAt: string;
  budgetUsd: string | null;
  /** null: a machine of it has no end */
  committedUsd: string | null;
  choices: {
    [k: string]: unknown;
  }[];
  /** Names and lengths only of environment variables and scripts */
  request: {
    [k: string]: unknown;
  };
  channelIds: string[];
  createdBy: string;
  createdAt: string;
  armedAt: string | null;
  dryRun: OrderDryRun;
  attempts: {
    attempt: number;
    at: string;
    choice: number;
    bookId: string;
    offerId: number;
    machineId: number;
    /** As the book listed it */
    usdPerHour: string;
    maxUsdPerHour: string;
    outcome:
      'open' | 'held' | 'rented' | 'refused' | 'not-rented' | 'offer-gone' | 'above-price' | 'not-rentable';
    reason: string | null;
    rentalId: string | null;
    instanceId: number | null;
    rentalState: string | null;
  }[];
}
export interface NewOrder {
  name: string;
  /** Machines wanted */
  count?: number;
  /** It expires then */
  endsAt: string;
  /** What its machines may commit; needs `maxHours` and `endAction` `destroy` */
  budgetUsd?: string | null;
  /**
   * In order of preference
   *
   * @minItems 1
   * @maxItems 10
   */
  choices:
    | [OrderChoice]
    | [OrderChoice, OrderChoice]
    | [OrderChoice, OrderChoice, OrderChoice]
    | [OrderChoice, OrderChoice, OrderChoice, OrderChoice]
    | [OrderChoice, OrderChoice, OrderChoice, OrderChoice, OrderChoice]
    | [OrderChoice, OrderChoice, OrderChoice, OrderChoice, OrderChoice, OrderChoice]
    | [OrderChoice, OrderChoice, OrderChoice, OrderChoice, OrderChoice, OrderChoice, OrderChoice]
    | [OrderChoice, OrderChoice, OrderChoice, OrderChoice, OrderChoice, OrderChoice, OrderChoice, OrderChoice]
    | [
        OrderChoice,
        OrderChoice,
        OrderChoice,
        OrderChoice,
        OrderChoice,
        OrderChoice,
        OrderChoice,
        OrderChoice,
        OrderChoice
      ]
    | [
        OrderChoice,
        OrderChoice,
        OrderChoice,
        OrderChoice,
        OrderChoice,
        OrderChoice,
        OrderChoice,
        OrderChoice,
        OrderChoice,
        OrderChoice
      ];
  request: OrderRequest;
  /**
   * Where its messages go; empty: the channels of the first choice's watch
   *
   * @maxItems 20
   */
  channelIds?:
    | []
    | [string]
    | [string, string]
    | [string, string, string]
    | [string, string, string, string]
    | [string, string, string, string, string]
    | [string, string, string, string, string, string]
    | [string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string, string, string, string, string, string]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ];
}
export interface OrderChoice {
  /** The watch whose on-demand offers fit */
  watchId: string;
  /** Max price per GPU, with the disk of the request */
  maxUsdPerGpuHour?: number;
  /** Max percentile of the listed price, as in verdicts */
  maxPercentile?: {
    percentile: number;
    days: 7 | 30 | 90;
  };
  /** The model's like-for-like index has clearly fallen by at least this; for watches of models */
  minIndexFall?: {
    percent: number;
    days: 1 | 7 | 27;
  };
}
/** What each machine is rented with; the label defaults to the name */
export interface OrderRequest {
  image?: string;
  templateHashId?: string;
  /** Fixed at creation; the quote is for this size */
  diskGb: number;
  /** Values by name; a port mapping is the key `-p host:container` with the value `1` */
  env?: {
    [k: string]: string;
  };
  onstart?: string;
  args?: string;
  runtype?: 'ssh' | 'jupyter' | 'args';
  label?: string;
  costCenter?: string;
  /** Hours from the start of the rental; then `endAction` */
  maxHours?: number;
  /** What happens at a limit; default `stop` */
  endAction?: 'stop' | 'destroy';
  /** Minutes after which it has failed to start; default 20 */
  provisionMinutes?: number;
}
export interface TriedOrder {
  name?: string;
  /** Machines wanted */
  count?: number;
  /** It expires then */
  endsAt: string;
  /** What its machines may commit; needs `maxHours` and `endAction` `destroy` */
  budgetUsd?: string | null;
  /**
   * In order of preference
   *
   * @minItems 1
   * @maxItems 10
   */
  choices:
    | [OrderChoice]
    | [OrderChoice, OrderChoice]
    | [OrderChoice, OrderChoice, OrderChoice]
    | [OrderChoice, OrderChoice, OrderChoice, OrderChoice]
    | [OrderChoice, OrderChoice, OrderChoice, OrderChoice, OrderChoice]
    | [OrderChoice, OrderChoice, OrderChoice, OrderChoice, OrderChoice, OrderChoice]
    | [OrderChoice, OrderChoice, OrderChoice, OrderChoice, OrderChoice, OrderChoice, OrderChoice]
    | [OrderChoice, OrderChoice, OrderChoice, OrderChoice, OrderChoice, OrderChoice, OrderChoice, OrderChoice]
    | [
        OrderChoice,
        OrderChoice,
        OrderChoice,
        OrderChoice,
        OrderChoice,
        OrderChoice,
        OrderChoice,
        OrderChoice,
        OrderChoice
      ]
    | [
        OrderChoice,
        OrderChoice,
        OrderChoice,
        OrderChoice,
        OrderChoice,
        OrderChoice,
        OrderChoice,
        OrderChoice,
        OrderChoice,
        OrderChoice
      ];
  request: OrderRequest;
  /**
   * Where its messages go; empty: the channels of the first choice's watch
   *
   * @maxItems 20
   */
  channelIds?:
    | []
    | [string]
    | [string, string]
    | [string, string, string]
    | [string, string, string, string]
    | [string, string, string, string, string]
    | [string, string, string, string, string, string]
    | [string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string, string, string, string, string, string]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ];
  from?: string;
  to?: string;
}
export interface OrderChange {
  name?: string;
  /** Machines wanted */
  count?: number;
  /** It expires then */
  endsAt?: string;
  /** What its machines may commit; needs `maxHours` and `endAction` `destroy` */
  budgetUsd?: string | null;
  /**
   * In order of preference
   *
   * @minItems 1
   * @maxItems 10
   */
  choices?:
    | [OrderChoice]
    | [OrderChoice, OrderChoice]
    | [OrderChoice, OrderChoice, OrderChoice]
    | [OrderChoice, OrderChoice, OrderChoice, OrderChoice]
    | [OrderChoice, OrderChoice, OrderChoice, OrderChoice, OrderChoice]
    | [OrderChoice, OrderChoice, OrderChoice, OrderChoice, OrderChoice, OrderChoice]
    | [OrderChoice, OrderChoice, OrderChoice, OrderChoice, OrderChoice, OrderChoice, OrderChoice]
    | [OrderChoice, OrderChoice, OrderChoice, OrderChoice, OrderChoice, OrderChoice, OrderChoice, OrderChoice]
    | [
        OrderChoice,
        OrderChoice,
        OrderChoice,
        OrderChoice,
        OrderChoice,
        OrderChoice,
        OrderChoice,
        OrderChoice,
        OrderChoice
      ]
    | [
        OrderChoice,
        OrderChoice,
        OrderChoice,
        OrderChoice,
        OrderChoice,
        OrderChoice,
        OrderChoice,
        OrderChoice,
        OrderChoice,
        OrderChoice
      ];
  request?: OrderRequest;
  /**
   * Where its messages go; empty: the channels of the first choice's watch
   *
   * @maxItems 20
   */
  channelIds?:
    | []
    | [string]
    | [string, string]
    | [string, string, string]
    | [string, string, string, string]
    | [string, string, string, string, string]
    | [string, string, string, string, string, string]
    | [string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string, string, string, string, string, string]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ];
}
/** Default: as long as the order has left, from a day to 30 days, until the newest book */
export interface DryRunRange {
  from?: string;
  to?: string;
}
export interface Login {
  token: string;
}
