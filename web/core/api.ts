import type * as api from '../../client/client.js';

/** The API's responses under the page's names. Times are ISO 8601 UTC; null means unknown. */
export type {
  Actions,
  Alert,
  BidSurvival,
  Budget,
  Budgets,
  CatalogPrices,
  Channel,
  ChannelKind,
  Crawl,
  Delivery,
  FailedJob,
  FigureExplanation,
  Forecast,
  InstanceChange,
  InstanceDetail,
  Instances,
  Listing,
  ListingHistory,
  LowestVerdict,
  LowestVerdicts,
  MachineRecord,
  Market,
  MarketAlert,
  MarketWait,
  NewOrder,
  NewSheetLink,
  Offers,
  OrderChange,
  OrderChoice,
  OrderRequest,
  Patterns,
  PriceChange,
  PriceIndex,
  PriceTiming,
  Quote,
  RankedOffer,
  RankingGroups,
  Rankings,
  Rented,
  RentRequest,
  Rule,
  SheetLink,
  SheetLinkRequest,
  Spend,
  SpendProjection,
  StandingOrder,
  Status,
  StoredMarket,
  StoredMarkets,
  SupplyPoint,
  Template,
  Token,
  TrendPoint,
  Trends,
  TriedOrder,
  Volume,
  VolumeOffer,
  WaitOrRent,
  Watch,
} from '../../client/client.js';

export type PricingType = api.Status['types'][number];
/** A parameter that selects offers: a filter, model, type, market or part of the usage profile. */
export type ChoiceName = Exclude<keyof api.ListOffersParams, 'limit' | 'cursor'>;
export type ProfileName = keyof api.Watch['profile'];
export type ExplainParams = api.ExplainFigureParams;
export type ExplainedItem = (api.Explanation | api.FigureExplanation | api.SpendExplanation)['items'][number];
export type Bucket = api.Trends['bucket'];
/** How an offer's price compares with its segment's in the last days. */
export type OfferVerdict = NonNullable<api.Verdict>;
/** An offer of a newest book with its verdict. */
export type JudgedOffer = NonNullable<api.JudgedOffer>;
export type VerdictWindow = OfferVerdict['windows'][number];
export type MarketRow = api.MarketModel;
export type Backtest = api.BacktestAnswer;
export type BlockEntry = api.BlocklistEntry;
export type SpendItem = api.Spend['items'][number];
export type VsMarket = api.SpendVsMarket;
export type Reconciliation = api.SpendReconciliation;
export type Report = api.WatchReport;
export type ReportAnswer = api.WatchReportAnswer;
export type Instance = api.LedgerInstance;
export type QuotedOffer = api.Quote['offer'];
export type OrderAttempt = api.StandingOrder['attempts'][number];
/** What an order would have rented over past books. */
export type DryRun = NonNullable<api.OrderDryRun>;
