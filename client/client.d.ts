// Made by `npm run openapi` from docs/openapi.json. Do not edit.

export type BookVerdict = 'complete' | 'partial';
export type VerdictSummaryGrade =
  'very_low' | 'low' | 'usual' | 'high' | 'very_high' | 'outlier' | 'insufficient';
export type WatchReportWait = PriceDrops & {
  market: string;
  hours: number;
  type: PricingType;
  sentence: string;
};
export type SampleStatus = 'ok' | 'insufficient';
export type PricingType = 'on-demand' | 'bid' | 'reserved';
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
export type Role = 'viewer' | 'operator' | 'admin' | 'feed';
export type MarketKind = 'live' | 'simulated' | 'recorded';
export type StatusTrust = 'verification' | 'reliability';
export type CrawlOutcome = 'complete' | 'partial' | 'failed' | 'unchanged';
export type CrawlKind = 'offers' | 'invoices' | 'charges' | 'instances';
export type CrawledMarket = MarketHealth & {
  lastEnded: EndedCrawl[];
};
export type TrendMetric = 'usdPerGpuHour' | 'usdPerHour' | 'usdPerDlperfHour' | 'allInUsdPerHour';
export type RankingMetric =
  'usdPerDlperfHour' | 'usdPerGpuHour' | 'allInUsdPerHour' | 'usdPerGbVramHour' | 'usdPerTflopHour';
export type VerificationTier = 'verified' | 'unverified' | 'deverified';
/** null: the book is not complete */
export type Verdict = {
  /** What the price is compared with; `model`: all tiers of the model */
  segment: VerdictSegment;
  /** Whole UTC days since the segment's daily minimum was at or below it, outliers left out */
  lowestInDays: number | null;
  windows: VerdictWindow[];
  /** Among the offers of the same segment in the same book */
  comparableNow: VerdictComparableNow;
  summary: VerdictSummary;
} | null;
export type PercentileDays = 7 | 30 | 90;
/** As in the newest complete book, with its verdict; null: that does not list it */
export type JudgedOffer = {
  listingId: string;
  verification: VerificationTier | null;
  /** With 8 GB of storage; for a bid the minimum bid */
  usdPerGpuHour: number;
  offerId: number;
  machineId: number;
  numGpus: number;
  /** Hours from the book until its host ends the offer; null: not stated */
  maxDurationHours: number | null;
  verdict: Verdict;
} | null;
/** The lowest price of its model and type on a verified machine there, without outliers */
export type ListedPrice = {
  listingId: string;
  verification: VerificationTier | null;
  /** With 8 GB of storage; for a bid the minimum bid */
  usdPerGpuHour: number;
} | null;
export type SpendGrouping =
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
export type SpendCategory = 'consumption' | 'payment' | 'transfer' | 'refund' | 'payout';
export type SpendBasis = 'charged' | 'estimated';
export type Patterns = MarketPatterns & {
  /** The same for each further market requested */
  others: MarketPatterns[];
};
export type ForecastMetric = 'median' | 'index';
export type WordedForecast = HorizonForecast & {
  /** The forecast with its error, or the reason that there is none */
  words: string;
};
export type WaitOrRent = MarketWait & {
  /** The same for each further market requested */
  others: MarketWait[];
};
/** Whether its price is low for this model; null: too little history, or no complete book */
export type PriceTiming = {
  grade: 'very_low' | 'low' | 'usual' | 'high' | 'very_high';
  /** Days that it is compared with: 30, else 7 */
  days: number;
  /** Complete books of these days with a price */
  books: number;
  /** Share of the time of these books in which the lowest price was below, an equal one counted half, 0 to 100 */
  percentile: number;
  /** Share of that time in which it was lower */
  lowerPercent: number;
  /** Share of that time in which it was higher */
  higherPercent: number;
  /** The usual lowest price: in half of that time it was at most this */
  medianUsdPerGpuHour: number;
  /** The last lowest price that held for three hours, give or take 1%, and differed from that of now by 1%, lower or higher; null: none did */
  last: PriceTimingLast | null;
  /** The grade in words */
  text: string;
  /** What it rests on */
  claim: string;
  /** All of it */
  sentence: string;
} | null;
export type BlocklistKind = 'block' | 'prefer';
export type SpendDifferenceKind = 'items' | 'invoices' | 'balances' | 'ledger' | 'uncharged';
export type NewSheetLink = SheetLink & {
  /** Shown only once; anyone with it can read the sheet */
  url: string;
  formulas: NewSheetLinkFormulas;
  /** Whether other machines could reach the address */
  reachable: boolean;
  hint: string | null;
};
export type RunType = 'ssh' | 'jupyter' | 'args';
export type EndAction = 'stop' | 'destroy';
export type FailureAction = 'notify' | 'replace';
export type VolumeAttachment = ExistingVolume | AddedVolume;
export type WantedState = 'running' | 'stopped' | 'destroyed';
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
/** As it was last offered; null: it never was */
export type InstanceMachine = {
  listingId: number;
  observedAt: string;
  country: string | null;
  verification: string | null;
  /** 0 to 1 */
  reliability: number | null;
  /** Of one GPU */
  gpuRamMb: number | null;
} | null;
/** The cheapest equal machine of the newest book that costs less; null: none does */
export type EqualOffer = {
  offerId: number;
  machineId: number;
  /** With the instance's disk */
  usdPerHour: number;
  savesUsdPerHour: string;
  country: string | null;
  verification: string | null;
  /** 0 to 1 */
  reliability: number | null;
  /** As of the newest book; null: the market does not say */
  hostEndsAt: string | null;
  /** Why it cannot be rented with the settings of the instance; null: it can */
  problem: string | null;
} | null;
/** The rental that it replaces */
export type RelatedRental = {
  rentalId: string;
  instanceId: number | null;
  state: string;
  reason: string | null;
  label: string | null;
  endedAt: string | null;
} | null;
export type ChannelKindName =
  'browser' | 'email' | 'ntfy' | 'slack' | 'discord' | 'telegram' | 'webhook' | 'file';
export type DeliveryState = 'queued' | 'sent' | 'refused' | 'failed';
export type MadeChannel = Channel & {
  /** The generated signing key, shown only once; null: none was generated */
  madeSecret: string | null;
};
export type WholeDelivery = Delivery & {
  /** The message */
  notice: WholeDeliveryNotice;
};
export type RuleKind =
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
export type Rearm = 'leave' | 'never';
export type OrderState = 'draft' | 'armed' | 'paused' | 'filled' | 'expired' | 'out-of-budget' | 'failed';
export type Order = 'asc' | 'desc';

export interface AlertNotice {
  kind: 'alert';
  /** One line of plain text */
  title: string;
  /** Plain text, one line each; empty in a report */
  lines: string[];
  /** Where to read more; null: nowhere */
  link: string | null;
  /** The moment that it is about */
  at: string;
  watchId: string | null;
  ruleId: string | null;
  data: PriceAlert | EventAlert;
}
/** A firing of a price rule */
export interface PriceAlert {
  rule: PriceAlertRule;
  /** Name of the market */
  market: string;
  /** What the rule compares; null: there is none */
  value: number | null;
  /** What it is compared with */
  baseline: number | null;
  /** The value before */
  previous: number | null;
  /** Of value, baseline and previous; empty: none */
  unit: string | null;
  watch: PriceAlertWatch;
  bookId: number;
  /** When the book began */
  observedAt: string;
  /** null: the rule compares no price */
  metric: string | null;
  /** null: no offer matches */
  offer: PriceAlertOffer | null;
}
export interface PriceAlertRule {
  id: string;
  kind: string;
  params: {
    [k: string]: unknown;
  };
}
export interface PriceAlertWatch {
  id: string | null;
  name: string;
}
export interface PriceAlertOffer {
  offerId: number | null;
  listingId: string;
  machineId: number;
  hostId: number | null;
  gpuName: string;
  numGpus: number;
  type: string;
  verification: string | null;
  country: string | null;
  usdPerHour: number | null;
}
/** A firing of a rule on events. By the kind of the rule it also has `instanceId`, `offerId`, `machineId`, `usdPerHour`, `offerUsdPerHour`, `scope`, `type`, `reason`, `channelId`, `lost` or `problem` */
export interface EventAlert {
  rule: PriceAlertRule;
  /** Name of the market */
  market: string;
  /** What the rule compares; null: there is none */
  value: number | null;
  /** What it is compared with */
  baseline: number | null;
  /** The value before */
  previous: number | null;
  /** Of value, baseline and previous; empty: none */
  unit: string | null;
  [k: string]: unknown;
}
export interface AlertWebhook {
  type: 'offerbook.alert';
  /** The moment that it is about: `data.at` */
  timestamp: string;
  /** Of the delivery: the same in every retry and replay */
  id: string;
  /** Whether somebody had it sent again after it had ended */
  replay: boolean;
  data: AlertNotice;
}
export interface DigestNotice {
  kind: 'digest';
  /** One line of plain text */
  title: string;
  /** Plain text, one line each; empty in a report */
  lines: string[];
  /** Where to read more; null: nowhere */
  link: string | null;
  /** The moment that it is about */
  at: string;
  watchId: string | null;
  ruleId: string | null;
  data: DigestData;
}
export interface DigestData {
  alerts: (PriceAlert | EventAlert)[];
}
export interface DigestWebhook {
  type: 'offerbook.digest';
  /** The moment that it is about: `data.at` */
  timestamp: string;
  /** Of the delivery: the same in every retry and replay */
  id: string;
  /** Whether somebody had it sent again after it had ended */
  replay: boolean;
  data: DigestNotice;
}
export interface ReportNotice {
  kind: 'report';
  /** One line of plain text */
  title: string;
  /** Plain text, one line each; empty in a report */
  lines: string[];
  /** Where to read more; null: nowhere */
  link: string | null;
  /** The moment that it is about */
  at: string;
  watchId: string | null;
  ruleId: string | null;
  data: ReportData;
}
export interface ReportData {
  report: WatchReport;
}
export interface WatchReport {
  watch: WatchReportWatch;
  at: string;
  /** Of the newest book, with several markets the oldest of these; null: there is no book yet */
  observedAt: string | null;
  /** With several markets the worst one */
  bookVerdict: BookVerdict | null;
  dataAgeMinutes: number | null;
  /** Of the last 7 days, of all its markets */
  coverage: BookCounts;
  /** Each market separately */
  books: WatchReportBook[];
  by: string;
  unit: string;
  /** By what its offers are ranked and which are considered, in words */
  ranking: string;
  availability: WatchReportAvailability;
  /** Matching offers that are not ranked */
  unranked: UnrankedOffers[];
  /** When the previous report was sent; null: never */
  since: string | null;
  items: WatchReportItem[];
  gone: WatchReportGone[];
  trends: WatchReportTrend[];
  /** Whether waiting has paid off, by market; empty: the watch names no models */
  waits: WatchReportWait[];
  url: string;
}
export interface WatchReportWatch {
  id: string;
  name: string;
  market: string;
  markets: string[];
}
export interface BookCounts {
  books: number;
  complete: number;
  partial: number;
  failed: number;
}
export interface WatchReportBook {
  market: string;
  observedAt: string | null;
  bookVerdict: BookVerdict | null;
  dataAgeMinutes: number | null;
  coverage: BookCounts;
  offers: number;
  gpus: number;
  machines: number;
  daysOfLast30: number;
}
export interface WatchReportAvailability {
  offers: number;
  gpus: number;
  machines: number;
  daysOfLast30: number;
}
export interface UnrankedOffers {
  reason: string;
  offers: number;
}
export interface WatchReportItem {
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
  verdict: VerdictSummary | null;
  change: 'new' | 'up' | 'down' | 'same' | null;
  previousUsdPerHour: number | null;
  url: string;
  /** Whether Offerbook rents in its market */
  canRent: boolean;
}
/** The verdict in words, the same on the page, in reports, feeds and commands */
export interface VerdictSummary {
  grade: VerdictSummaryGrade;
  /** The window that it rests on: 30 days, else 90, else 7; null: none has enough history */
  days: number | null;
  /** The grade, and the model among whose machines it is one */
  text: string;
  /** What it rests on, briefly; empty: nothing */
  claim: string;
  /** All of it */
  sentence: string;
}
export interface WatchReportGone {
  market: string;
  offerId: number;
  machineId: number;
  gpuName: string;
  numGpus: number;
  usdPerHour: number;
}
export interface WatchReportTrend {
  market: string;
  gpuName: string;
  type: string;
  points: MedianPoint[];
  changes: PriceChange[];
  forecast: HorizonForecast;
  /** Changes and forecast in words */
  sentences: string[];
}
export interface MedianPoint {
  t: string;
  median: number | null;
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
/** Of the median in 7 days */
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
  /** Days with prices that are missing, at least, before a forecast can be judged; 0: none */
  missingDays: number;
  /** In 8 of 10 cases the value moved by at most this much */
  usualMovePercent: number | null;
}
export interface PriceDrops {
  status: SampleStatus;
  /** Past books that count */
  books: number;
  /** Number of these at least `hours` apart, chosen oldest first */
  cases: number;
  neededCases: number;
  drops: PriceDrop[];
}
export interface PriceDrop {
  percent: number;
  /** Share of the books, 0 to 1; null: too few cases */
  chance: number | null;
  /** To the first such price; null: never, or too few cases */
  medianHours: number | null;
}
export interface ReportWebhook {
  type: 'offerbook.report';
  /** The moment that it is about: `data.at` */
  timestamp: string;
  /** Of the delivery: the same in every retry and replay */
  id: string;
  /** Whether somebody had it sent again after it had ended */
  replay: boolean;
  data: ReportNotice;
}
export interface OrderNotice {
  kind: 'order';
  /** One line of plain text */
  title: string;
  /** Plain text, one line each; empty in a report */
  lines: string[];
  /** Where to read more; null: nowhere */
  link: string | null;
  /** The moment that it is about */
  at: string;
  watchId: string | null;
  ruleId: string | null;
  /** By the step it also has `attempt`, `machineId`, `instanceId`, `usdPerHour` or `bidUsdPerHour` */
  data: OrderData;
}
export interface OrderData {
  orderId: string;
  name: string;
  step: string;
  state: string;
  words: string;
  /** Once it has rented */
  rentalId?: undefined | string;
  [k: string]: unknown;
}
export interface OrderWebhook {
  type: 'offerbook.order';
  /** The moment that it is about: `data.at` */
  timestamp: string;
  /** Of the delivery: the same in every retry and replay */
  id: string;
  /** Whether somebody had it sent again after it had ended */
  replay: boolean;
  data: OrderNotice;
}
export interface TestNotice {
  kind: 'test';
  /** One line of plain text */
  title: string;
  /** Plain text, one line each; empty in a report */
  lines: string[];
  /** Where to read more; null: nowhere */
  link: string | null;
  /** The moment that it is about */
  at: string;
  watchId: string | null;
  ruleId: string | null;
  data: TestData;
}
export interface TestData {
  sample: true;
}
export interface TestWebhook {
  type: 'offerbook.test';
  /** The moment that it is about: `data.at` */
  timestamp: string;
  /** Of the delivery: the same in every retry and replay */
  id: string;
  /** Whether somebody had it sent again after it had ended */
  replay: boolean;
  data: TestNotice;
}
export interface Health {
  status: 'ok';
}
export interface BookAge {
  observedAt: string;
  ageMinutes: number;
}
export interface TypedBookAge {
  observedAt: string;
  ageMinutes: number;
  type: PricingType;
}
export interface ReadinessJobs {
  queued: number;
  active: number;
  failedJobs: number;
}
export interface Readiness {
  status: 'ready';
  database: 'reachable';
  replica: Replica;
  market: string;
  /** null: there is none */
  lastCompleteBook: BookAge | null;
  /** The newest complete book of each pricing type; empty for a recorded market */
  books: TypedBookAge[];
  /** Every crawled market, the default one first; the others do not affect readiness */
  markets: MarketHealth[];
  /** Queued, active, and failed in the last two weeks; look into failed ones */
  jobs: ReadinessJobs;
}
export interface MarketHealth {
  market: string;
  /** `ready`: its data is fresh, or it is a recorded market; else what is wrong */
  state: 'ready' | 'no-complete-book' | 'data-too-old' | 'book-ahead';
  /** What is wrong, and what to do; null: nothing is wrong */
  detail: string | null;
  /** null: there is none */
  lastCompleteBook: BookAge | null;
  /** The newest complete book of each pricing type; empty for a recorded market */
  books: TypedBookAge[];
}
export interface ProblemError {
  name: string;
  detail: string;
}
export interface Problem {
  /** Kind of the problem: `/api/docs#<kind>` */
  type: string;
  title: string;
  status: number;
  detail: string;
  /** What is wrong with each parameter or field; empty for other problems */
  errors: ProblemError[];
  /** Trace id of the request, as in `X-Request-Id`: the log has it in each line */
  traceId: string;
}
export interface StatusMarket {
  name: string;
  kind: MarketKind;
}
export interface StatusNewestBook {
  type: PricingType;
  observedAt: string;
  /** Coverage of the book */
  verdict: BookVerdict;
  offers: number;
}
export interface StatusLastCrawl {
  id: string;
  type: PricingType | null;
  startedAt: string;
  endedAt: string | null;
  outcome: CrawlOutcome | null;
  reason: string | null;
}
export interface EndedCrawl {
  type: PricingType;
  endedAt: string;
  outcome: CrawlOutcome;
  reason: string | null;
}
export interface InstanceCounts {
  polledAt: string;
  statuses: InstanceStatusCount[];
}
export interface InstanceStatusCount {
  /** As the market names it; null: being provisioned */
  status: string | null;
  instances: number;
}
export interface StatusSeeding {
  done: number;
  total: number;
}
export interface StatusSchedule {
  kind: CrawlKind;
  /** Of offers; null for the others */
  scope: string | null;
  type: PricingType | null;
  cron: string;
  timeZone: string;
  /** The interval that the request budget allows; null: the cron's own */
  everyMinutes: number | null;
  /** Why it is stretched; null: it is not */
  reason: string | null;
  nextAt: string | null;
}
export interface StatusJobs {
  queued: number;
  active: number;
}
export interface StatusActions {
  enabled: boolean;
}
export interface StatusCapabilities {
  label: string;
  types: PricingType[];
  currencies: string[];
  /** Instances can be rented and managed */
  account: boolean;
  /** Invoices and charges are read */
  bills: boolean;
}
export interface Status {
  version: string;
  /** Of the token or session that asks: what it may do */
  role: Role;
  market: StatusMarket;
  mode: 'live' | 'simulated' | 'replay';
  replica: Replica;
  /** Models that the market ever listed, sorted */
  gpuNames: string[];
  types: PricingType[];
  /** What the newest books state of any machine: whether it is verified, how reliable it is */
  trust: StatusTrust[];
  newestBooks: StatusNewestBook[];
  /** Types whose books were stored before there was an index: `offerbook rebuild` makes it */
  typesWithoutIndex: PricingType[];
  /** Since the newest complete book; null: none, or a recorded market */
  dataAgeMinutes: number | null;
  /** From this age on the newest complete book is too old */
  maxDataAgeMinutes: number;
  lastCrawls: StatusLastCrawl[];
  /** The newest ended crawl of each pricing type in the default scope */
  lastEnded: EndedCrawl[];
  /** Every crawled market, the default one first */
  markets: CrawledMarket[];
  /** The account's instances at the last poll; null: never polled */
  instances: InstanceCounts | null;
  seeding: StatusSeeding | null;
  /** Scheduled crawls of the market; empty for one that the settings do not name */
  schedule: StatusSchedule[];
  backups: Backups;
  /** Jobs whose last attempt failed, in the last two weeks */
  failedJobs: number;
  /** Of all markets: queued and active */
  jobs: StatusJobs;
  actions: StatusActions;
  /** What the default market can do through Offerbook */
  capabilities: StatusCapabilities;
}
export interface Backups {
  /** When they are made; null: BACKUPS is off */
  cron: string | null;
  /** Folder or `s3://…`; null: BACKUP_TO is not set */
  place: string | null;
  nextAt: string | null;
  /** An hour after its scheduled moment there is no good backup of it */
  isOverdue: boolean;
  lastGood: BackupsLastGood | null;
  lastFailure: BackupsLastFailure | null;
}
export interface BackupsLastGood {
  name: string;
  /** The moment that it holds */
  startedAt: string;
  bytes: number;
  /** Restored into a scratch database, or read through with its hash; null: neither */
  verified: 'restored' | 'read' | null;
}
export interface BackupsLastFailure {
  startedAt: string;
  reason: string;
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
export interface TrendsSeries {
  key: string;
  market: string;
  points: TrendPoint[];
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
export interface TrendsSupply {
  market: string;
  gpuName: string | null;
  points: SupplyPoint[];
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
export interface TrendsCoverage {
  books: number;
  complete: number;
  partial: number;
  failed: number;
  /** null: no schedule covers this range */
  expected: number | null;
}
export interface Trends {
  bucket: 'book' | '1h' | '1d' | '1w';
  from: string;
  to: string;
  metric: TrendMetric;
  unit: string;
  attributesAsOf: 'day';
  series: TrendsSeries[];
  /** Supply of several types of a market together, by model; null: all models. Empty for one type */
  supply: TrendsSupply[];
  coverage: TrendsCoverage;
}
export interface Rankings {
  observedAt: string | null;
  bookVerdict: BookVerdict | null;
  by: RankingMetric;
  items: RankedOffer[];
  /** Number of ranked offers, on all pages */
  total: number;
  unranked: UnrankedOffers[];
  nextCursor: string | null;
}
export interface RankedOffer {
  /** By the metric, whatever the list is sorted by */
  rank: number;
  market: string;
  offerId: number;
  listingId: string;
  machineId: number;
  hostId: number | null;
  gpuName: string;
  numGpus: number;
  type: PricingType;
  /** The ranking metric */
  value: number;
  unit: string;
  /** For the whole offer; for a bid the minimum bid */
  usdPerHour: number;
  usdPerGpuHour: number;
  allInUsdPerHour: number | null;
  dlperf: number | null;
  /** Of one GPU, as listed */
  gpuRamMb: number | null;
  cpuName: string | null;
  cpuCores: number | null;
  cpuRamMb: number | null;
  diskSpaceGb: number | null;
  /** As listed; sources disagree whether MB/s or Mb/s */
  inetDown: number | null;
  inetUp: number | null;
  inetDownUsdPerGb: number | null;
  inetUpUsdPerGb: number | null;
  /** Longest rental that the machine can be had for, as of the book */
  maxDurationHours: number | null;
  reliability: number | null;
  verification: VerificationTier | null;
  country: string | null;
  /** Below a quarter or above four times its segment's 30-day median; null: no median */
  isOutlier: boolean | null;
  /** Preferred on the block list */
  preferred: boolean;
  verdict: Verdict;
}
export interface VerdictSegment {
  level: 'verification' | 'model';
  type: PricingType;
  gpuName: string;
  verification: VerificationTier | null;
}
export interface VerdictWindow {
  days: PercentileDays;
  /** 0: the cheapest; null: insufficient */
  percentile: number | null;
  /** That in words; empty: insufficient */
  claim: string;
  status: SampleStatus;
  /** Pooled prices: one per machine and UTC day */
  samples: number;
  machines: number;
  hosts: number;
  /** Share of the window's days with a complete book */
  coverage: number;
  /** What is insufficient */
  missing: string[];
  /** Of its whole UTC days before the book's day: those with a price, outliers left out */
  pricedDays: number;
  /** Those of them whose lowest price was below it */
  lowerDays: number;
}
export interface VerdictComparableNow {
  percentile: number | null;
  /** That in words */
  claim: string;
  offers: number;
}
export interface RankingGroups {
  observedAt: string | null;
  bookVerdict: BookVerdict | null;
  by: RankingMetric;
  unit: string;
  groups: RankingGroup[];
  unranked: UnrankedOffers[];
}
export interface RankingGroup {
  /** Only if several markets were requested */
  market?: undefined | string;
  /** null: not grouped by it */
  gpuName: string | null;
  /** null: not grouped by it, or unknown */
  country: string | null;
  offers: number;
  gpus: number;
  machines: number;
  min: number;
  /** Of an offer whose price is no outlier; null: there is none */
  lowest: number | null;
  median: number;
  max: number;
  best: RankingGroupBest;
}
export interface RankingGroupBest {
  rank: number;
  offerId: number;
  listingId: string;
}
export interface Offers {
  observedAt: string | null;
  bookVerdict: BookVerdict | null;
  items: Offer[];
  nextCursor: string | null;
}
export interface Offer {
  market: string;
  offerId: number;
  listingId: string;
  gpuName: string;
  type: PricingType;
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
  verification: VerificationTier | null;
  cudaMaxGood: number | null;
  driverVersion: string | null;
  /** As listed; sources disagree whether MB/s or Mb/s */
  inetDown: number | null;
  inetUp: number | null;
  datacenter: boolean | null;
  staticIp: boolean | null;
  diskSpaceGb: number | null;
  cpuCores: number | null;
  cpuCoresEffective: number | null;
  cpuRamMb: number | null;
  cpuName: string | null;
  /** Longest rental that the machine can be had for, as of the book */
  maxDurationHours: number | null;
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
  type: PricingType;
  /** Its place among otherwise equal listings, from 1 */
  ordinal: number;
  /** Its newest book; null: only other scopes saw it */
  observedAt: string | null;
  bookVerdict: BookVerdict | null;
  /** As last seen */
  offerId: number | null;
  newest: JudgedOffer;
  lowestVerified: ListedPrice;
  /** The newest offer as the marketplace sent it, including unknown fields */
  raw: {
    [k: string]: unknown;
  } | null;
}
export interface ListingHistoryPriceInterval {
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
}
export interface ListingHistoryPresence {
  from: string;
  to: string;
  open: boolean;
}
export interface ListingHistoryEpisode {
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
}
export interface ListingHistoryAttribute {
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
  verification: VerificationTier | null;
  cudaMaxGood: number | null;
  driverVersion: string | null;
  /** As listed; sources disagree whether MB/s or Mb/s */
  inetDown: number | null;
  inetUp: number | null;
  datacenter: boolean | null;
  staticIp: boolean | null;
  diskSpaceGb: number | null;
}
export interface ListingHistory {
  listingId: string;
  from: string;
  to: string;
  priceIntervals: ListingHistoryPriceInterval[];
  presence: ListingHistoryPresence[];
  episodes: ListingHistoryEpisode[];
  attributes: ListingHistoryAttribute[];
  /** A list had more than 1000 entries: these are the newest */
  truncated: boolean;
}
export interface Market {
  observedAt: string | null;
  bookVerdict: BookVerdict | null;
  type: PricingType;
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
  sparkline: MarketModelSparkline[];
  /** Median of the minimum bids: a floor */
  bidMedian: number | null;
  /** How far that is below the median */
  bidSpreadPercent: number | null;
  /** The lowest list price of another seller; null: none is known */
  cheapestCloud: MarketModelCheapestCloud | null;
}
export interface MarketModelSparkline {
  t: string;
  median: number;
}
export interface MarketModelCheapestCloud {
  provider: string;
  /** As the seller spells it; may be empty */
  region: string;
  numGpus: number;
  /** US dollars of the whole machine, decimal text, exact */
  usdPerHour: string;
  usdPerGpuHour: number;
  /** How far it is above the median; negative: below */
  abovePercent: number | null;
}
export interface RejectedRows {
  reason: string;
  rows: number;
}
export interface ExplanationRecomputed {
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
  physicalGpus?: undefined | number;
  physicalGpusIsLowerBound?: undefined | boolean;
  books: number;
  rank?: undefined | number;
  value?: undefined | number | null;
  usdPerHour?: undefined | number | null;
  usdPerGpuHour?: undefined | number | null;
  allInUsdPerHour?: undefined | number | null;
}
export interface ExplanationBook {
  id: string;
  observedAt: string;
  verdict: BookVerdict;
  reason: string | null;
  /** Its offers count */
  covers: boolean;
  point: ExplanationBookPoint | null;
}
export interface ExplanationBookPoint {
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
  physicalGpus?: undefined | number;
  physicalGpusIsLowerBound?: undefined | boolean;
}
export interface Explanation {
  of: 'book' | 'ranking' | 'bucket';
  /** How the figure was computed, in sentences */
  text: string[];
  /** The figures as other responses have them; null: none */
  value: {
    [k: string]: number | string | boolean | null;
  };
  /** Every figure of `value` equals that of `recomputed`, numbers to 8 digits, percentages to 8 decimals */
  agrees: boolean;
  /** The moment of the book, or the start of the bucket */
  from: string | null;
  /** End of the bucket; null: it is a book */
  to: string | null;
  bookVerdict: BookVerdict | null;
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
  rejected: RejectedRows[];
  /** From the rows taken; the supply of a bucket from the points of its books */
  recomputed: ExplanationRecomputed;
  /** The last 200 books of a bucket */
  books: ExplanationBook[];
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
  verification: VerificationTier | null;
  /** A share of 1 */
  reliability: number | null;
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
  market?: undefined | string;
  /** When the host ends the offer; null: not stated. Only in rankings */
  endsAt?: undefined | string | null;
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
    | 'timing'
    | 'bid-spread'
    | 'list-price'
    | 'week'
    | 'volatility'
    | 'range'
    | 'supply'
    | 'vs-market'
    | 'balance'
    | 'budget'
    | 'projection'
    | 'instance'
    | 'adjustment'
    | 'difference';
  /** How the figure was computed, in sentences */
  text: string[];
  /** The figures as other responses have them; null: none */
  value: {
    [k: string]: number | string | boolean | null;
  };
  /** Every figure of `value` equals that of `recomputed`, numbers to 8 digits, percentages to 8 decimals */
  agrees: boolean;
  unit: string | null;
  formula: string;
  /** Rows taken */
  taken: number;
  rejected: RejectedRows[];
  recomputed: {
    [k: string]: number | string | boolean | null;
  };
  /** A page of the rows */
  items: {
    [k: string]: number | string | boolean | null;
  }[];
  nextCursor: string | null;
}
export interface SpendExplanationGroup {
  by: SpendGrouping;
  key: string | null;
}
export interface SpendExplanationRecomputed {
  entries: number;
  /** US dollars, exact decimal */
  amountUsd: string;
}
export interface SpendExplanation {
  of: 'spend';
  /** How the figure was computed, in sentences */
  text: string[];
  /** The figures as other responses have them; null: none */
  value: {
    [k: string]: number | string | boolean | null;
  };
  /** Every figure of `value` equals that of `recomputed`, numbers to 8 digits, percentages to 8 decimals */
  agrees: boolean;
  market: string;
  from: string;
  to: string;
  timeZone: string;
  asOf: string;
  groups: SpendExplanationGroup[];
  category: SpendCategory | null;
  basis: SpendBasis | null;
  formula: string;
  /** Entries taken */
  taken: number;
  rejected: RejectedRows[];
  recomputed: SpendExplanationRecomputed;
  /** A page of the entries */
  items: ExplainedEntry[];
  nextCursor: string | null;
}
export interface ExplainedEntry {
  entryId: string;
  kind: 'payment' | 'consumption' | 'estimate';
  category: SpendCategory;
  basis: SpendBasis;
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
  type: PricingType;
  gpuName: string;
  unit: 'USD/GPU/hour';
  hoursOfWeek: HourOfWeek[];
  /** The cheapest with at least `neededHours` hours; null: there is none */
  cheapestHour: HourOfWeek | null;
  neededHours: number;
  /** Standard deviation of the daily median's relative changes; null: under three days */
  volatilityPercent: number | null;
  days: number;
  budget: MarketPatternsBudget | null;
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
export interface MarketPatternsBudget {
  usdPerHour: number;
  books: number;
  booksWithin: number;
  /** Of complete books; null: there is none */
  share: number | null;
}
export interface PriceIndexSeries {
  key: string;
  market: string;
  points: IndexPoint[];
  /** Over 1, 7 and 27 days up to the last point */
  changes: PriceChange[];
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
  rebased?: undefined | number;
  /** Two standard errors lower; null: unknown */
  rebasedLow?: undefined | number | null;
  /** Two standard errors higher */
  rebasedHigh?: undefined | number | null;
}
export interface PriceIndex {
  /** First day that all series have; null: none, or not requested */
  base: string | null;
  series: PriceIndexSeries[];
}
export interface ForecastSeries {
  key: string;
  market: string;
  /** Last closed UTC day */
  lastDay: string | null;
  lastValue: number | null;
  horizons: WordedForecast[];
}
export interface Forecast {
  metric: ForecastMetric;
  unit: string;
  series: ForecastSeries[];
}
export interface MarketWait {
  market: string;
  /** The newest complete book; null: there is none */
  observedAt: string | null;
  type: PricingType;
  hours: number;
  unit: string;
  /** The lowest price; null: no offer matches */
  priceNow: number | null;
  /** Percentile of `priceNow` among the prices of the 7 days before */
  percentileNow: number | null;
  /** Since then no two complete books were more than 3 hours apart; null: no book */
  closeSince: string | null;
  /** Median hours of the gaps over 3 hours between complete books before; null: none */
  gapHoursBefore: number | null;
  overall: PriceDrops;
  similar: PriceDrops;
  bidSurvival: MarketWaitBidSurvival;
}
export interface MarketWaitBidSurvival {
  /** The newest complete book of bids; null: there is none */
  observedAt: string | null;
  bids: BidSurvival[];
}
export interface BidSurvival {
  hours: number;
  /** How far above the minimum bid each bid is */
  raisePercent: number;
  status: SampleStatus;
  /** Never below the minimum bid in time, 0 to 1 */
  share: number | null;
  /** Bids whose outcome is known */
  bids: number;
  cases: number;
  /** Bids whose listing left the market before the outcome was known */
  unknown: number;
}
export interface LowestVerdicts {
  items: LowestVerdict[];
  nextCursor: null;
}
export interface LowestVerdict {
  market: string;
  type: PricingType;
  gpuName: string;
  observedAt: string;
  bookVerdict: BookVerdict;
  /** Offers that match and have a price */
  offers: number;
  /** Those of them that are left out as outliers */
  outliers: number;
  /** The first UTC day with a price, filters aside; null: none, or not computed yet */
  pricedFrom: string | null;
  /** The end of the last such day */
  pricedTo: string | null;
  /** The cheapest offer that is no outlier; null: there is none */
  lowest: JudgedOffer;
  timing: PriceTiming;
  /** The cheapest one on a verified machine; null: there is none */
  lowestVerified: JudgedOffer;
  /** Whether its price is low for verified ones of this model */
  verifiedTiming: PriceTiming;
}
export interface PriceTimingLast {
  usdPerGpuHour: number;
  /** Its first book, among those compared */
  since: string;
  /** The first book after it */
  until: string;
}
export interface Catalog {
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
}
export interface CatalogGpu {
  /** As catalogs spell it */
  name: string;
  /** `SXM`, `PCIE` or `NVL`; null: not stated */
  form: string | null;
  providers: string[];
  status: 'known' | 'ambiguous' | 'unknown';
  /** The models of markets that it may be */
  gpuNames: string[];
}
export interface Catalogs {
  providers: Catalog[];
  gpus: CatalogGpu[];
}
export interface CatalogPricesSeries {
  key: string;
  /** Only if several markets were requested */
  market?: undefined | string;
  gpuName: string;
  type: PricingType;
  /** From `t` until the next step; null: no list price is known */
  steps: CatalogPricesSeriesStep[];
}
export interface CatalogPricesSeriesStep {
  t: string;
  price: CatalogPrice | null;
}
export interface CatalogPrice {
  provider: string;
  /** As the seller spells it; may be empty */
  region: string;
  numGpus: number;
  /** US dollars of the whole machine, decimal text, exact */
  usdPerHour: string;
  usdPerGpuHour: number;
}
export interface CatalogPrices {
  unit: 'USD/GPU/hour';
  series: CatalogPricesSeries[];
}
export interface Blocklist {
  items: BlocklistEntry[];
  nextCursor: string | null;
}
export interface BlocklistEntry {
  id: string;
  market: string;
  /** `block`: never rent there; `prefer`: marked as preferred */
  kind: BlocklistKind;
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
  market?: undefined | string;
  kind?: undefined | BlocklistKind & string;
  machineId?: undefined | number;
  hostId?: undefined | number;
  note?: undefined | string;
}
export interface Crawls {
  items: Crawl[];
  nextCursor: string | null;
}
export interface Crawl {
  id: string;
  /** Only if several markets were requested */
  market?: undefined | string;
  kind: string;
  scope: string;
  type: PricingType | null;
  cause: 'cron' | 'command' | 'api' | 'watch' | 'import' | 'seed';
  state: 'queued' | 'running' | 'ended';
  /** null while it is queued */
  startedAt: string | null;
  endedAt: string | null;
  /** null until it has ended */
  outcome: CrawlOutcome | null;
  reason: string | null;
  /** For offers the first form, for invoices and charges the second */
  certificate: CoverageCertificate | BillingCertificate | null;
  /** The book that it stored */
  book: CrawlBook | null;
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
  doubtfulPrices: CoverageCertificateDoubtfulPrice[];
  replacedCharacters: number;
  retries: number;
  throttles: number;
  durationMs: number;
  estimatedMissingShare: number | null;
  missingShareAtMost: number | null;
  estimate: 'agreed' | 'chapman' | 'recapture' | null;
  passes: CoverageCertificatePass[];
  endConfirmed: boolean;
  apart: 'tiers' | 'models' | null;
  paging: 'id' | 'price' | 'whole' | 'none';
}
export interface CoverageCertificateDoubtfulPrice {
  offerId: number;
  amounts: {
    [k: string]: number;
  };
}
export interface CoverageCertificatePass {
  kind: 'full' | 'sample' | 'probe';
  part: string | null;
  pages: number;
  rows: number;
  unseen: number;
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
  kept: BillingCertificateKept | null;
}
export interface BillingCertificateKept {
  entries: number;
  added: number;
  changed: number;
  returned: number;
  missed: number;
  disappeared: number;
}
export interface CrawlBook {
  id: string;
  observedAt: string;
  startedAt: string;
  /** Coverage of the book */
  verdict: BookVerdict;
  reason: string | null;
  proof: 'proved' | 'declared';
  offers: number;
}
export interface CrawlOrdered {
  crawlIds: string[];
}
export interface CrawlOrder {
  /** What to read; default: offers */
  kind?: undefined | CrawlKind;
  /** Name of the market; default: the configured one */
  market?: undefined | string;
  /** For offers: one pricing type; default: all */
  type?: undefined | PricingType;
  /** For invoices and charges: read the whole history again */
  all?: undefined | boolean;
}
export interface StoredMarkets {
  items: StoredMarket[];
  nextCursor: null;
}
export interface StoredMarket {
  name: string;
  kind: MarketKind;
  /** Whether it is used if a request names no market */
  isDefault: boolean;
  /** Models that the market ever listed */
  gpuNames: string[];
  types: PricingType[];
  /** What the newest books state of any machine: whether it is verified, how reliable it is */
  trust: StatusTrust[];
  /** What renting costs on top of its prices, which never include it; 0: nothing, as far as known */
  rentingFeePercent: number;
  newestBooks: StoredMarketNewestBook[];
}
export interface StoredMarketNewestBook {
  type: PricingType;
  observedAt: string;
  verdict: BookVerdict;
}
export interface Books {
  items: Book[];
  nextCursor: string | null;
}
export interface Book {
  id: string;
  market: string;
  scope: string;
  type: PricingType;
  observedAt: string;
  /** Coverage of the book */
  verdict: BookVerdict;
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
export interface DeletedOlderTable {
  what: string;
  table: string;
  rows: number;
  /** Without indexes */
  bytes: number;
}
export interface DeletedOlderBook {
  market: string;
  type: PricingType;
  /** Moment of the oldest book */
  from: string;
  /** Books from then on stay: a Monday, 00:00 UTC */
  before: string;
}
export interface DeletedOlder {
  /** false: a dry run, nothing was changed */
  deleted: boolean;
  before: string;
  rows: number;
  /** Without indexes */
  bytes: number;
  /** By table of the database */
  tables: DeletedOlderTable[];
  /** Series of which books go */
  books: DeletedOlderBook[];
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
  filters: SavedFilters;
  profile: WatchProfile;
  rankBy: RankingMetric;
  top: number;
  schedule: Schedule;
  channelIds: string[];
  /** null: its report is sent only on request */
  reportSchedule: Schedule | null;
}
/** The conditions that are set; others are absent */
export interface SavedFilters {
  gpuName?: undefined | string[];
  type?: undefined | PricingType[];
  verification?: undefined | VerificationTier[];
  numGpus?: undefined | number[];
  maxUsdPerHour?: undefined | number;
  minReliability?: undefined | number;
  minVramGb?: undefined | number;
  minDiskGb?: undefined | number;
  minCuda?: undefined | number;
  minInetDown?: undefined | number;
  minInetUp?: undefined | number;
  country?: undefined | string[];
  datacenter?: undefined | boolean;
  staticIp?: undefined | boolean;
  machineId?: undefined | number[];
  hostId?: undefined | number[];
  excludeVerification?: undefined | VerificationTier[];
  excludeMachineId?: undefined | number[];
  excludeHostId?: undefined | number[];
}
export interface WatchProfile {
  storageGb: number;
  downGb: number;
  upGb: number;
  runningHours: number;
  stoppedHours: number;
}
export interface Schedule {
  cron: string;
  timeZone: string;
}
export interface NewSchedule {
  /** 5 fields, or 6 with seconds. A new watch: `* /10 * * * *` */
  cron?: undefined | string;
  /** Time zone of the expression. A new watch: TZ of the service */
  timeZone?: undefined | string;
}
export interface NewWatch {
  name: string;
  /** Its market, or a list of several. Default: the configured market */
  market?: undefined | string | string[];
  filters?: undefined | WatchFilters;
  profile?: undefined | UsageProfile;
  /** A new watch: `usdPerDlperfHour` */
  rankBy?: undefined | RankingMetric;
  /** Offers in a report. A new watch: 10 */
  top?: undefined | number;
  /** When its own book is crawled */
  schedule?: undefined | NewSchedule;
  /**
   * Channels of its reports, and of alerts of rules without channels
   *
   * @maxItems 20
   */
  channelIds?: undefined | string[];
  /** When its report is sent; null: only on request. A new watch with channels and a `schedule.cron`: that; otherwise null */
  reportSchedule?: undefined | NewSchedule | null;
}
/** Conditions on offers, as on rankings; a list means one of its values */
export interface WatchFilters {
  gpuName?: undefined | string | string[];
  type?: undefined | PricingType | PricingType[];
  /** Offers of these verification tiers */
  verification?: undefined | VerificationTier | VerificationTier[];
  /** Offers of this many GPUs */
  numGpus?: undefined | number | number[];
  /** Offers whose price for the whole machine, with the profile's storage, is at most this, USD/hour */
  maxUsdPerHour?: undefined | number;
  /** Offers at least this reliable, 0 to 1; `98` and `98%` are read as 0.98 */
  minReliability?: undefined | number;
  /** Offers with at least this much VRAM per GPU, in GB of 1000 MB: a 24 GB card, listed with 24,564 MB, counts as 24 */
  minVramGb?: undefined | number;
  /** Offers with at least this much disk, GB */
  minDiskGb?: undefined | number;
  /** Offers that support this CUDA version or newer */
  minCuda?: undefined | number;
  /** Offers with at least this download speed, in the unit of the listing */
  minInetDown?: undefined | number;
  /** Offers with at least this upload speed, in the unit of the listing */
  minInetUp?: undefined | number;
  /** Offers in these countries: codes of two letters or English names, such as `DE` or `Germany` */
  country?: undefined | string | string[];
  /** Offers in a datacenter or not */
  datacenter?: undefined | boolean;
  /** Offers with a static IP address or not */
  staticIp?: undefined | boolean;
  /** Offers of these machines */
  machineId?: undefined | number | number[];
  /** Offers of these hosts */
  hostId?: undefined | number | number[];
  /** Offers not of these verification tiers */
  excludeVerification?: undefined | VerificationTier | VerificationTier[];
  /** Offers not of these machines */
  excludeMachineId?: undefined | number | number[];
  /** Offers not of these hosts */
  excludeHostId?: undefined | number | number[];
}
/** The usage profile; defaults as in rankings */
export interface UsageProfile {
  storageGb?: undefined | number;
  downGb?: undefined | number;
  upGb?: undefined | number;
  runningHours?: undefined | number;
  stoppedHours?: undefined | number;
}
export interface WatchChange {
  name?: undefined | string;
  /** Its markets from now on, one or a list; the others are no longer followed */
  market?: undefined | string | string[];
  filters?: undefined | WatchFilters;
  profile?: undefined | UsageProfile;
  /** A new watch: `usdPerDlperfHour` */
  rankBy?: undefined | RankingMetric;
  /** Offers in a report. A new watch: 10 */
  top?: undefined | number;
  /** When its own book is crawled */
  schedule?: undefined | NewSchedule;
  /**
   * Channels of its reports, and of alerts of rules without channels
   *
   * @maxItems 20
   */
  channelIds?: undefined | string[];
  /** When its report is sent; null: only on request. A new watch with channels and a `schedule.cron`: that; otherwise null */
  reportSchedule?: undefined | NewSchedule | null;
}
export interface SpendItem {
  key: string | null;
  subkey: string | null;
  category: SpendCategory;
  basis: SpendBasis;
  /** Exact; consumption is positive, money paid in is negative */
  amountUsd: string;
  entries: number;
}
export interface SpendInstance {
  instanceId: number;
  label: string | null;
  gpuName: string | null;
  numGpus: number | null;
}
export interface SpendTotal {
  category: SpendCategory;
  basis: SpendBasis;
  /** Exact; consumption is positive, money paid in is negative */
  amountUsd: string;
  entries: number;
}
export interface SpendBefore {
  from: string;
  to: string;
  /** US dollars, decimal text, exact */
  consumptionUsd: string;
  /** US dollars, decimal text, exact */
  changeUsd: string;
  /** null: nothing was spent before */
  changePercent: number | null;
  /** When the account's first known consumption began; null: none is known */
  firstSpendAt: string | null;
  /** Whether what is known begins before the period or within its first twentieth: else the change is no fair one */
  isCovered: boolean;
}
export interface SpendDisappeared {
  entries: number;
  /** US dollars, decimal text, exact */
  amountUsd: string;
}
export interface SpendMonth {
  month: string;
  closedAt: string;
  /** US dollars, decimal text, exact */
  adjustmentUsd: string;
}
export interface SpendReadUntil {
  invoices: string | null;
  charges: string | null;
}
export interface Spend {
  market: string;
  from: string;
  to: string;
  timeZone: string;
  asOf: string;
  groupBy: SpendGrouping;
  stackBy: SpendGrouping | null;
  items: SpendItem[];
  /** What the instances of the keys are called; empty unless grouped by instance */
  instances: SpendInstance[];
  totals: SpendTotal[];
  /** Consumption, charged and estimated, of the period before, and the change since. Of a range that is not over, the part so far is compared; null: it has not begun */
  before: SpendBefore | null;
  /** Entries that the market no longer lists; in no sum */
  disappeared: SpendDisappeared;
  /** Closed months of the range, with what has changed since their close */
  months: SpendMonth[];
  readUntil: SpendReadUntil;
  balance: Balance;
}
export interface Balance {
  /** The time up to which both kinds of bills are synced */
  at: string | null;
  /** US dollars, decimal text, exact */
  amountUsd: string | null;
  /** Why it is unknown */
  reason: string | null;
  statement: BalanceStatement | null;
}
export interface BalanceStatement {
  at: string;
  /** US dollars, decimal text, exact */
  amountUsd: string;
}
export interface SpendAdjustment {
  month: string;
  closedAt: string;
  seenAt: string;
  entryId: string;
  category: SpendCategory;
  basis: SpendBasis;
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
}
export interface SpendAdjustments {
  market: string;
  from: string;
  to: string;
  timeZone: string;
  asOf: string;
  items: SpendAdjustment[];
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
  at?: undefined | string;
  market?: undefined | string;
}
export interface SpendVsMarketTotal {
  paidUsd: string;
  /** null: nothing can be compared, `unattributable` says why */
  comparedUsd: string | null;
  /** null: nothing can be compared, `unattributable` says why */
  overMedianUsd: string | null;
  /** null: nothing can be compared, `unattributable` says why */
  overMinUsd: string | null;
  /** Paid above the lowest price of each hour that is no outlier; the minimum where all are */
  overLowestUsd: string | null;
  /** How much less was possible: the `savedUsd` of all cheaper equal machines; null: no instance can be compared */
  savedUsd: string | null;
}
export interface SpendVsMarketCloud {
  /** At the cheapest list price of other sellers, and what was paid for these hours; null: none is known */
  cloudUsd: string | null;
  /** At the cheapest list price of other sellers, and what was paid for these hours; null: none is known */
  cloudComparedUsd: string | null;
  /** Paid for hours that have no list price */
  notComparedUsd: string;
  /** Instances without any list price */
  notComparedInstances: number;
}
export interface SpendVsMarketNotCompared {
  /** All consumption of the range, charged and estimated */
  consumptionUsd: string;
  /** `consumptionUsd` without `total.comparedUsd` */
  amountUsd: string;
  parts: SpendVsMarketNotComparedPart[];
}
export interface SpendVsMarketNotComparedPart {
  /** `unpriced` (hours without a market price), `disk` (while no GPU was charged, such as of a stopped instance), `traffic`, `volume`, `estimated` (not charged so far) or `other` */
  reason: 'unpriced' | 'disk' | 'traffic' | 'volume' | 'estimated' | 'other';
  amountUsd: string;
  instances: SpendVsMarketNotComparedPartInstance[];
}
export interface SpendVsMarketNotComparedPartInstance {
  instanceId: number | null;
  label: string | null;
  amountUsd: string;
}
export interface SpendVsMarketItem {
  instanceId: number | null;
  source: string | null;
  label: string | null;
  gpuName: string | null;
  numGpus: number | null;
  type: PricingType | null;
  storageGb: number | null;
  paidUsd: string;
  /** null: nothing can be compared, `unattributable` says why */
  comparedUsd: string | null;
  /** null: nothing can be compared, `unattributable` says why */
  overMedianUsd: string | null;
  /** null: nothing can be compared, `unattributable` says why */
  overMinUsd: string | null;
  /** Paid above the lowest price of each hour that is no outlier; the minimum where all are */
  overLowestUsd: string | null;
  /** At the cheapest list price of other sellers, and what was paid for these hours; null: none is known */
  cloudUsd: string | null;
  /** At the cheapest list price of other sellers, and what was paid for these hours; null: none is known */
  cloudComparedUsd: string | null;
  unattributable: string | null;
  cheaperEqual: SpendVsMarketItemCheaperEqual | null;
  hours: SpendVsMarketItemHour[];
}
export interface SpendVsMarketItemCheaperEqual {
  machineId: number;
  /** The listing that was cheaper */
  listingId: string;
  usdPerHour: number;
  since: string;
  until: string | null;
  /** How much less the charged time would have cost there while it was offered, a lower bound */
  savedUsd: string;
  /** Charged seconds in which it was seen on offer, until the last book that showed it, of those of `hours` */
  offeredSeconds: number;
}
export interface SpendVsMarketItemHour {
  t: string;
  seconds: number;
  paidUsd: string;
  paidUsdPerGpuHour: number | null;
  medianUsdPerGpuHour: number | null;
  minUsdPerGpuHour: number | null;
  lowestUsdPerGpuHour: number | null;
  overMedianUsd: string | null;
  overMinUsd: string | null;
  overLowestUsd: string | null;
  cloudUsdPerGpuHour: number | null;
  cloudUsd: string | null;
}
export interface SpendVsMarket {
  market: string;
  from: string;
  to: string;
  timeZone: string;
  asOf: string;
  /** All instances together; null: none can be compared */
  total: SpendVsMarketTotal;
  /** Totals of the same hours at the cheapest cloud */
  cloud: SpendVsMarketCloud;
  /** What of the consumption is not compared, and why */
  notCompared: SpendVsMarketNotCompared;
  items: SpendVsMarketItem[];
}
export interface SpendDifference {
  kind: SpendDifferenceKind;
  subject: string;
  from: string;
  to: string;
  expectedUsd: string;
  actualUsd: string;
  differenceUsd: string;
  reason: string;
  /** `unexplained`, `explained`, `pending` (the bills of that time are still to come), `withinPolls` (no more than the time between two polls of the account explains) or `credit` (paid in and not used, or used and not paid in, in that month) */
  status: 'unexplained' | 'explained' | 'pending' | 'withinPolls' | 'credit';
}
export interface SpendReconciliation {
  market: string;
  from: string;
  to: string;
  timeZone: string;
  asOf: string;
  items: SpendDifference[];
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
  state: BudgetState;
}
export interface BudgetState {
  month: string;
  from: string;
  to: string;
  spentUsd: string;
  /** Of instances with a known price; null: none has one */
  burnUsdPerHour: string | null;
  /** Instances whose price is unknown, in part or in full */
  unpriced: number;
  /** What instances will not cost after their known ends: limits, ends of offers */
  knownEndsUsd: string;
  /** null: the burn rate is unknown */
  projectedUsd: string | null;
  projectionMethod: string;
  share: number;
  /** Negative: that much more was spent */
  leftUsd: string;
  reached: number[];
  usedUp: boolean;
}
export interface NewBudget {
  label?: undefined | string | null;
  monthlyUsd: string;
  /**
   * Shares that alert: 0.8 for 80%
   *
   * @maxItems 20
   */
  alertAt?: undefined | number[];
  /** Refuse rentals once it is used up */
  blockRentals?: undefined | boolean;
  /** Time zone of its months. Default: TZ of the service */
  timeZone?: undefined | string;
  market?: undefined | string;
}
export interface BudgetChange {
  monthlyUsd?: undefined | string;
  /** @maxItems 20 */
  alertAt?: undefined | number[];
  blockRentals?: undefined | boolean;
  timeZone?: undefined | string;
}
export interface SpendProjection {
  market: string;
  timeZone: string;
  asOf: string;
  month: string;
  from: string;
  to: string;
  spentUsd: string;
  /** Of instances with a known price; null: none has one */
  burnUsdPerHour: string | null;
  /** Instances whose price is unknown, in part or in full */
  unpriced: number;
  /** What instances will not cost after their known ends: limits, ends of offers */
  knownEndsUsd: string;
  /** null: the burn rate is unknown */
  projectedUsd: string | null;
  projectionMethod: string;
  /** When the newest complete syncs began; null: never synced */
  readUntil: SpendReadUntil;
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
  markets?: undefined | string[];
  export: string;
  query: {
    [k: string]: string | string[];
  };
  note: string | null;
  createdAt: string;
  revokedAt: string | null;
  lastReadAt: string | null;
}
export interface NewSheetLinkFormulas {
  googleSheets: string;
  excel: string;
  libreOffice: string;
}
export interface SheetLinkRequest {
  export:
    | 'spend'
    | 'spend-summary'
    | 'spend-adjustments'
    | 'spend-vs-market'
    | 'focus'
    | 'rentals'
    | 'trends'
    | 'index'
    | 'rankings'
    | 'offers';
  /** Parameters of the export */
  query?: undefined | {
    [k: string]: string | string[];
  };
  note?: undefined | string | null;
  /** The market that it shows, or a list. Default: the configured market */
  market?: undefined | string | string[];
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
  tag?: undefined | string;
  description?: undefined | string;
  readme?: undefined | string;
  /** Flags: `-e NAME=value -p host:container` */
  env?: undefined | string;
  onstart?: undefined | string;
  /** Compress a start script that is too long into one line that unpacks and runs it */
  compressOnstart?: undefined | boolean;
  runtype?: undefined | RunType;
  args?: undefined | string;
  useSsh?: undefined | boolean;
  sshDirect?: undefined | boolean;
  jupyterDirect?: undefined | boolean;
  useJupyterLab?: undefined | boolean;
  jupyterDir?: undefined | string | null;
  dockerLoginRepo?: undefined | string;
  dockerLoginUser?: undefined | string;
  /** Sent to the market and not stored */
  dockerLoginPass?: undefined | string;
  href?: undefined | string;
  repo?: undefined | string;
  /** Conditions on offers by the market's names: `{"num_gpus":{"gte":2}}` */
  extraFilters?: undefined | {
    [k: string]: {
      [k: string]: unknown;
    };
  };
  recommendedDiskGb?: undefined | number;
  isPrivate?: undefined | boolean;
}
export interface TemplateChanged {
  hashId: string;
}
export interface TemplateChange {
  name?: undefined | string;
  image?: undefined | string;
  tag?: undefined | string;
  description?: undefined | string;
  readme?: undefined | string;
  /** Flags: `-e NAME=value -p host:container` */
  env?: undefined | string;
  onstart?: undefined | string;
  /** Compress a start script that is too long into one line that unpacks and runs it */
  compressOnstart?: undefined | boolean;
  runtype?: undefined | RunType;
  args?: undefined | string;
  useSsh?: undefined | boolean;
  sshDirect?: undefined | boolean;
  jupyterDirect?: undefined | boolean;
  useJupyterLab?: undefined | boolean;
  jupyterDir?: undefined | string | null;
  dockerLoginRepo?: undefined | string;
  dockerLoginUser?: undefined | string;
  /** Sent to the market and not stored */
  dockerLoginPass?: undefined | string;
  href?: undefined | string;
  repo?: undefined | string;
  /** Conditions on offers by the market's names: `{"num_gpus":{"gte":2}}` */
  extraFilters?: undefined | {
    [k: string]: {
      [k: string]: unknown;
    };
  };
  recommendedDiskGb?: undefined | number;
  isPrivate?: undefined | boolean;
}
export interface Tokens {
  items: Token[];
  nextCursor: null;
}
export interface Token {
  id: string;
  name: string;
  role: Role;
  /** $/hour of all that it has rented; null: no limit */
  maxUsdPerHour: number | null;
  /** Instances that it has rented and that still exist; null: no limit */
  maxInstances: number | null;
  /** Rentals in any 24 hours; null: no limit */
  maxRentsPerDay: number | null;
  /**
   * Names of the markets that it is limited to; null: all
   *
   * @minItems 1
   * @maxItems 20
   */
  markets: string[] | null;
  /** Label of the instances and orders that it may change; null: no limit */
  label: string | null;
  createdAt: string;
  /** null: active */
  revokedAt: string | null;
  /** By itself or a session of it, to the minute; null: never */
  lastUsedAt: string | null;
  /** Address of the client; null: unknown */
  lastUsedFrom: string | null;
}
export interface TokenSecret {
  id: string;
  token: string;
}
export interface NewToken {
  name: string;
  role?: undefined | Role & string;
  /** $/hour of all that it has rented; null: no limit */
  maxUsdPerHour?: undefined | number | null;
  /** Instances that it has rented and that still exist; null: no limit */
  maxInstances?: undefined | number | null;
  /** Rentals in any 24 hours; null: no limit */
  maxRentsPerDay?: undefined | number | null;
  /**
   * Names of the markets that it is limited to; null: all
   *
   * @minItems 1
   * @maxItems 20
   */
  markets?: undefined | string[] | null;
  /** Label of the instances and orders that it may change; null: no limit */
  label?: undefined | string | null;
}
export interface QuoteOffer {
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
  /** Of one GPU, as listed */
  gpuRamMb: number | null;
  cpuCores: number | null;
  cpuCoresEffective: number | null;
  cpuRamMb: number | null;
  diskSpaceGb: number | null;
  /** As listed; sources disagree whether MB/s or Mb/s */
  inetDown: number | null;
  inetUp: number | null;
  cudaMaxGood: number | null;
  datacenter: boolean | null;
  [k: string]: unknown;
}
export interface QuoteWarning {
  kind: string;
  message: string;
}
export interface QuoteInstance {
  image: string | null;
  diskGb: number;
  [k: string]: unknown;
}
export interface QuoteGuard {
  guard: string;
  limit: string | null;
  value: string | null;
  message: string;
}
export interface Quote {
  /** For renting at this price or less within 60 seconds; null: the price is unknown, or this process has no SECRETS_KEY */
  quoteId: string | null;
  at: string;
  offerId: number;
  /** The market's current offer */
  offer: QuoteOffer;
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
  /** Of the price in the newest complete book; null: that does not list the offer */
  verdict: Verdict;
  /** The price that the verdict judges */
  listed: ListedPrice;
  lowestVerified: ListedPrice;
  warnings: QuoteWarning[];
  /** Why the request could not be sent */
  problems: string[];
  /** What would be sent, merged with the template; names of environment variables only */
  instance: QuoteInstance;
  /** Where each field of `instance` comes from */
  sources: {
    [k: string]: 'request' | 'template' | 'both' | 'neither';
  };
  guards: QuoteGuard[];
  /** Why the rental would be refused, apart from guards */
  refusal: QuoteWarning | null;
  wouldRent: boolean;
}
export interface QuotedProfile {
  downGb?: undefined | number;
  upGb?: undefined | number;
  runningHours?: undefined | number;
  stoppedHours?: undefined | number;
}
/** What to rent: an offer or the best match of a watch, with an image or a template */
export interface QuoteRequest {
  offerId?: undefined | number;
  /** The best current match of this watch */
  watchId?: undefined | string;
  image?: undefined | string;
  templateHashId?: undefined | string;
  /** Fixed at creation; the quote is for this size */
  diskGb: number;
  /** Cap on the whole machine with its disk */
  maxUsdPerHour?: undefined | number;
  /** Makes it a bid */
  bidUsdPerHour?: undefined | number;
  /** Idle means every GPU use below this; default 5 */
  idlePercent?: undefined | number;
  /** What happens at a limit; default `stop` */
  endAction?: undefined | EndAction;
  /** How long before an end to warn; 0: never; default 15 */
  warnMinutes?: undefined | number;
  /** Of `cheaperOfBooks`; default 2 */
  cheaperBooks?: undefined | number;
  /** Newest complete books; default 3 */
  cheaperOfBooks?: undefined | number;
  /** With a cheaper machine: notify, or rent it and then ask; default `notify` */
  cheaperAction?: undefined | FailureAction;
  /** Hours from the start of the rental; then `endAction` */
  maxHours?: undefined | number;
  /** The moment of the end, in place of `maxHours` */
  endsAt?: undefined | string;
  /** Minutes in which every poll knew the GPU use and saw it low; then `endAction` */
  idleMinutes?: undefined | number;
  /** Dollars that it may cost from the start of the rental; then `endAction` */
  maxUsd?: undefined | number;
  /** Looks for equal machines that cost at least so much less */
  cheaperPercent?: undefined | number;
  /** Values by name; a port mapping is the key `-p host:container` with the value `1` */
  env?: undefined | {
    [k: string]: string;
  };
  onstart?: undefined | string;
  args?: undefined | string;
  runtype?: undefined | RunType;
  volume?: undefined | VolumeAttachment;
  label?: undefined | string;
  costCenter?: undefined | string;
  /** What to do if the instance never runs: notify the channels of its rules, or rent a replacement; default `notify` */
  onFailure?: undefined | FailureAction;
  /** With `replace`; default 1 */
  replacements?: undefined | number;
  /** Minutes after which it has failed to start; default 20 */
  provisionMinutes?: undefined | number;
  /** Whether to take the next best if the offer is gone or above the cap */
  nextBest?: undefined | boolean;
  /** For the all-in price; storage is the disk */
  profile?: undefined | QuotedProfile;
}
export interface ExistingVolume {
  kind: 'existing';
  volumeId: number;
  mountPath: string;
}
export interface AddedVolume {
  kind: 'new';
  volumeOfferId: number;
  sizeGb: number;
  mountPath: string;
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
  type: PricingType | null;
  machineId: number | null;
  hostId: number | null;
  /** Two letters, of its machine as last offered */
  country: string | null;
  offerId: number | null;
  /** Until a list has the instance, as requested */
  image: string | null;
  diskGb: number | null;
  sshHost: string | null;
  sshPort: number | null;
  startedAt: string | null;
  /** Until a list has the instance, as quoted */
  hostEndsAt: string | null;
  /** What it counts at: its running price unless it is stopped; null: unknown or gone */
  usdPerHour: string | null;
  /** As billed in its state: GPUs only while it runs; null: unknown or gone */
  billedUsdPerHour: string | null;
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
  cheaper: LedgerInstanceCheaper | null;
  wanted: WantedState | null;
  wantedBy: string | null;
  /** Why the last attempt failed; null: it did not */
  wantedProblem: string | null;
  maxHours: number | null;
  endAction: EndAction | null;
  endsAt: string | null;
  idleMinutes: number | null;
  idlePercent: number | null;
  /** Of the limit on its cost */
  maxUsd: string | null;
  warnMinutes: number | null;
  cheaperPercent: number | null;
  cheaperBooks: number | null;
  cheaperOfBooks: number | null;
  cheaperAction: FailureAction | null;
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
export interface LedgerInstanceCheaper {
  offerId: number;
  machineId: number;
  usdPerHour: number;
  savesUsdPerDay: string;
  hostEndsAt: string | null;
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
  offerId?: undefined | number;
  /** The best current match of this watch */
  watchId?: undefined | string;
  image?: undefined | string;
  templateHashId?: undefined | string;
  /** Fixed at creation; the quote is for this size */
  diskGb: number;
  /** Cap on the whole machine with its disk */
  maxUsdPerHour?: undefined | number;
  /** Makes it a bid */
  bidUsdPerHour?: undefined | number;
  /** Idle means every GPU use below this; default 5 */
  idlePercent?: undefined | number;
  /** What happens at a limit; default `stop` */
  endAction?: undefined | EndAction;
  /** How long before an end to warn; 0: never; default 15 */
  warnMinutes?: undefined | number;
  /** Of `cheaperOfBooks`; default 2 */
  cheaperBooks?: undefined | number;
  /** Newest complete books; default 3 */
  cheaperOfBooks?: undefined | number;
  /** With a cheaper machine: notify, or rent it and then ask; default `notify` */
  cheaperAction?: undefined | FailureAction;
  /** Hours from the start of the rental; then `endAction` */
  maxHours?: undefined | number;
  /** The moment of the end, in place of `maxHours` */
  endsAt?: undefined | string;
  /** Minutes in which every poll knew the GPU use and saw it low; then `endAction` */
  idleMinutes?: undefined | number;
  /** Dollars that it may cost from the start of the rental; then `endAction` */
  maxUsd?: undefined | number;
  /** Looks for equal machines that cost at least so much less */
  cheaperPercent?: undefined | number;
  /** Values by name; a port mapping is the key `-p host:container` with the value `1` */
  env?: undefined | {
    [k: string]: string;
  };
  onstart?: undefined | string;
  args?: undefined | string;
  runtype?: undefined | RunType;
  volume?: undefined | VolumeAttachment;
  label?: undefined | string;
  costCenter?: undefined | string;
  /** What to do if the instance never runs: notify the channels of its rules, or rent a replacement; default `notify` */
  onFailure?: undefined | FailureAction;
  /** With `replace`; default 1 */
  replacements?: undefined | number;
  /** Minutes after which it has failed to start; default 20 */
  provisionMinutes?: undefined | number;
  /** Whether to take the next best if the offer is gone or above the cap */
  nextBest?: undefined | boolean;
  /** For the all-in price; storage is the disk */
  profile?: undefined | QuotedProfile;
  /** Of a quote: only its offer is rented, at its price or less, within 60 seconds */
  quoteId?: undefined | string;
  dryRun?: undefined | boolean;
}
export interface InstanceChanged {
  instanceId: number;
  wanted: WantedState;
  /** `pending`: sent again until a list shows it */
  outcome: 'accepted' | 'pending';
  problem: string | null;
  /** Cost of its disk per day until it is destroyed */
  stoppedUsdPerDay: string | null;
}
export interface InstanceChange {
  label?: undefined | string | null;
  costCenter?: undefined | string | null;
  bidUsdPerHour?: undefined | number;
  /** Idle means every GPU use below this; default 5 */
  idlePercent?: undefined | number;
  /** What happens at a limit; default `stop` */
  endAction?: undefined | EndAction;
  /** How long before an end to warn; 0: never; default 15 */
  warnMinutes?: undefined | number;
  /** Of `cheaperOfBooks`; default 2 */
  cheaperBooks?: undefined | number;
  /** Newest complete books; default 3 */
  cheaperOfBooks?: undefined | number;
  /** With a cheaper machine: notify, or rent it and then ask; default `notify` */
  cheaperAction?: undefined | FailureAction;
  /** Hours from the start of the rental; then `endAction`; null removes it */
  maxHours?: undefined | number | null;
  /** The moment of the end, in place of `maxHours`; null removes it */
  endsAt?: undefined | string | null;
  /** Minutes in which every poll knew the GPU use and saw it low; then `endAction`; null removes it */
  idleMinutes?: undefined | number | null;
  /** Dollars that it may cost from the start of the rental; then `endAction`; null removes it */
  maxUsd?: undefined | number | null;
  /** Looks for equal machines that cost at least so much less; null removes it */
  cheaperPercent?: undefined | number | null;
}
export interface EndedInstances {
  items: LedgerInstance[];
  nextCursor: string | null;
}
export interface InstanceDetail {
  instance: LedgerInstance;
  machine: InstanceMachine;
  /** Of the ledger, the oldest first; empty: rented elsewhere */
  states: InstanceState[];
  /** As the market's lists showed them, the oldest first */
  statuses: ListedStatus[];
  /** What it is billed from a moment on, the oldest first */
  prices: PriceStep[];
  /** Of the audit log, the oldest first */
  actions: InstanceAction[];
  equal: EqualOffer;
  replaces: RelatedRental;
  /** The newest rental in its place */
  replacement: RelatedRental;
}
export interface InstanceState {
  at: string;
  state: string;
  reason: string | null;
}
export interface ListedStatus {
  at: string;
  actualStatus: string | null;
  intendedStatus: string | null;
  /** A list lacked it */
  gone: boolean;
}
export interface PriceStep {
  from: string;
  /** Its GPUs are billed, not only its disk */
  computing: boolean;
  usdPerHour: string | null;
  baseUsdPerHour: string | null;
  storageUsdPerHour: string | null;
}
export interface InstanceAction {
  at: string;
  by: string;
  action: string;
  /** `accepted`, an answer, or null: not known */
  outcome: string | null;
  detail: {
    [k: string]: unknown;
  };
}
export interface ReplacementRequest {
  offerId: number;
  /** Cap on the whole machine with its disk; default: what the instance costs */
  maxUsdPerHour?: undefined | number;
  dryRun?: undefined | boolean;
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
  states: InstanceState[];
}
export interface Settlement {
  /** null: nothing was rented */
  instanceId: number | null;
}
export interface MachineRecord {
  market: string;
  machineId: number;
  hostId: number | null;
  type: PricingType;
  /** The first complete book; null: there is none */
  since: string | null;
  neededStays: number;
  machine: PlaceRecord;
  /** Of all its machines; null: it is unknown */
  host: PlaceRecord | null;
}
export interface PlaceRecord {
  /** With a listing, ever */
  machines: number;
  /** Ever seen */
  listings: number;
  /** Those seen last, which `listedNow` and `stays` are of */
  readListings: number;
  /** In the newest book */
  listedNow: number;
  /** Stays on the market whose beginning and end were both seen */
  stays: number;
  /** Of those stays; null: there are fewer than `neededStays` */
  medianListedHours: number | null;
  rentals: PlaceRecordRentals;
  /** Of the account, rented elsewhere, not by Offerbook; those that ended too */
  otherInstances: number;
}
export interface PlaceRecordRentals {
  /** By Offerbook, of every pricing type */
  made: number;
  /** It ran at some time */
  ran: number;
  /** The market refused, or no instance appeared */
  notRented: number;
  /** An instance came, and never ran */
  neverRan: number;
  /** It ran, and was down at least once */
  wentDown: number;
}
export interface ActionsKillSwitch {
  enabled: boolean;
  changedAt: string;
  changedBy: string;
}
export interface ActionsLimits {
  maxUsdPerHour: number | null;
  maxTotalUsdPerHour: number | null;
  maxInstances: number | null;
}
export interface Actions {
  /** Whether ACTIONS and the kill switch allow new rentals */
  enabled: boolean;
  /** ACTIONS of the settings */
  setting: boolean;
  /** null: never used */
  killSwitch: ActionsKillSwitch | null;
  /** null: no actions here */
  limits: ActionsLimits | null;
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
  detail?: undefined | unknown;
  hash: string;
}
export interface AuditVerdictProblem {
  seq: number;
  what: string;
}
export interface AuditVerdict {
  entries: number;
  /** Hash of the last entry; store it elsewhere */
  head: string | null;
  problem: AuditVerdictProblem | null;
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
  /** Of the machine, as it was last offered, like `numGpus` and `country`; null: it never was */
  gpuName: string | null;
  numGpus: number | null;
  country: string | null;
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
  /** Of the machine, as it was last offered, like `numGpus` and `country`; null: it never was */
  gpuName: string | null;
  numGpus: number | null;
  country: string | null;
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
  kind: ChannelKindName;
  /** Its label */
  label: string;
  /** What a person needs before adding one */
  needs: string;
  fields: ChannelKindField[];
  /** What `secret` is; null: it takes none */
  secret: string | null;
  /** What to set before it can send; null: nothing */
  missing: string | null;
}
export interface ChannelKindField {
  /** Of `config` */
  name: string;
  label: string;
  /** A value that it could have */
  placeholder: string;
  /** The only values that it may have; `placeholder` is used if none is given. null: any value */
  choices: string[] | null;
  /** It may be a list */
  several: boolean;
  required: boolean;
}
export interface PushKey {
  /** An uncompressed P-256 point, base64url: `applicationServerKey` */
  publicKey: string;
}
export interface Channels {
  items: Channel[];
  nextCursor: string | null;
}
export interface Channel {
  id: string;
  kind: ChannelKindName;
  name: string;
  /** By kind, without secrets: an address is shown as its host and last four characters */
  config: {
    [k: string]: unknown;
  };
  /** Whether it has a secret that can be decrypted */
  secretSet: boolean;
  /** Why nothing is sent to it, such as a private address; null: it is on */
  offReason: string | null;
  /** The newest of the last 7 days that ended, without tests; null: none */
  lastDelivery: ChannelLastDelivery | null;
  /** Deliveries of the last 7 days that failed or were refused, after which it was sent nothing */
  undelivered: number;
}
export interface ChannelLastDelivery {
  state: DeliveryState;
  title: string;
  endedAt: string;
  problem: string | null;
}
export interface NewChannel {
  kind: ChannelKindName;
  /** Default: the kind */
  name?: undefined | string;
  /** By kind: `browser`: `{device}`; `email`: `{to, attach}`; `ntfy`: `{url, topic}`; `slack`: `{url}`; `discord`: `{url}`; `telegram`: `{chatId, url}`; `webhook`: `{url}`; `file`: `{path, format}`; an address is kept as a secret */
  config?: undefined | {};
  /** Token, signing key or address, by kind; never returned */
  secret?: undefined | string;
}
export interface ChannelChange {
  name?: undefined | string;
  /** By kind: `browser`: `{device}`; `email`: `{to, attach}`; `ntfy`: `{url, topic}`; `slack`: `{url}`; `discord`: `{url}`; `telegram`: `{chatId, url}`; `webhook`: `{url}`; `file`: `{path, format}`; an address is kept as a secret */
  config?: undefined | {};
  /** null removes it */
  secret?: undefined | string | null;
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
  state: DeliveryState;
  attempts: number;
  createdAt: string;
  /** When somebody last had it sent again; null: never */
  replayedAt: string | null;
  /** When its 24 hours began: at its own first attempt, or that of an earlier delivery that delayed it */
  firstAttemptAt: string | null;
  /** null: ended */
  nextAttemptAt: string | null;
  endedAt: string | null;
  /** Why the last attempt failed */
  problem: string | null;
}
export interface WholeDeliveryNotice {
  kind: 'alert' | 'digest' | 'report' | 'order' | 'test';
  /** One line of plain text */
  title: string;
  /** Plain text, one line each; empty in a report */
  lines: string[];
  /** Where to read more; null: nowhere */
  link: string | null;
  /** The moment that it is about */
  at: string;
  watchId: string | null;
  ruleId: string | null;
  /** By kind: docs/webhooks.md */
  data: {
    [k: string]: unknown;
  };
}
export interface ReplayAnswer {
  from: string;
  to: string;
  dryRun: boolean;
  /** Written in that time and still stored */
  deliveries: number;
  /** Sent again; with `dryRun`: that would be */
  queued: number;
  /** Left alone: they wait to be sent anyway */
  alreadyQueued: number;
  /** Left alone: they were sent again in the last minute */
  justReplayed: number;
  /** Deliveries that ended before this are no longer stored; null: none of that time */
  deletedBefore: string | null;
}
export interface Replay {
  /** All deliveries of this day; instead of `from` and `to` */
  day?: undefined | string;
  /** Inclusive: an instant with its zone, or a date */
  from?: undefined | string;
  /** Exclusive: an instant with its zone, or a date */
  to?: undefined | string;
  /** Time zone of dates */
  timeZone?: undefined | string;
  /** Only count */
  dryRun?: undefined | boolean;
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
  kind: RuleKind;
  params: {
    [k: string]: unknown;
  };
  /** Unit of its value and threshold; null: it has none */
  unit: string | null;
  of: TriggerCondition;
  hysteresisPercent: number;
  cooldownMinutes: number;
  rearm: Rearm | RearmAfter;
  quietHours: QuietHours | null;
  dailyCap: number | null;
  digest: Schedule | null;
  /** Empty: the watch's */
  channelIds: string[];
  enabled: boolean;
  /** Moment of its newest alert; null: it has not fired, or no longer kept */
  lastFiredAt: string | null;
  /** Those of its newest alert, the newest to each channel; empty: none is known */
  lastDeliveries: AlertDelivery[];
}
export interface TriggerCondition {
  m: number;
  n: number;
}
export interface RearmAfter {
  afterMinutes: number;
}
export interface QuietHours {
  from: string;
  to: string;
  timeZone: string;
}
export interface AlertDelivery {
  /** Name of the channel */
  channel: string;
  /** `queued`: it waits to be sent */
  state: DeliveryState;
  /** Why the last attempt failed; null: none failed */
  problem: string | null;
}
export interface BacktestAnswerNow {
  market: string;
  /** The newest book of the range */
  at: string;
  /** With `perListing` the lowest; null: nothing matches, or it is not known */
  value: number | null;
  /** GPUs of the offer of that value, rented together; null: it is of no offer */
  numGpus: number | null;
  /** Machines with a matching offer in that book */
  machines: number;
  /** Percentile of the value in its pool, if the rule uses it */
  percentile: number | null;
  /** Whether a rule created now would fire with this book */
  fires: boolean;
}
export interface BacktestAnswerMarket {
  market: string;
  books: number;
  now: BacktestAnswerMarketNow | null;
}
export interface BacktestAnswerMarketNow {
  /** The newest book of the range */
  at: string;
  /** With `perListing` the lowest; null: nothing matches, or it is not known */
  value: number | null;
  /** GPUs of the offer of that value, rented together; null: it is of no offer */
  numGpus: number | null;
  /** Machines with a matching offer in that book */
  machines: number;
  /** Percentile of the value in its pool, if the rule uses it */
  percentile: number | null;
  /** Whether a rule created now would fire with this book */
  fires: boolean;
}
export interface BacktestAnswerWatch {
  id: string;
  name: string;
  channelIds: string[];
}
export interface BacktestAnswerFiring {
  market: string;
  at: string;
  bookId: string;
  value: number | null;
  baseline: number | null;
  previous: number | null;
  capped: boolean;
  offer: BacktestAnswerFiringOffer | null;
}
export interface BacktestAnswerFiringOffer {
  listingId: string;
  machineId: number;
  gpuName: string;
  numGpus: number;
  usdPerHour: number | null;
}
export interface BacktestAnswer {
  from: string;
  to: string;
  /** The first of its books; null: there is none */
  firstAt: string | null;
  /** Complete books of the watch in the range */
  books: number;
  /** Unit of its value and threshold; null: it has none */
  unit: string | null;
  /** The current value, with several markets the lowest; null: no book in the range */
  now: BacktestAnswerNow | null;
  /** The same for each market of the watch */
  markets: BacktestAnswerMarket[];
  /** The watch of these offers; null: a rule on them would make it */
  watch: BacktestAnswerWatch | null;
  /** Firings, without those beyond the daily cap */
  count: number;
  firings: BacktestAnswerFiring[];
}
export interface NewTriggerCondition {
  m: number;
  n: number;
}
export interface NewRearmAfter {
  afterMinutes: number;
}
export interface NewQuietHours {
  from: string;
  to: string;
  timeZone?: undefined | string;
}
export interface BacktestDigest {
  cron: string;
  timeZone?: undefined | string;
}
export interface Backtest {
  /** An existing rule, or the fields of one: */
  ruleId?: undefined | string;
  watchId?: undefined | string;
  watch?: undefined | WatchedOffers;
  kind?: undefined | RuleKind;
  /** By kind. Those that compare prices take `metric`: usdPerGpuHour, usdPerHour, usdPerDlperfHour, allInUsdPerHour; usdPerGpuHour unless given */
  params?: undefined | {};
  /** Fires if the condition held in m of the last n complete books. Default: 1 of 1 */
  of?: undefined | NewTriggerCondition;
  /** Default: 0 */
  hysteresisPercent?: undefined | number;
  /** Default: 0 */
  cooldownMinutes?: undefined | number;
  /** When it may fire again. Default: `leave` */
  rearm?: undefined | Rearm | NewRearmAfter;
  /** Alerts in these hours are sent at their end. Default: null */
  quietHours?: undefined | NewQuietHours | null;
  /** Maximum alerts per UTC day. Default: null */
  dailyCap?: undefined | number | null;
  /** When collected alerts are sent as one message. Default: null, each at once */
  digest?: undefined | BacktestDigest | null;
  /**
   * Default: the watch's
   *
   * @maxItems 20
   */
  channelIds?: undefined | string[];
  enabled?: undefined | boolean;
  /** Default: 30 days before `to` */
  from?: undefined | string;
  /** Default: just after the newest book */
  to?: undefined | string;
  /** From the first book, at most a year before `to`; instead of `from` */
  wholeHistory?: undefined | boolean;
}
/** In place of `watchId`: the offers to watch, as in a new rule; nothing is stored */
export interface WatchedOffers {
  /** The market, or a list of several. Default: the configured market */
  market?: undefined | string | string[];
  filters?: undefined | WatchFilters;
  profile?: undefined | UsageProfile;
}
export interface NewRule {
  /** For price rules; not for rules over events */
  watchId?: undefined | string | null;
  /** For price rules, in place of `watchId`: the offers to watch. The rule belongs to the watch with exactly these markets, filters and profile, which is made with it if there is none */
  watch?: undefined | WatchedOffers;
  /** For rules over events. Default: the configured market */
  market?: undefined | string;
  kind: RuleKind;
  /** By kind. Those that compare prices take `metric`: usdPerGpuHour, usdPerHour, usdPerDlperfHour, allInUsdPerHour; usdPerGpuHour unless given */
  params?: undefined | {};
  /** Fires if the condition held in m of the last n complete books. Default: 1 of 1 */
  of?: undefined | NewTriggerCondition;
  /** Default: 0 */
  hysteresisPercent?: undefined | number;
  /** Default: 0 */
  cooldownMinutes?: undefined | number;
  /** When it may fire again. Default: `leave` */
  rearm?: undefined | Rearm | NewRearmAfter;
  /** Alerts in these hours are sent at their end. Default: null */
  quietHours?: undefined | NewQuietHours | null;
  /** Maximum alerts per UTC day. Default: null */
  dailyCap?: undefined | number | null;
  /** When collected alerts are sent as one message. Default: null, each at once */
  digest?: undefined | BacktestDigest | null;
  /**
   * Default: the watch's
   *
   * @maxItems 20
   */
  channelIds?: undefined | string[];
  enabled?: undefined | boolean;
}
export interface RuleChange {
  /** By kind. Those that compare prices take `metric`: usdPerGpuHour, usdPerHour, usdPerDlperfHour, allInUsdPerHour; usdPerGpuHour unless given */
  params?: undefined | {};
  /** Fires if the condition held in m of the last n complete books. Default: 1 of 1 */
  of?: undefined | NewTriggerCondition;
  /** Default: 0 */
  hysteresisPercent?: undefined | number;
  /** Default: 0 */
  cooldownMinutes?: undefined | number;
  /** When it may fire again. Default: `leave` */
  rearm?: undefined | Rearm | NewRearmAfter;
  /** Alerts in these hours are sent at their end. Default: null */
  quietHours?: undefined | NewQuietHours | null;
  /** Maximum alerts per UTC day. Default: null */
  dailyCap?: undefined | number | null;
  /** When collected alerts are sent as one message. Default: null, each at once */
  digest?: undefined | BacktestDigest | null;
  /**
   * Default: the watch's
   *
   * @maxItems 20
   */
  channelIds?: undefined | string[];
  enabled?: undefined | boolean;
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
  /** Why it was not sent: `daily-cap` or `no-channel`; null: it was sent, or waits */
  suppressed: string | null;
  /** Channels to which sending it failed or was refused, by name; empty: it was sent, or waits */
  undeliveredTo: string[];
  /** The newest to each channel; empty: sent to nobody, still held, or no longer kept */
  deliveries: AlertDelivery[];
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
  kind: RuleKind;
  /** null: a rule over events */
  watchId: string | null;
  /** Models that the watch names; empty: all, or no watch */
  gpuNames: string[];
  /** Of the offer that it names; null: it names none */
  listingId: string | null;
  /** Why it was not sent: `daily-cap` or `no-channel`; null: it was sent, or waits */
  suppressed: string | null;
  /** Channels to which sending it failed or was refused, by name; empty: it was sent, or waits */
  undeliveredTo: string[];
}
export interface WatchReportAnswer {
  sent: boolean;
  /** Channels that it is sent to */
  deliveries: number;
  report: WatchReport;
}
export interface WatchReportRequest {
  /** Send it to the channels of the watch now; default: only a preview */
  send?: undefined | boolean;
  /** Format of a preview. Default: `json` */
  format?: undefined | 'json' | 'html' | 'text' | 'md' | 'csv' | 'xlsx';
}
export interface WatchMatchesMarket {
  market: string;
  observedAt: string | null;
  bookVerdict: BookVerdict | null;
  offers: number;
  gpus: number;
  machines: number;
  /** Days before the newest book on which something matched */
  daysOfLast30: number;
}
export interface WatchMatches {
  observedAt: string | null;
  bookVerdict: BookVerdict | null;
  offers: number;
  gpus: number;
  machines: number;
  /** Days before the newest book on which something matched */
  daysOfLast30: number;
  /** Each market separately */
  markets: WatchMatchesMarket[];
}
export interface StandingOrders {
  items: StandingOrder[];
  nextCursor: string | null;
}
export interface StandingOrder {
  id: string;
  market: string;
  name: string;
  state: OrderState;
  reason: string | null;
  /** null: a fitting offer, or it is not armed */
  waitingFor:
    'rentals' | 'bids' | 'actions' | 'budget' | 'stale-data' | 'partial-book' | 'guard' | 'market' | null;
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
  /** null: not run with these fields */
  dryRun: OrderDryRun | null;
  attempts: StandingOrderAttempt[];
}
export interface OrderDryRun {
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
  state: OrderState | null;
  rents: OrderDryRunRent[];
  /** How long past bids as high as the first bid of each choice that bids have lasted */
  bidChances: OrderDryRunBidChance[];
}
export interface OrderDryRunRent {
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
  /** The first bid, without the disk; null: on demand */
  bidUsdPerHour: number | null;
}
export interface OrderDryRunBidChance {
  /** From 0 */
  choice: number;
  hours: number;
  /** How far above the minimum bid the bids counted were */
  raisePercent: number;
  status: SampleStatus;
  /** Of them not outbid in that time, 0 to 1; null: too few */
  share: number | null;
  bids: number;
  cases: number;
  unknown: number;
}
export interface StandingOrderAttempt {
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
    | 'open'
    | 'held'
    | 'rented'
    | 'given-up'
    | 'refused'
    | 'not-rented'
    | 'offer-gone'
    | 'above-price'
    | 'not-rentable';
  reason: string | null;
  /** The newest bid, the whole machine without its disk; null: on demand */
  bidUsdPerHour: string | null;
  rentalId: string | null;
  instanceId: number | null;
  rentalState: string | null;
}
export interface NewOrder {
  name: string;
  /** Machines wanted */
  count?: undefined | number;
  /** It expires then */
  endsAt: string;
  /** What its machines may commit; needs `maxHours` and `endAction` `destroy` */
  budgetUsd?: undefined | string | null;
  /**
   * In order of preference
   *
   * @minItems 1
   * @maxItems 10
   */
  choices: OrderChoice[];
  request: OrderRequest;
  /**
   * Where its messages go; empty: the channels of the first choice's watch
   *
   * @maxItems 20
   */
  channelIds?: undefined | string[];
}
export interface OrderChoice {
  /** The watch whose offers fit */
  watchId: string;
  /** Max price per GPU, with the disk of the request */
  maxUsdPerGpuHour?: undefined | number;
  /** Max percentile of the listed price, as in verdicts */
  maxPercentile?: undefined | OrderChoiceMaxPercentile;
  /** The model's like-for-like index has clearly fallen by at least this; for watches of models */
  minIndexFall?: undefined | OrderChoiceMinIndexFall;
  /** Bids for interruptible offers, at most `maxUsdPerGpuHour`; without it on-demand offers fit */
  bid?: undefined | OrderChoiceBid;
}
export interface OrderChoiceMaxPercentile {
  percentile: number;
  days: PercentileDays;
}
export interface OrderChoiceMinIndexFall {
  percent: number;
  days: 1 | 7 | 27;
}
export interface OrderChoiceBid {
  /** The first bid, percent above the offer's minimum bid */
  abovePercent?: undefined | number;
  /** Raise of a bid that is outbid, percent */
  stepPercent?: undefined | number;
  /** When the highest bid is outbid: wait until it wins again, or destroy the instance as soon as another offer fits */
  whenOutbid?: undefined | 'wait' | 'replace';
}
/** What each machine is rented with; the label defaults to the name */
export interface OrderRequest {
  image?: undefined | string;
  templateHashId?: undefined | string;
  /** Fixed at creation; the quote is for this size */
  diskGb: number;
  /** Values by name; a port mapping is the key `-p host:container` with the value `1` */
  env?: undefined | {
    [k: string]: string;
  };
  onstart?: undefined | string;
  args?: undefined | string;
  runtype?: undefined | RunType;
  label?: undefined | string;
  costCenter?: undefined | string;
  /** Hours from the start of the rental; then `endAction` */
  maxHours?: undefined | number;
  /** What happens at a limit; default `stop` */
  endAction?: undefined | EndAction;
  /** Minutes after which it has failed to start; default 20 */
  provisionMinutes?: undefined | number;
}
export interface TriedOrder {
  name?: undefined | string;
  /** Machines wanted */
  count?: undefined | number;
  /** It expires then */
  endsAt: string;
  /** What its machines may commit; needs `maxHours` and `endAction` `destroy` */
  budgetUsd?: undefined | string | null;
  /**
   * In order of preference
   *
   * @minItems 1
   * @maxItems 10
   */
  choices: OrderChoice[];
  request: OrderRequest;
  /**
   * Where its messages go; empty: the channels of the first choice's watch
   *
   * @maxItems 20
   */
  channelIds?: undefined | string[];
  from?: undefined | string;
  to?: undefined | string;
}
export interface OrderChange {
  name?: undefined | string;
  /** Machines wanted */
  count?: undefined | number;
  /** It expires then */
  endsAt?: undefined | string;
  /** What its machines may commit; needs `maxHours` and `endAction` `destroy` */
  budgetUsd?: undefined | string | null;
  /**
   * In order of preference
   *
   * @minItems 1
   * @maxItems 10
   */
  choices?: undefined | OrderChoice[];
  request?: undefined | OrderRequest;
  /**
   * Where its messages go; empty: the channels of the first choice's watch
   *
   * @maxItems 20
   */
  channelIds?: undefined | string[];
}
/** Default: as long as the order has left, from a day to 30 days, until the newest book */
export interface DryRunRange {
  from?: undefined | string;
  to?: undefined | string;
}
export interface Login {
  token: string;
}
export interface GetStatusParams {
  /** Name of the market; default: the configured one */
  market?: undefined | string;
}
export interface RetryFailedJobParams {
  id: string;
}
export interface DismissFailedJobParams {
  id: string;
}
export interface GetTrendsParams {
  /** Name of a market; repeatable, to compare several; default: the configured one */
  market?: undefined | string[];
  /** GPU model as the market spells it; repeatable */
  gpuName?: undefined | string[];
  /** Pricing type; repeatable; default `on-demand` */
  type?: undefined | PricingType[];
  metric?: undefined | TrendMetric & string;
  bucket?: undefined | 'auto' | 'book' | '1h' | '1d' | '1w';
  /** Inclusive: an instant with its zone, or a date. Default: 30 days before `to` */
  from?: undefined | string;
  /** Exclusive: an instant with its zone, or a date. Default: just after the newest book */
  to?: undefined | string;
  /** Time zone of dates */
  timeZone?: undefined | string;
  /** Offers of these verification tiers; repeatable */
  verification?: undefined | VerificationTier[];
  /** Offers of this many GPUs; repeatable */
  numGpus?: undefined | number[];
  /** Offers whose price for the whole machine, with the profile's storage, is at most this, USD/hour */
  maxUsdPerHour?: undefined | number;
  /** Offers at least this reliable, 0 to 1; `98` and `98%` are read as 0.98 */
  minReliability?: undefined | number;
  /** Offers with at least this much VRAM per GPU, in GB of 1000 MB: a 24 GB card, listed with 24,564 MB, counts as 24 */
  minVramGb?: undefined | number;
  /** Offers with at least this much disk, GB */
  minDiskGb?: undefined | number;
  /** Offers that support this CUDA version or newer */
  minCuda?: undefined | number;
  /** Offers with at least this download speed, in the unit of the listing */
  minInetDown?: undefined | number;
  /** Offers with at least this upload speed, in the unit of the listing */
  minInetUp?: undefined | number;
  /** Offers in these countries: codes of two letters or English names, such as `DE` or `Germany`; repeatable */
  country?: undefined | string[];
  /** Offers in a datacenter or not */
  datacenter?: undefined | boolean;
  /** Offers with a static IP address or not */
  staticIp?: undefined | boolean;
  /** Offers of these machines; repeatable */
  machineId?: undefined | number[];
  /** Offers of these hosts; repeatable */
  hostId?: undefined | number[];
  /** Offers not of these verification tiers; repeatable */
  excludeVerification?: undefined | VerificationTier[];
  /** Offers not of these machines; repeatable */
  excludeMachineId?: undefined | number[];
  /** Offers not of these hosts; repeatable */
  excludeHostId?: undefined | number[];
  /** Disk, GB */
  storageGb?: undefined | number;
  /** Total download, GB */
  downGb?: undefined | number;
  /** Total upload, GB */
  upGb?: undefined | number;
  /** Hours running */
  runningHours?: undefined | number;
  /** Hours stopped, when only the disk costs */
  stoppedHours?: undefined | number;
}
export interface GetRankingsParams {
  by?: undefined | RankingMetric & string;
  /** Column to sort the ranked offers by; unknown values come last */
  sort?: undefined
    | 'rank'
    | 'gpuName'
    | 'numGpus'
    | 'market'
    | 'machineId'
    | 'usdPerHour'
    | 'usdPerGpuHour'
    | 'allInUsdPerHour'
    | 'verdict'
    | 'dlperf'
    | 'gpuRamMb'
    | 'cpuName'
    | 'cpuCores'
    | 'cpuRamMb'
    | 'diskSpaceGb'
    | 'inetDown'
    | 'inetUp'
    | 'inetDownUsdPerGb'
    | 'inetUpUsdPerGb'
    | 'maxDurationHours'
    | 'reliability'
    | 'verification'
    | 'country';
  order?: undefined | Order & string;
  /** List offers of deverified machines after all others */
  deverifiedLast?: undefined | boolean;
  /** List offers with an outlier price after all others */
  outliersLast?: undefined | boolean;
  /** List offers that the host ends before the `runningHours` of the usage profile after all others */
  endingLast?: undefined | boolean;
  /** Name of a market; repeatable, to compare several; default: the configured one */
  market?: undefined | string[];
  /** GPU model as the market spells it; repeatable */
  gpuName?: undefined | string[];
  /** Pricing type; repeatable; default `on-demand` */
  type?: undefined | PricingType[];
  /** Offers of these verification tiers; repeatable */
  verification?: undefined | VerificationTier[];
  /** Offers of this many GPUs; repeatable */
  numGpus?: undefined | number[];
  /** Offers whose price for the whole machine, with the profile's storage, is at most this, USD/hour */
  maxUsdPerHour?: undefined | number;
  /** Offers at least this reliable, 0 to 1; `98` and `98%` are read as 0.98 */
  minReliability?: undefined | number;
  /** Offers with at least this much VRAM per GPU, in GB of 1000 MB: a 24 GB card, listed with 24,564 MB, counts as 24 */
  minVramGb?: undefined | number;
  /** Offers with at least this much disk, GB */
  minDiskGb?: undefined | number;
  /** Offers that support this CUDA version or newer */
  minCuda?: undefined | number;
  /** Offers with at least this download speed, in the unit of the listing */
  minInetDown?: undefined | number;
  /** Offers with at least this upload speed, in the unit of the listing */
  minInetUp?: undefined | number;
  /** Offers in these countries: codes of two letters or English names, such as `DE` or `Germany`; repeatable */
  country?: undefined | string[];
  /** Offers in a datacenter or not */
  datacenter?: undefined | boolean;
  /** Offers with a static IP address or not */
  staticIp?: undefined | boolean;
  /** Offers of these machines; repeatable */
  machineId?: undefined | number[];
  /** Offers of these hosts; repeatable */
  hostId?: undefined | number[];
  /** Offers not of these verification tiers; repeatable */
  excludeVerification?: undefined | VerificationTier[];
  /** Offers not of these machines; repeatable */
  excludeMachineId?: undefined | number[];
  /** Offers not of these hosts; repeatable */
  excludeHostId?: undefined | number[];
  /** Disk, GB */
  storageGb?: undefined | number;
  /** Total download, GB */
  downGb?: undefined | number;
  /** Total upload, GB */
  upGb?: undefined | number;
  /** Hours running */
  runningHours?: undefined | number;
  /** Hours stopped, when only the disk costs */
  stoppedHours?: undefined | number;
  /** Items per page */
  limit?: undefined | number;
  /** `nextCursor` of the previous page; the other parameters must stay the same */
  cursor?: undefined | string;
}
export interface ListRankingGroupsParams {
  by?: undefined | RankingMetric & string;
  /** Repeatable; default both */
  groupBy?: undefined | ('gpuName' | 'country')[];
  /** Name of a market; repeatable, to compare several; default: the configured one */
  market?: undefined | string[];
  /** GPU model as the market spells it; repeatable */
  gpuName?: undefined | string[];
  /** Pricing type; repeatable; default `on-demand` */
  type?: undefined | PricingType[];
  /** Offers of these verification tiers; repeatable */
  verification?: undefined | VerificationTier[];
  /** Offers of this many GPUs; repeatable */
  numGpus?: undefined | number[];
  /** Offers whose price for the whole machine, with the profile's storage, is at most this, USD/hour */
  maxUsdPerHour?: undefined | number;
  /** Offers at least this reliable, 0 to 1; `98` and `98%` are read as 0.98 */
  minReliability?: undefined | number;
  /** Offers with at least this much VRAM per GPU, in GB of 1000 MB: a 24 GB card, listed with 24,564 MB, counts as 24 */
  minVramGb?: undefined | number;
  /** Offers with at least this much disk, GB */
  minDiskGb?: undefined | number;
  /** Offers that support this CUDA version or newer */
  minCuda?: undefined | number;
  /** Offers with at least this download speed, in the unit of the listing */
  minInetDown?: undefined | number;
  /** Offers with at least this upload speed, in the unit of the listing */
  minInetUp?: undefined | number;
  /** Offers in these countries: codes of two letters or English names, such as `DE` or `Germany`; repeatable */
  country?: undefined | string[];
  /** Offers in a datacenter or not */
  datacenter?: undefined | boolean;
  /** Offers with a static IP address or not */
  staticIp?: undefined | boolean;
  /** Offers of these machines; repeatable */
  machineId?: undefined | number[];
  /** Offers of these hosts; repeatable */
  hostId?: undefined | number[];
  /** Offers not of these verification tiers; repeatable */
  excludeVerification?: undefined | VerificationTier[];
  /** Offers not of these machines; repeatable */
  excludeMachineId?: undefined | number[];
  /** Offers not of these hosts; repeatable */
  excludeHostId?: undefined | number[];
  /** Disk, GB */
  storageGb?: undefined | number;
  /** Total download, GB */
  downGb?: undefined | number;
  /** Total upload, GB */
  upGb?: undefined | number;
  /** Hours running */
  runningHours?: undefined | number;
  /** Hours stopped, when only the disk costs */
  stoppedHours?: undefined | number;
}
export interface ListOffersParams {
  /** Name of a market; repeatable, to compare several; default: the configured one */
  market?: undefined | string[];
  /** GPU model as the market spells it; repeatable */
  gpuName?: undefined | string[];
  /** Pricing type; repeatable; default `on-demand` */
  type?: undefined | PricingType[];
  /** Offers of these verification tiers; repeatable */
  verification?: undefined | VerificationTier[];
  /** Offers of this many GPUs; repeatable */
  numGpus?: undefined | number[];
  /** Offers whose price for the whole machine, with the profile's storage, is at most this, USD/hour */
  maxUsdPerHour?: undefined | number;
  /** Offers at least this reliable, 0 to 1; `98` and `98%` are read as 0.98 */
  minReliability?: undefined | number;
  /** Offers with at least this much VRAM per GPU, in GB of 1000 MB: a 24 GB card, listed with 24,564 MB, counts as 24 */
  minVramGb?: undefined | number;
  /** Offers with at least this much disk, GB */
  minDiskGb?: undefined | number;
  /** Offers that support this CUDA version or newer */
  minCuda?: undefined | number;
  /** Offers with at least this download speed, in the unit of the listing */
  minInetDown?: undefined | number;
  /** Offers with at least this upload speed, in the unit of the listing */
  minInetUp?: undefined | number;
  /** Offers in these countries: codes of two letters or English names, such as `DE` or `Germany`; repeatable */
  country?: undefined | string[];
  /** Offers in a datacenter or not */
  datacenter?: undefined | boolean;
  /** Offers with a static IP address or not */
  staticIp?: undefined | boolean;
  /** Offers of these machines; repeatable */
  machineId?: undefined | number[];
  /** Offers of these hosts; repeatable */
  hostId?: undefined | number[];
  /** Offers not of these verification tiers; repeatable */
  excludeVerification?: undefined | VerificationTier[];
  /** Offers not of these machines; repeatable */
  excludeMachineId?: undefined | number[];
  /** Offers not of these hosts; repeatable */
  excludeHostId?: undefined | number[];
  /** Disk, GB */
  storageGb?: undefined | number;
  /** Total download, GB */
  downGb?: undefined | number;
  /** Total upload, GB */
  upGb?: undefined | number;
  /** Hours running */
  runningHours?: undefined | number;
  /** Hours stopped, when only the disk costs */
  stoppedHours?: undefined | number;
  /** Items per page */
  limit?: undefined | number;
  /** `nextCursor` of the previous page; the other parameters must stay the same */
  cursor?: undefined | string;
}
export interface GetListingParams {
  id: string;
}
export interface GetListingHistoryParams {
  id: string;
  /** Inclusive: an instant with its zone, or a date. Default: 30 days before `to` */
  from?: undefined | string;
  /** Exclusive: an instant with its zone, or a date. Default: just after the newest book */
  to?: undefined | string;
  /** Time zone of dates */
  timeZone?: undefined | string;
  /** Disk, GB */
  storageGb?: undefined | number;
  /** Total download, GB */
  downGb?: undefined | number;
  /** Total upload, GB */
  upGb?: undefined | number;
  /** Hours running */
  runningHours?: undefined | number;
  /** Hours stopped, when only the disk costs */
  stoppedHours?: undefined | number;
}
export interface GetMarketOverviewParams {
  /** Name of a market; repeatable, to compare several; default: the configured one */
  market?: undefined | string[];
  /** Pricing type */
  type?: undefined | PricingType & string;
}
export interface ExplainFigureParams {
  /** The kind of figure */
  of:
    | 'book'
    | 'ranking'
    | 'bucket'
    | 'verdict'
    | 'index'
    | 'change'
    | 'forecast'
    | 'wait'
    | 'listing'
    | 'lowest'
    | 'timing'
    | 'bid-spread'
    | 'list-price'
    | 'week'
    | 'volatility'
    | 'range'
    | 'supply'
    | 'vs-market'
    | 'balance'
    | 'budget'
    | 'projection'
    | 'instance'
    | 'adjustment'
    | 'difference'
    | 'spend';
  /** A point's `t`; of verdicts and rankings there is none */
  at?: undefined | string;
  /** Of `bucket` */
  bucket?: undefined | '1h' | '1d' | '1w';
  /** Of books and buckets */
  metric?: undefined | TrendMetric & string;
  /** Of rankings */
  by?: undefined | RankingMetric & string;
  /** Of rankings, verdicts and listings */
  listingId?: undefined | string;
  /** Of verdicts 7, 30 or 90, of changes 1, 7 or 27, of forecasts 1, 7 or 30 */
  days?: undefined | '1' | '7' | '27' | '30' | '90';
  /** Of forecasts */
  forecastOf?: undefined | ForecastMetric & string;
  /** Of `wait`: hours until the work must begin */
  hours?: undefined | number;
  /** Which rows to list */
  rows?: undefined | 'taken' | 'rejected';
  /** Name of a market; repeatable, to compare several; default: the configured one */
  market?: undefined | string[];
  /** GPU model as the market spells it; repeatable */
  gpuName?: undefined | string[];
  /** Pricing type; repeatable; default `on-demand` */
  type?: undefined | PricingType[];
  /** Offers of these verification tiers; repeatable */
  verification?: undefined | VerificationTier[];
  /** Offers of this many GPUs; repeatable */
  numGpus?: undefined | number[];
  /** Offers whose price for the whole machine, with the profile's storage, is at most this, USD/hour */
  maxUsdPerHour?: undefined | number;
  /** Offers at least this reliable, 0 to 1; `98` and `98%` are read as 0.98 */
  minReliability?: undefined | number;
  /** Offers with at least this much VRAM per GPU, in GB of 1000 MB: a 24 GB card, listed with 24,564 MB, counts as 24 */
  minVramGb?: undefined | number;
  /** Offers with at least this much disk, GB */
  minDiskGb?: undefined | number;
  /** Offers that support this CUDA version or newer */
  minCuda?: undefined | number;
  /** Offers with at least this download speed, in the unit of the listing */
  minInetDown?: undefined | number;
  /** Offers with at least this upload speed, in the unit of the listing */
  minInetUp?: undefined | number;
  /** Offers in these countries: codes of two letters or English names, such as `DE` or `Germany`; repeatable */
  country?: undefined | string[];
  /** Offers in a datacenter or not */
  datacenter?: undefined | boolean;
  /** Offers with a static IP address or not */
  staticIp?: undefined | boolean;
  /** Offers of these machines; repeatable */
  machineId?: undefined | number[];
  /** Offers of these hosts; repeatable */
  hostId?: undefined | number[];
  /** Offers not of these verification tiers; repeatable */
  excludeVerification?: undefined | VerificationTier[];
  /** Offers not of these machines; repeatable */
  excludeMachineId?: undefined | number[];
  /** Offers not of these hosts; repeatable */
  excludeHostId?: undefined | number[];
  /** Disk, GB */
  storageGb?: undefined | number;
  /** Total download, GB */
  downGb?: undefined | number;
  /** Total upload, GB */
  upGb?: undefined | number;
  /** Hours running */
  runningHours?: undefined | number;
  /** Hours stopped, when only the disk costs */
  stoppedHours?: undefined | number;
  /** Items per page */
  limit?: undefined | number;
  /** `nextCursor` of the previous page; the other parameters must stay the same */
  cursor?: undefined | string;
  /** Of `week`: 1 is Monday; with `hour`, default: the cheapest */
  weekday?: undefined | number;
  /** Of `week`: 0 to 23 */
  hour?: undefined | number;
  /** Inclusive: an instant with its zone, or a date. Default: the month before the one that `to` ends */
  from?: undefined | string;
  /** Exclusive: an instant with its zone, or a date. Default: the end of the current month */
  to?: undefined | string;
  /** Time zone of days, weeks, months and dates */
  timeZone?: undefined | string;
  /** Answer with what was known then: an instant with its zone. Default: now */
  asOf?: undefined | string;
  /** Of spend: with `key` */
  groupBy?: undefined | SpendGrouping;
  /** Of spend: the value of `groupBy`; empty: entries without one */
  key?: undefined | string;
  /** Of spend: with `subkey` */
  stackBy?: undefined | SpendGrouping;
  /** Of spend: the value of `stackBy`; empty: entries without one */
  subkey?: undefined | string;
  /** Of spend; default: all */
  category?: undefined | SpendCategory;
  /** Of spend; default: both */
  basis?: undefined | SpendBasis;
  /** Of `vs-market`: the instance's `source`; default: all, at the cheapest cloud */
  source?: undefined | string;
  /** Of `budget` */
  budgetId?: undefined | string;
  /** Of `instance`; default: all of them */
  instanceId?: undefined | number;
  /** Of `difference` */
  kind?: undefined | SpendDifferenceKind;
  /** Of `difference` */
  subject?: undefined | string;
  /** Of `adjustment`: a closed month of the range */
  month?: undefined | string;
}
export interface GetPatternsParams {
  /** Name of a market; repeatable, to compare several; default: the configured one */
  market?: undefined | string[];
  /** GPU model as the market spells it */
  gpuName: string;
  /** Pricing type */
  type?: undefined | PricingType & string;
  /** Budget for a whole machine with the profile's storage, USD/hour */
  budgetUsdPerHour?: undefined | number;
  /** Inclusive: an instant with its zone, or a date. Default: 30 days before `to` */
  from?: undefined | string;
  /** Exclusive: an instant with its zone, or a date. Default: just after the newest book */
  to?: undefined | string;
  /** Time zone of dates */
  timeZone?: undefined | string;
  /** Offers of these verification tiers; repeatable */
  verification?: undefined | VerificationTier[];
  /** Offers of this many GPUs; repeatable */
  numGpus?: undefined | number[];
  /** Offers whose price for the whole machine, with the profile's storage, is at most this, USD/hour */
  maxUsdPerHour?: undefined | number;
  /** Offers at least this reliable, 0 to 1; `98` and `98%` are read as 0.98 */
  minReliability?: undefined | number;
  /** Offers with at least this much VRAM per GPU, in GB of 1000 MB: a 24 GB card, listed with 24,564 MB, counts as 24 */
  minVramGb?: undefined | number;
  /** Offers with at least this much disk, GB */
  minDiskGb?: undefined | number;
  /** Offers that support this CUDA version or newer */
  minCuda?: undefined | number;
  /** Offers with at least this download speed, in the unit of the listing */
  minInetDown?: undefined | number;
  /** Offers with at least this upload speed, in the unit of the listing */
  minInetUp?: undefined | number;
  /** Offers in these countries: codes of two letters or English names, such as `DE` or `Germany`; repeatable */
  country?: undefined | string[];
  /** Offers in a datacenter or not */
  datacenter?: undefined | boolean;
  /** Offers with a static IP address or not */
  staticIp?: undefined | boolean;
  /** Offers of these machines; repeatable */
  machineId?: undefined | number[];
  /** Offers of these hosts; repeatable */
  hostId?: undefined | number[];
  /** Offers not of these verification tiers; repeatable */
  excludeVerification?: undefined | VerificationTier[];
  /** Offers not of these machines; repeatable */
  excludeMachineId?: undefined | number[];
  /** Offers not of these hosts; repeatable */
  excludeHostId?: undefined | number[];
  /** Disk, GB */
  storageGb?: undefined | number;
  /** Total download, GB */
  downGb?: undefined | number;
  /** Total upload, GB */
  upGb?: undefined | number;
  /** Hours running */
  runningHours?: undefined | number;
  /** Hours stopped, when only the disk costs */
  stoppedHours?: undefined | number;
}
export interface GetPriceIndexParams {
  /** Name of a market; repeatable, to compare several; default: the configured one */
  market?: undefined | string[];
  /** GPU model as the market spells it; repeatable */
  gpuName?: undefined | string[];
  /** Pricing type; repeatable; default `on-demand` */
  type?: undefined | PricingType[];
  /** Inclusive: an instant with its zone, or a date. Default: 30 days before `to` */
  from?: undefined | string;
  /** Exclusive: an instant with its zone, or a date. Default: just after the newest book */
  to?: undefined | string;
  /** Time zone of dates */
  timeZone?: undefined | string;
  /** Also return levels relative to a day that all series have, with bands of two standard errors */
  rebase?: undefined | boolean;
}
export interface GetForecastParams {
  /** Name of a market; repeatable, to compare several; default: the configured one */
  market?: undefined | string[];
  /** GPU model as the market spells it; repeatable */
  gpuName?: undefined | string[];
  /** Pricing type; repeatable; default `on-demand` */
  type?: undefined | PricingType[];
  /** `median`: the median price per GPU; `index`: prices like for like, for named models */
  metric?: undefined | ForecastMetric & string;
}
export interface GetWaitOrRentParams {
  /** Name of a market; repeatable, to compare several; default: the configured one */
  market?: undefined | string[];
  /** GPU model as the market spells it; repeatable */
  gpuName?: undefined | string[];
  /** Pricing type */
  type?: undefined | PricingType & string;
  /** Hours until the work must begin */
  hours?: undefined | number;
  /** Offers of these verification tiers; repeatable */
  verification?: undefined | VerificationTier[];
  /** Offers of this many GPUs; repeatable */
  numGpus?: undefined | number[];
  /** Offers whose price for the whole machine, with the profile's storage, is at most this, USD/hour */
  maxUsdPerHour?: undefined | number;
  /** Offers at least this reliable, 0 to 1; `98` and `98%` are read as 0.98 */
  minReliability?: undefined | number;
  /** Offers with at least this much VRAM per GPU, in GB of 1000 MB: a 24 GB card, listed with 24,564 MB, counts as 24 */
  minVramGb?: undefined | number;
  /** Offers with at least this much disk, GB */
  minDiskGb?: undefined | number;
  /** Offers that support this CUDA version or newer */
  minCuda?: undefined | number;
  /** Offers with at least this download speed, in the unit of the listing */
  minInetDown?: undefined | number;
  /** Offers with at least this upload speed, in the unit of the listing */
  minInetUp?: undefined | number;
  /** Offers in these countries: codes of two letters or English names, such as `DE` or `Germany`; repeatable */
  country?: undefined | string[];
  /** Offers in a datacenter or not */
  datacenter?: undefined | boolean;
  /** Offers with a static IP address or not */
  staticIp?: undefined | boolean;
  /** Offers of these machines; repeatable */
  machineId?: undefined | number[];
  /** Offers of these hosts; repeatable */
  hostId?: undefined | number[];
  /** Offers not of these verification tiers; repeatable */
  excludeVerification?: undefined | VerificationTier[];
  /** Offers not of these machines; repeatable */
  excludeMachineId?: undefined | number[];
  /** Offers not of these hosts; repeatable */
  excludeHostId?: undefined | number[];
  /** Disk, GB */
  storageGb?: undefined | number;
  /** Total download, GB */
  downGb?: undefined | number;
  /** Total upload, GB */
  upGb?: undefined | number;
  /** Hours running */
  runningHours?: undefined | number;
  /** Hours stopped, when only the disk costs */
  stoppedHours?: undefined | number;
}
export interface ListLowestVerdictsParams {
  /** Name of a market; repeatable, to compare several; default: the configured one */
  market?: undefined | string[];
  /** GPU model as the market spells it; repeatable; default: the model with the most GPUs listed */
  gpuName?: undefined | string[];
  /** Pricing type; repeatable; default `on-demand` */
  type?: undefined | PricingType[];
  /** Offers of these verification tiers; repeatable */
  verification?: undefined | VerificationTier[];
  /** Offers of this many GPUs; repeatable */
  numGpus?: undefined | number[];
  /** Offers whose price for the whole machine, with the profile's storage, is at most this, USD/hour */
  maxUsdPerHour?: undefined | number;
  /** Offers at least this reliable, 0 to 1; `98` and `98%` are read as 0.98 */
  minReliability?: undefined | number;
  /** Offers with at least this much VRAM per GPU, in GB of 1000 MB: a 24 GB card, listed with 24,564 MB, counts as 24 */
  minVramGb?: undefined | number;
  /** Offers with at least this much disk, GB */
  minDiskGb?: undefined | number;
  /** Offers that support this CUDA version or newer */
  minCuda?: undefined | number;
  /** Offers with at least this download speed, in the unit of the listing */
  minInetDown?: undefined | number;
  /** Offers with at least this upload speed, in the unit of the listing */
  minInetUp?: undefined | number;
  /** Offers in these countries: codes of two letters or English names, such as `DE` or `Germany`; repeatable */
  country?: undefined | string[];
  /** Offers in a datacenter or not */
  datacenter?: undefined | boolean;
  /** Offers with a static IP address or not */
  staticIp?: undefined | boolean;
  /** Offers of these machines; repeatable */
  machineId?: undefined | number[];
  /** Offers of these hosts; repeatable */
  hostId?: undefined | number[];
  /** Offers not of these verification tiers; repeatable */
  excludeVerification?: undefined | VerificationTier[];
  /** Offers not of these machines; repeatable */
  excludeMachineId?: undefined | number[];
  /** Offers not of these hosts; repeatable */
  excludeHostId?: undefined | number[];
  /** Disk, GB */
  storageGb?: undefined | number;
  /** Total download, GB */
  downGb?: undefined | number;
  /** Total upload, GB */
  upGb?: undefined | number;
  /** Hours running */
  runningHours?: undefined | number;
  /** Hours stopped, when only the disk costs */
  stoppedHours?: undefined | number;
}
export interface GetCatalogPricesParams {
  /** Name of a market; repeatable, to compare several; default: the configured one */
  market?: undefined | string[];
  /** GPU model as the market spells it; repeatable */
  gpuName?: undefined | string[];
  /** Pricing type; repeatable; default `on-demand` */
  type?: undefined | PricingType[];
  /** Inclusive: an instant with its zone, or a date. Default: 30 days before `to` */
  from?: undefined | string;
  /** Exclusive: an instant with its zone, or a date. Default: just after the newest book */
  to?: undefined | string;
  /** Time zone of dates */
  timeZone?: undefined | string;
}
export interface DeleteCatalogParams {
  provider: string;
}
export interface ListBlocklistParams {
  /** Name of a market; repeatable, to compare several; default: the configured one */
  market?: undefined | string[];
  /** Only entries of this kind */
  kind?: undefined | BlocklistKind;
  /** Items per page */
  limit?: undefined | number;
  /** `nextCursor` of the previous page; the other parameters must stay the same */
  cursor?: undefined | string;
}
export interface AddBlocklistEntryParams {
  body: NewBlocklistEntry;
}
export interface DeleteBlocklistEntryParams {
  id: string;
}
export interface ListCrawlsParams {
  /** Name of a market; repeatable, to compare several; default: the configured one */
  market?: undefined | string[];
  type?: undefined | PricingType;
  outcome?: undefined | CrawlOutcome;
  /** Items per page */
  limit?: undefined | number;
  /** `nextCursor` of the previous page; the other parameters must stay the same */
  cursor?: undefined | string;
}
export interface StartCrawlParams {
  body?: undefined | CrawlOrder;
}
export interface GetCrawlParams {
  id: string;
}
export interface ListBooksParams {
  /** Name of a market; repeatable, to compare several; default: the configured one */
  market?: undefined | string[];
  /** Items per page */
  limit?: undefined | number;
  /** `nextCursor` of the previous page; the other parameters must stay the same */
  cursor?: undefined | string;
}
export interface DeleteBookParams {
  id: string;
  /** Without `true` the answer says what would be deleted */
  confirm?: undefined | 'true' | 'false';
}
export interface DeleteImportParams {
  file: string;
  /** Name of the market; default: the configured one */
  market?: undefined | string;
  /** Without `true` the answer says what would be deleted */
  confirm?: undefined | 'true' | 'false';
}
export interface DeleteMarketParams {
  name: string;
  /** Without `true` the answer says what would be deleted */
  confirm?: undefined | 'true' | 'false';
}
export interface DeleteOlderParams {
  /** An instant with its zone, or a date (UTC) */
  before: string;
  /** Name of a market; repeatable, to compare several; default: the configured one */
  market?: undefined | string[];
  /** Without `true` the answer says what would be deleted */
  confirm?: undefined | 'true' | 'false';
}
export interface ListWatchesParams {
  /** Name of a market; repeatable, to compare several; default: the configured one */
  market?: undefined | string[];
  /** Items per page */
  limit?: undefined | number;
  /** `nextCursor` of the previous page; the other parameters must stay the same */
  cursor?: undefined | string;
}
export interface CreateWatchParams {
  body: NewWatch;
}
export interface GetWatchParams {
  id: string;
}
export interface UpdateWatchParams {
  id: string;
  body: WatchChange;
}
export interface DeleteWatchParams {
  id: string;
}
export interface GetSpendParams {
  /** Name of the market; default: the configured one */
  market?: undefined | string;
  /** Inclusive: an instant with its zone, or a date. Default: the month before the one that `to` ends */
  from?: undefined | string;
  /** Exclusive: an instant with its zone, or a date. Default: the end of the current month */
  to?: undefined | string;
  /** Time zone of days, weeks, months and dates */
  timeZone?: undefined | string;
  /** Answer with what was known then: an instant with its zone. Default: now */
  asOf?: undefined | string;
  groupBy?: undefined | SpendGrouping & string;
  /** A second grouping within the first */
  stackBy?: undefined | SpendGrouping;
}
export interface ListSpendAdjustmentsParams {
  /** Name of the market; default: the configured one */
  market?: undefined | string;
  /** Inclusive: an instant with its zone, or a date. Default: the month before the one that `to` ends */
  from?: undefined | string;
  /** Exclusive: an instant with its zone, or a date. Default: the end of the current month */
  to?: undefined | string;
  /** Time zone of days, weeks, months and dates */
  timeZone?: undefined | string;
  /** Answer with what was known then: an instant with its zone. Default: now */
  asOf?: undefined | string;
}
export interface ListBalancesParams {
  /** Name of the market; default: the configured one */
  market?: undefined | string;
}
export interface EnterBalanceParams {
  body: NewBalance;
}
export interface DeleteBalanceParams {
  id: string;
}
export interface CompareSpendWithMarketParams {
  /** Name of the market; default: the configured one */
  market?: undefined | string;
  /** Inclusive: an instant with its zone, or a date. Default: the month before the one that `to` ends */
  from?: undefined | string;
  /** Exclusive: an instant with its zone, or a date. Default: the end of the current month */
  to?: undefined | string;
  /** Time zone of days, weeks, months and dates */
  timeZone?: undefined | string;
  /** Answer with what was known then: an instant with its zone. Default: now */
  asOf?: undefined | string;
}
export interface ReconcileSpendParams {
  /** Name of the market; default: the configured one */
  market?: undefined | string;
  /** Inclusive: an instant with its zone, or a date. Default: the month before the one that `to` ends */
  from?: undefined | string;
  /** Exclusive: an instant with its zone, or a date. Default: the end of the current month */
  to?: undefined | string;
  /** Time zone of days, weeks, months and dates */
  timeZone?: undefined | string;
  /** Answer with what was known then: an instant with its zone. Default: now */
  asOf?: undefined | string;
}
export interface ListBudgetsParams {
  /** Name of the market; default: the configured one */
  market?: undefined | string;
}
export interface CreateBudgetParams {
  body: NewBudget;
}
export interface UpdateBudgetParams {
  id: string;
  body: BudgetChange;
}
export interface DeleteBudgetParams {
  id: string;
}
export interface GetSpendProjectionParams {
  /** Name of the market; default: the configured one */
  market?: undefined | string;
  /** Time zone of the month. Default: TZ of the service */
  timeZone?: undefined | string;
}
export interface ExportTableParams {
  file:
    | 'spend.csv'
    | 'spend.xlsx'
    | 'spend.json'
    | 'spend.ndjson'
    | 'spend.parquet'
    | 'spend-summary.csv'
    | 'spend-summary.xlsx'
    | 'spend-summary.json'
    | 'spend-summary.ndjson'
    | 'spend-summary.parquet'
    | 'spend-adjustments.csv'
    | 'spend-adjustments.xlsx'
    | 'spend-adjustments.json'
    | 'spend-adjustments.ndjson'
    | 'spend-adjustments.parquet'
    | 'spend-vs-market.csv'
    | 'spend-vs-market.xlsx'
    | 'spend-vs-market.json'
    | 'spend-vs-market.ndjson'
    | 'spend-vs-market.parquet'
    | 'focus.csv'
    | 'focus.xlsx'
    | 'focus.json'
    | 'focus.ndjson'
    | 'focus.parquet'
    | 'rentals.csv'
    | 'rentals.xlsx'
    | 'rentals.json'
    | 'rentals.ndjson'
    | 'rentals.parquet'
    | 'trends.csv'
    | 'trends.xlsx'
    | 'trends.json'
    | 'trends.ndjson'
    | 'trends.parquet'
    | 'index.csv'
    | 'index.xlsx'
    | 'index.json'
    | 'index.ndjson'
    | 'index.parquet'
    | 'rankings.csv'
    | 'rankings.xlsx'
    | 'rankings.json'
    | 'rankings.ndjson'
    | 'rankings.parquet'
    | 'offers.csv'
    | 'offers.xlsx'
    | 'offers.json'
    | 'offers.ndjson'
    | 'offers.parquet';
  /** Name of a market; repeatable, to compare several; default: the configured one */
  market?: undefined | string[];
  /** Inclusive: an instant with its zone, or a date. Default: the month before the one that `to` ends */
  from?: undefined | string;
  /** Exclusive: an instant with its zone, or a date. Default: the end of the current month */
  to?: undefined | string;
  /** Time zone of days, weeks, months and dates */
  timeZone?: undefined | string;
  /** Answer with what was known then: an instant with its zone. Default: now */
  asOf?: undefined | string;
  groupBy?: undefined | SpendGrouping & string;
  stackBy?: undefined | SpendGrouping;
  /** CSV for spreadsheets in that language: decimal comma and semicolon, local times, byte order mark */
  locale?: undefined | string;
}
export interface ListSheetLinksParams {
  /** Name of a market; repeatable, to compare several; default: the configured one */
  market?: undefined | string[];
}
export interface CreateSheetLinkParams {
  body: SheetLinkRequest;
}
export interface RevokeSheetLinkParams {
  id: string;
}
export interface ReadSheetParams {
  token: string;
  file: string;
}
export interface ListTemplatesParams {
  name?: undefined | string;
  image?: undefined | string;
  /** JSON: conditions in the market's field names, `{"name":{"eq":"trainer"}}` */
  filters?: undefined | string;
  /** Column to sort by, as the market names it */
  orderBy?: undefined | string;
}
export interface CreateTemplateParams {
  body: NewTemplate;
}
export interface UpdateTemplateParams {
  /** Its hash */
  id: string;
  body: TemplateChange;
}
export interface DeleteTemplateParams {
  /** Its number, `templateId` */
  id: number;
}
export interface CreateTokenParams {
  body: NewToken;
}
export interface RevokeTokenParams {
  id: string;
}
export interface CreateQuoteParams {
  body: QuoteRequest;
}
export interface ListInstancesParams {
  /** Name of the market; default: the configured one */
  market?: undefined | string;
}
export interface RentInstanceParams {
  /** A text of your choice, unique per request; required unless `dryRun` */
  idempotencyKey?: undefined | string;
  body: RentRequest;
}
export interface StopInstanceParams {
  id: number;
}
export interface StartInstanceParams {
  id: number;
}
export interface DestroyInstanceParams {
  id: number;
}
export interface UpdateInstanceParams {
  id: number;
  body: InstanceChange;
}
export interface GetInstanceParams {
  id: number;
  /** Name of the market; default: the configured one */
  market?: undefined | string;
}
export interface ListEndedInstancesParams {
  /** Name of the market; default: the configured one */
  market?: undefined | string;
  /** Items per page */
  limit?: undefined | number;
  /** `nextCursor` of the previous page; the other parameters must stay the same */
  cursor?: undefined | string;
  /** Words that all occur in its label, ids, model, machine, host or country, by code or English name */
  search?: undefined | string;
}
export interface RentReplacementParams {
  id: number;
  /** A text of your choice, unique per request; required unless `dryRun` */
  idempotencyKey?: undefined | string;
  body: ReplacementRequest;
}
export interface ExtendInstanceParams {
  id: number;
}
export interface ListRentalsParams {
  /** Name of the market; default: the configured one */
  market?: undefined | string;
  /** Items per page */
  limit?: undefined | number;
  /** `nextCursor` of the previous page; the other parameters must stay the same */
  cursor?: undefined | string;
  /** Only those that may still change */
  open?: undefined | boolean;
}
export interface GetRentalParams {
  id: string;
}
export interface SettleRentalParams {
  id: string;
  body: Settlement;
}
export interface GetMachineRecordParams {
  machineId: number;
  /** Name of the market; default: the configured one */
  market?: undefined | string;
  /** Of the listings */
  type?: undefined | PricingType & string;
}
export interface SwitchActionsParams {
  body: ActionSwitch;
}
export interface ListAuditEntriesParams {
  /** Items per page */
  limit?: undefined | number;
  /** `nextCursor` of the previous page; the other parameters must stay the same */
  cursor?: undefined | string;
  /** Entries of these actions, such as `sign-in`, `create-token` or `rent`; repeatable */
  action?: undefined | string[];
  /** `asc`: oldest first */
  order?: undefined | Order & string;
}
export interface VerifyAuditLogParams {
  /** A hash from an earlier check, which must still exist */
  head?: undefined | string;
}
export interface StreamEventsParams {
  /** Start after this event id, like `Last-Event-ID` */
  after?: undefined | number;
}
export interface CreateVolumeParams {
  body: NewVolume;
}
export interface ListVolumeOffersParams {
  /** Only of this machine */
  machineId?: undefined | number;
}
export interface DeleteVolumeParams {
  id: number;
}
export interface ListChannelsParams {
  /** Items per page */
  limit?: undefined | number;
  /** `nextCursor` of the previous page; the other parameters must stay the same */
  cursor?: undefined | string;
}
export interface CreateChannelParams {
  body: NewChannel;
}
export interface GetChannelParams {
  id: string;
}
export interface UpdateChannelParams {
  id: string;
  body: ChannelChange;
}
export interface DeleteChannelParams {
  id: string;
}
export interface TestChannelParams {
  id: string;
}
export interface ListDeliveriesParams {
  /** Only of this channel */
  channelId?: undefined | string;
  state?: undefined | DeliveryState;
  /** Items per page */
  limit?: undefined | number;
  /** `nextCursor` of the previous page; the other parameters must stay the same */
  cursor?: undefined | string;
}
export interface GetDeliveryParams {
  id: string;
}
export interface ResendDeliveryParams {
  id: string;
}
export interface ReplayDeliveriesParams {
  id: string;
  body: Replay;
}
export interface ListRulesParams {
  /** Name of a market; repeatable, to compare several; default: the configured one */
  market?: undefined | string[];
  watchId?: undefined | string;
  /** Items per page */
  limit?: undefined | number;
  /** `nextCursor` of the previous page; the other parameters must stay the same */
  cursor?: undefined | string;
}
export interface CreateRuleParams {
  body: NewRule;
}
export interface BacktestRuleParams {
  body: Backtest;
}
export interface GetRuleParams {
  id: string;
}
export interface UpdateRuleParams {
  id: string;
  body: RuleChange;
}
export interface DeleteRuleParams {
  id: string;
}
export interface ListRuleAlertsParams {
  id: string;
  /** Items per page */
  limit?: undefined | number;
  /** `nextCursor` of the previous page; the other parameters must stay the same */
  cursor?: undefined | string;
}
export interface ListAlertsParams {
  /** Name of a market; repeatable, to compare several; default: the configured one */
  market?: undefined | string[];
  /** Inclusive: an instant with its zone, or a date. Default: 30 days before `to` */
  from?: undefined | string;
  /** Exclusive: an instant with its zone, or a date. Default: just after the newest book */
  to?: undefined | string;
  /** Time zone of dates */
  timeZone?: undefined | string;
  /** Items per page */
  limit?: undefined | number;
  /** `nextCursor` of the previous page; the other parameters must stay the same */
  cursor?: undefined | string;
}
export interface CreateWatchReportParams {
  id: string;
  body?: undefined | WatchReportRequest;
}
export interface GetWatchMatchesParams {
  id: string;
}
export interface GetRssFeedParams {
  /** Its id or its name */
  watch: string;
  /** A token with the role `feed`; other tokens are accepted in the header only */
  token?: undefined | string;
  /** Name of a market; repeatable, to compare several; default: the configured one */
  market?: undefined | string[];
}
export interface GetAtomFeedParams {
  /** Its id or its name */
  watch: string;
  /** A token with the role `feed`; other tokens are accepted in the header only */
  token?: undefined | string;
  /** Name of a market; repeatable, to compare several; default: the configured one */
  market?: undefined | string[];
}
export interface GetJsonFeedParams {
  /** Its id or its name */
  watch: string;
  /** A token with the role `feed`; other tokens are accepted in the header only */
  token?: undefined | string;
  /** Name of a market; repeatable, to compare several; default: the configured one */
  market?: undefined | string[];
}
export interface ListOrdersParams {
  /** Name of the market; default: the configured one */
  market?: undefined | string;
  /** Items per page */
  limit?: undefined | number;
  /** `nextCursor` of the previous page; the other parameters must stay the same */
  cursor?: undefined | string;
}
export interface CreateOrderParams {
  body: NewOrder;
}
export interface DryRunNewOrderParams {
  body: TriedOrder;
}
export interface GetOrderParams {
  id: string;
}
export interface UpdateOrderParams {
  id: string;
  body: OrderChange;
}
export interface DeleteOrderParams {
  id: string;
}
export interface DryRunOrderParams {
  id: string;
  body: DryRunRange;
}
export interface ArmOrderParams {
  id: string;
}
export interface PauseOrderParams {
  id: string;
}
export interface CreateSessionParams {
  body: Login;
}

/** An operation that takes no parameters. */
export type NoParams = Record<string, never>;

/** What every call takes beside its parameters. */
export interface CallOptions {
  signal?: AbortSignal | null | undefined;
  headers?: Record<string, string> | undefined;
}

/** Values of a query: undefined ones are left out, lists are repeated. */
export type Query = Readonly<
  Record<string, string | number | boolean | readonly (string | number)[] | null | undefined>
>;

/** What a request sends besides its path. */
export interface OpenOptions extends CallOptions {
  query?: Query | undefined;
  /** Sent as JSON. */
  body?: unknown;
}

/** A client of one server. */
export interface Client extends Operations {
  /** Sends a request to a path, for what has no operation. Resolves to the response; rejects as the operations do. */
  open(method: string, path: string, options?: OpenOptions): Promise<Response>;
}

/** Where the server is and what every request has; what else `fetch` takes is passed on. */
export interface ClientOptions extends Omit<RequestInit, 'method' | 'headers' | 'body' | 'signal'> {
  /** @default the page's own origin */
  baseUrl?: string | undefined;
  /** Sent as `Authorization: Bearer …`; null: none. */
  token?: string | null | undefined;
  /** @default the global one */
  fetch?: ((address: string, init: RequestInit) => Promise<Response>) | undefined;
}

/** Creates a client with a function for each operation, named by its `operationId`. Sends nothing by itself. */
export function createClient(options?: ClientOptions): Client;

/** Creates a client with these operations of `operations.js` only, so that a bundler leaves out the others. */
export function createClientOf<Name extends keyof Operations>(
  operations: Record<Name, string>,
  options?: ClientOptions,
): Pick<Client, Name | 'open'>;

/** Returns the path of an operation of `operations.js` with its query, for links and other ways to ask. */
export function pathOf(operation: string, params?: Query): string;

/** An error that the server answered with. */
export class ApiError extends Error {
  constructor(fields: ApiErrorFields, options?: ErrorOptions);
  readonly status: number;
  /** Stable name such as `guard-refused`; null: none. */
  readonly kind: string | null;
  /** The problem details; null: the answer has none. */
  readonly problem: Partial<Problem> | null;
  /** Seconds to wait, as the server requested; null: not stated. */
  readonly retryAfterSeconds: number | null;
}

export interface ApiErrorFields {
  status: number;
  problem: Partial<Problem> | null;
  retryAfterSeconds: number | null;
}

/** A function for each operation of the API. Each rejects with an ApiError for every status but 2xx. */
export interface Operations {
  /** Whether the process answers; no token needed */
  getHealth(params?: NoParams, options?: CallOptions): Promise<Health>;
  /** Whether the database answers and the data is fresh; no token needed */
  getReadiness(params?: NoParams, options?: CallOptions): Promise<Readiness>;
  /** Metrics for Prometheus; while the service listens on loopback, only those of the account need a token */
  getMetrics(params?: NoParams, options?: CallOptions): Promise<Response>;
  /** Market, mode, newest books, last crawls and running work */
  getStatus(params?: GetStatusParams, options?: CallOptions): Promise<Status>;
  /** Failed jobs of the last two weeks, the newest first */
  listFailedJobs(params?: NoParams, options?: CallOptions): Promise<FailedJobs>;
  /** Retry a failed job, with all its attempts; needs the role operator */
  retryFailedJob(params: RetryFailedJobParams, options?: CallOptions): Promise<null>;
  /** Dismiss a failed job; needs the role operator */
  dismissFailedJob(params: DismissFailedJobParams, options?: CallOptions): Promise<null>;
  /** Prices and supply over time */
  getTrends(params?: GetTrendsParams, options?: CallOptions): Promise<Trends>;
  /** Offers of the newest book, the cheapest first */
  getRankings(params?: GetRankingsParams, options?: CallOptions): Promise<Rankings>;
  /** The ranking by model and country: number of offers and range of prices */
  listRankingGroups(params?: ListRankingGroupsParams, options?: CallOptions): Promise<RankingGroups>;
  /** Offers of the newest book, by model and price per GPU */
  listOffers(params?: ListOffersParams, options?: CallOptions): Promise<Offers>;
  /** A listing with its newest offer */
  getListing(params: GetListingParams, options?: CallOptions): Promise<Listing>;
  /** A listing's prices, presence and episodes */
  getListingHistory(params: GetListingHistoryParams, options?: CallOptions): Promise<ListingHistory>;
  /** One row per model: current price, changes, supply, bid spread */
  getMarketOverview(params?: GetMarketOverviewParams, options?: CallOptions): Promise<Market>;
  /** How a figure was computed, what was left out and why, and the figure recomputed */
  explainFigure(params: ExplainFigureParams, options?: CallOptions): Promise<Explanation | FigureExplanation | SpendExplanation>;
  /** When a model is cheap, how much its price moves, and how often a budget was enough */
  getPatterns(params: GetPatternsParams, options?: CallOptions): Promise<Patterns>;
  /** How prices moved like for like, whatever mix of machines was free */
  getPriceIndex(params?: GetPriceIndexParams, options?: CallOptions): Promise<PriceIndex>;
  /** Forecast prices with their errors, if past forecasts beat the last value */
  getForecast(params?: GetForecastParams, options?: CallOptions): Promise<Forecast>;
  /** Whether waiting has paid off in the past, and how long bids have lasted */
  getWaitOrRent(params?: GetWaitOrRentParams, options?: CallOptions): Promise<WaitOrRent>;
  /** How unusual each model's lowest price is now */
  listLowestVerdicts(params?: ListLowestVerdictsParams, options?: CallOptions): Promise<LowestVerdicts>;
  /** Other sellers' catalogs, and what their GPUs are called here */
  listCatalogs(params?: NoParams, options?: CallOptions): Promise<Catalogs>;
  /** The cheapest list price of a model among other sellers, over time */
  getCatalogPrices(params?: GetCatalogPricesParams, options?: CallOptions): Promise<CatalogPrices>;
  /** Delete all list prices of a seller; needs the role admin */
  deleteCatalog(params: DeleteCatalogParams, options?: CallOptions): Promise<null>;
  /** Machines and hosts that are blocked or preferred */
  listBlocklist(params?: ListBlocklistParams, options?: CallOptions): Promise<Blocklist>;
  /** Block or prefer a machine or a host; needs the role operator */
  addBlocklistEntry(params: AddBlocklistEntryParams, options?: CallOptions): Promise<BlocklistEntry>;
  /** Delete an entry; needs the role operator */
  deleteBlocklistEntry(params: DeleteBlocklistEntryParams, options?: CallOptions): Promise<null>;
  /** Crawls with their certificates, the newest first */
  listCrawls(params?: ListCrawlsParams, options?: CallOptions): Promise<Crawls>;
  /** Crawl a market now, ahead of the schedule; needs the role operator */
  startCrawl(params?: StartCrawlParams, options?: CallOptions): Promise<CrawlOrdered>;
  /** One crawl */
  getCrawl(params: GetCrawlParams, options?: CallOptions): Promise<Crawl>;
  /** The markets of the database with their newest books, the default one first */
  listMarkets(params?: NoParams, options?: CallOptions): Promise<StoredMarkets>;
  /** The stored books of markets, the newest first */
  listBooks(params?: ListBooksParams, options?: CallOptions): Promise<Books>;
  /** Delete a book: every figure is then as if it had never existed; needs the role admin */
  deleteBook(params: DeleteBookParams, options?: CallOptions): Promise<DeletedBooks>;
  /** Delete the books that were imported from files of this name; needs the role admin */
  deleteImport(params: DeleteImportParams, options?: CallOptions): Promise<DeletedBooks>;
  /** Delete all books of a market; needs the role admin */
  deleteMarket(params: DeleteMarketParams, options?: CallOptions): Promise<DeletedBooks>;
  /** Delete everything older than a moment, or say what would go; needs the role admin */
  deleteOlder(params: DeleteOlderParams, options?: CallOptions): Promise<DeletedOlder>;
  /** The watches of markets by name */
  listWatches(params?: ListWatchesParams, options?: CallOptions): Promise<Watches>;
  /** Add a watch; needs the role operator */
  createWatch(params: CreateWatchParams, options?: CallOptions): Promise<Watch>;
  /** One watch */
  getWatch(params: GetWatchParams, options?: CallOptions): Promise<Watch>;
  /** Change fields of a watch; needs the role operator */
  updateWatch(params: UpdateWatchParams, options?: CallOptions): Promise<Watch>;
  /** Delete a watch; needs the role operator */
  deleteWatch(params: DeleteWatchParams, options?: CallOptions): Promise<null>;
  /** Spend by group and in total */
  getSpend(params?: GetSpendParams, options?: CallOptions): Promise<Spend>;
  /** What changed in months after they were closed */
  listSpendAdjustments(params?: ListSpendAdjustmentsParams, options?: CallOptions): Promise<SpendAdjustments>;
  /** The entered balances, the newest first, and the current balance */
  listBalances(params?: ListBalancesParams, options?: CallOptions): Promise<Balances>;
  /** Enter a balance as the market shows it; a balance of the same moment is replaced. Needs the role operator */
  enterBalance(params: EnterBalanceParams, options?: CallOptions): Promise<StatementBalance>;
  /** Delete a balance; needs the role operator */
  deleteBalance(params: DeleteBalanceParams, options?: CallOptions): Promise<null>;
  /** Each charged hour compared with the market in that hour */
  compareSpendWithMarket(params?: CompareSpendWithMarketParams, options?: CallOptions): Promise<SpendVsMarket>;
  /** Differences between charges, invoices, entered balances and the ledger, with their reasons */
  reconcileSpend(params?: ReconcileSpendParams, options?: CallOptions): Promise<SpendReconciliation>;
  /** Budgets with this month's spend and projection */
  listBudgets(params?: ListBudgetsParams, options?: CallOptions): Promise<Budgets>;
  /** Set a budget; needs the role operator */
  createBudget(params: CreateBudgetParams, options?: CallOptions): Promise<Budget>;
  /** Change a budget; needs the role operator */
  updateBudget(params: UpdateBudgetParams, options?: CallOptions): Promise<Budget>;
  /** Delete a budget; needs the role operator */
  deleteBudget(params: DeleteBudgetParams, options?: CallOptions): Promise<null>;
  /** This month's spend so far, and at the month's end if the burn rate stays until known ends */
  getSpendProjection(params?: GetSpendProjectionParams, options?: CallOptions): Promise<SpendProjection>;
  /** A whole list as a file: spend, sums, comparison with the market, FOCUS, rentals, trends, rankings, offers */
  exportTable(params: ExportTableParams, options?: CallOptions): Promise<Response>;
  /** Live-sheet links, without their tokens; role operator */
  listSheetLinks(params?: ListSheetLinksParams, options?: CallOptions): Promise<SheetLinks>;
  /** Create a link that spreadsheets can read; role operator */
  createSheetLink(params: CreateSheetLinkParams, options?: CallOptions): Promise<NewSheetLink>;
  /** Revoke a link; role operator */
  revokeSheetLink(params: RevokeSheetLinkParams, options?: CallOptions): Promise<null>;
  /** The CSV of a live-sheet link; needs only its token */
  readSheet(params: ReadSheetParams, options?: CallOptions): Promise<Response>;
  /** The account's own templates and the public ones; needs the role operator */
  listTemplates(params?: ListTemplatesParams, options?: CallOptions): Promise<Templates>;
  /** Create a template; needs the role operator */
  createTemplate(params: CreateTemplateParams, options?: CallOptions): Promise<TemplateMade>;
  /** Change fields of a template, which gives it a new hash; needs the role operator */
  updateTemplate(params: UpdateTemplateParams, options?: CallOptions): Promise<TemplateChanged>;
  /** Delete a template of the account by its number; needs the role operator */
  deleteTemplate(params: DeleteTemplateParams, options?: CallOptions): Promise<null>;
  /** Tokens without their secrets, the newest first; needs the role admin */
  listTokens(params?: NoParams, options?: CallOptions): Promise<Tokens>;
  /** Create a token; needs the role admin */
  createToken(params: CreateTokenParams, options?: CallOptions): Promise<TokenSecret>;
  /** Revoke a token and its sessions; needs the role admin */
  revokeToken(params: RevokeTokenParams, options?: CallOptions): Promise<null>;
  /** What a rental would cost and send, and what would prevent it; nothing is sent */
  createQuote(params: CreateQuoteParams, options?: CallOptions): Promise<Quote>;
  /** The account's instances, whoever rented them, and rentals that are not settled */
  listInstances(params?: ListInstancesParams, options?: CallOptions): Promise<Instances>;
  /** Rent an instance: at most once per key, whatever happens; needs the role operator */
  rentInstance(params: RentInstanceParams, options?: CallOptions): Promise<Rented | Quote>;
  /** Stop an instance; its disk still costs money; needs the role operator */
  stopInstance(params: StopInstanceParams, options?: CallOptions): Promise<InstanceChanged>;
  /** Start an instance again; needs the role operator */
  startInstance(params: StartInstanceParams, options?: CallOptions): Promise<InstanceChanged>;
  /** Destroy an instance and its data; needs the role operator */
  destroyInstance(params: DestroyInstanceParams, options?: CallOptions): Promise<InstanceChanged>;
  /** Change label, cost center, bid or limits; needs the role operator */
  updateInstance(params: UpdateInstanceParams, options?: CallOptions): Promise<LedgerInstance>;
  /** One instance, listed or gone, with its timeline, its machine and an equal one that costs less */
  getInstance(params: GetInstanceParams, options?: CallOptions): Promise<InstanceDetail>;
  /** Instances that ended, whoever rented them, and rentals with which nothing was rented, the newest first */
  listEndedInstances(params?: ListEndedInstancesParams, options?: CallOptions): Promise<EndedInstances>;
  /** Rent an instance again with another offer, for no more than it costs; it stays, and no data is copied; needs the role operator */
  rentReplacement(params: RentReplacementParams, options?: CallOptions): Promise<Rented | Quote>;
  /** Put off the end that `ending` announces; needs the role operator */
  extendInstance(params: ExtendInstanceParams, options?: CallOptions): Promise<LedgerInstance>;
  /** The ledger of rentals, the newest first */
  listRentals(params?: ListRentalsParams, options?: CallOptions): Promise<Rentals>;
  /** One rental with its quote and every state that it has had */
  getRental(params: GetRentalParams, options?: CallOptions): Promise<Rental>;
  /** Decide an unsettled rental; needs the role operator */
  settleRental(params: SettleRentalParams, options?: CallOptions): Promise<null>;
  /** How long the listings of a machine and its host last, and how your own rentals there went */
  getMachineRecord(params: GetMachineRecordParams, options?: CallOptions): Promise<MachineRecord>;
  /** Whether new rentals are allowed, and their limits */
  getActions(params?: NoParams, options?: CallOptions): Promise<Actions>;
  /** Kill switch: stop new rentals in every process, or allow them again; needs the role operator */
  switchActions(params: SwitchActionsParams, options?: CallOptions): Promise<Actions>;
  /** The audit log: sign-ins, tokens, and changes of the account; needs the role admin */
  listAuditEntries(params?: ListAuditEntriesParams, options?: CallOptions): Promise<AuditLog>;
  /** Check that no entry of the audit log was changed; needs the role admin */
  verifyAuditLog(params?: VerifyAuditLogParams, options?: CallOptions): Promise<AuditVerdict>;
  /** Live server-sent events */
  streamEvents(params?: StreamEventsParams, options?: CallOptions): Promise<Response>;
  /** The account's volumes, if the market lists them */
  listVolumes(params?: NoParams, options?: CallOptions): Promise<Volumes>;
  /** Create a volume from a volume offer; it costs money from then on; needs the role operator */
  createVolume(params: CreateVolumeParams, options?: CallOptions): Promise<VolumeMade>;
  /** Storage that machines offer for volumes, if the market lists it */
  listVolumeOffers(params?: ListVolumeOffersParams, options?: CallOptions): Promise<VolumeOffers>;
  /** Delete a volume with its data; needs the role operator */
  deleteVolume(params: DeleteVolumeParams, options?: CallOptions): Promise<null>;
  /** The kinds of channels, with their fields */
  listChannelKinds(params?: NoParams, options?: CallOptions): Promise<ChannelKinds>;
  /** The public key that a browser subscribes with; needs the role admin */
  getPushKey(params?: NoParams, options?: CallOptions): Promise<PushKey>;
  /** Channels by name */
  listChannels(params?: ListChannelsParams, options?: CallOptions): Promise<Channels>;
  /** Add a channel; needs the role admin */
  createChannel(params: CreateChannelParams, options?: CallOptions): Promise<MadeChannel>;
  /** One channel */
  getChannel(params: GetChannelParams, options?: CallOptions): Promise<Channel>;
  /** Change a channel; needs the role admin */
  updateChannel(params: UpdateChannelParams, options?: CallOptions): Promise<Channel>;
  /** Delete a channel with its deliveries; needs the role admin */
  deleteChannel(params: DeleteChannelParams, options?: CallOptions): Promise<null>;
  /** Send a sample now; needs the role operator */
  testChannel(params: TestChannelParams, options?: CallOptions): Promise<ChannelTest>;
  /** Sent and queued deliveries, the newest first */
  listDeliveries(params?: ListDeliveriesParams, options?: CallOptions): Promise<Deliveries>;
  /** One delivery with its notice */
  getDelivery(params: GetDeliveryParams, options?: CallOptions): Promise<WholeDelivery>;
  /** Send an ended delivery again, with the same id; needs the role operator */
  resendDelivery(params: ResendDeliveryParams, options?: CallOptions): Promise<WholeDelivery>;
  /** Send the deliveries of a day again, with the same ids; needs the role operator */
  replayDeliveries(params: ReplayDeliveriesParams, options?: CallOptions): Promise<ReplayAnswer>;
  /** The rules of markets, in the order of creation */
  listRules(params?: ListRulesParams, options?: CallOptions): Promise<Rules>;
  /** Add a rule; needs the role operator */
  createRule(params: CreateRuleParams, options?: CallOptions): Promise<Rule>;
  /** When a rule would have fired */
  backtestRule(params: BacktestRuleParams, options?: CallOptions): Promise<BacktestAnswer>;
  /** One rule */
  getRule(params: GetRuleParams, options?: CallOptions): Promise<Rule>;
  /** Change fields of a rule; needs the role operator */
  updateRule(params: UpdateRuleParams, options?: CallOptions): Promise<Rule>;
  /** Delete a rule with its alerts; needs the role operator */
  deleteRule(params: DeleteRuleParams, options?: CallOptions): Promise<null>;
  /** Alerts of a rule, the newest first */
  listRuleAlerts(params: ListRuleAlertsParams, options?: CallOptions): Promise<Alerts>;
  /** Alerts of all rules in markets, the newest first; default: of the last 30 days */
  listAlerts(params?: ListAlertsParams, options?: CallOptions): Promise<MarketAlerts>;
  /** The cheapest offers of a watch; sending needs the role operator */
  createWatchReport(params: CreateWatchReportParams, options?: CallOptions): Promise<WatchReportAnswer>;
  /** What matches a watch now, and on how many of the last 30 days */
  getWatchMatches(params: GetWatchMatchesParams, options?: CallOptions): Promise<WatchMatches>;
  /** A watch's deals as RSS */
  getRssFeed(params: GetRssFeedParams, options?: CallOptions): Promise<Response>;
  /** A watch's deals as Atom */
  getAtomFeed(params: GetAtomFeedParams, options?: CallOptions): Promise<Response>;
  /** A watch's deals as JSON Feed */
  getJsonFeed(params: GetJsonFeedParams, options?: CallOptions): Promise<Response>;
  /** The standing orders of a market, the oldest first */
  listOrders(params?: ListOrdersParams, options?: CallOptions): Promise<StandingOrders>;
  /** Add a standing order as a draft; needs the role operator */
  createOrder(params: CreateOrderParams, options?: CallOptions): Promise<StandingOrder>;
  /** What an order would have rented over the past; nothing is stored */
  dryRunNewOrder(params: DryRunNewOrderParams, options?: CallOptions): Promise<OrderDryRun>;
  /** One standing order with its attempts */
  getOrder(params: GetOrderParams, options?: CallOptions): Promise<StandingOrder>;
  /** Change fields of an order that is not armed; needs the role operator */
  updateOrder(params: UpdateOrderParams, options?: CallOptions): Promise<StandingOrder>;
  /** Delete an order that is not armed; needs the role operator */
  deleteOrder(params: DeleteOrderParams, options?: CallOptions): Promise<null>;
  /** Run an order over the past, which arming it needs; needs the role operator */
  dryRunOrder(params: DryRunOrderParams, options?: CallOptions): Promise<OrderDryRun>;
  /** Arm an order that had its dry run; needs the role operator */
  armOrder(params: ArmOrderParams, options?: CallOptions): Promise<StandingOrder>;
  /** Pause an armed order: no more rents begin; needs the role operator */
  pauseOrder(params: PauseOrderParams, options?: CallOptions): Promise<StandingOrder>;
  /** Exchange a token for the page's session cookie */
  createSession(params: CreateSessionParams, options?: CallOptions): Promise<null>;
  /** Log out: end the session of the cookie */
  endSession(params?: NoParams, options?: CallOptions): Promise<null>;
}
