import { equalMachineMeaning } from '../market/comparison-words.ts';

const sign =
  'Cost is positive and money paid in negative, as on the bills of the market, while the page shows money paid in without the minus, as Paid in';

/** What the columns of entries mean. */
export const entryNotes = {
  kind: 'consumption: what was used and charged; estimate: used and not charged so far, marked “estimated” on the page; payment: money moved into or out of the account, on the page Paid in, Transfers, Refunds or Payouts',
  entryId: 'Number of the entry in Offerbook, the same in every export',
  start: 'When what is charged began, or when the payment was made',
  end: 'When it ended; empty: still open, or a payment',
  type: 'What it is for, in the word of the market: instance, volume, credit, refund …',
  source: 'What was charged, in the word of the market, such as instance-123; of a payment, how it was made',
  service:
    'Which part was charged: gpu, disk, bwd (download), bwu (upload); of a payment, the service that took it',
  description: 'Text of the market',
  quantity: 'How much was used, in the unit of the next column; empty: the text of the market states none',
  unit: 'Unit of the quantity',
  amountUsd: `Exact, never rounded in the cell. ${sign}`,
  basis: 'charged by the market, or estimated by Offerbook until it is charged',
  gpuName: 'Of the instance; empty: unknown, or no instance',
  instanceId: 'Number of the instance at the market; empty: no instance',
  label: 'Label of the instance at the market',
  invoiceId: 'Number of the invoice at the market; empty: a charge or an estimate',
  market: 'Name of the market in Offerbook',
  firstSeenAt: 'When Offerbook first read the entry',
  disappearedAt: 'Since when the market no longer lists the entry: then it is in no sum; empty: it is listed',
};

/** What the columns of adjustments mean. */
export const adjustmentNotes = {
  month: 'The closed month that has changed',
  closedAt: 'When the month was closed',
  change: 'What happened to the entry since: added, changed or disappeared',
  seenAt: 'When Offerbook saw the change',
  entryId: entryNotes.entryId,
  category: 'consumption, payment, transfer, refund or payout',
  basis: entryNotes.basis,
  start: entryNotes.start,
  type: entryNotes.type,
  source: entryNotes.source,
  service: entryNotes.service,
  closedUsd: 'Share of the month when it was closed',
  amountUsd: 'Share of the month now',
  adjustmentUsd: 'Share of the month now, minus that when it was closed',
};

/** What the columns of sums mean. */
export const summaryNotes = {
  groupBy: 'What the sums are grouped by: day, month, service, instance …',
  key: 'The group: a day, a service, the number of an instance … Empty: entries that have none',
  stackBy: 'What each group is divided by; empty: nothing',
  subkey: 'The part of the group; empty: entries that have none, or groups that are not divided',
  category: adjustmentNotes.category,
  basis: entryNotes.basis,
  amountUsd: `Exact sum. ${sign}`,
  entries: 'How many entries have a share in the sum',
  timeZone: 'Time zone of days and months',
  market: entryNotes.market,
};

/** What the columns of the instances beside sums mean. */
export const instanceNotes = {
  instanceId: 'The group or second group of the sheet Spend',
  label: entryNotes.label,
  gpuName: 'Model of its GPUs; empty: unknown',
  numGpus: 'Number of its GPUs; empty: unknown',
};

/** What the columns of rentals mean. */
export const rentalNotes = {
  rentalId: 'Id of the rental in Offerbook',
  instanceId: 'Number of the instance at the market; empty: none is known',
  state: 'State of the rental: running, stopped, failed, destroyed …',
  reason: 'Why it failed or ended; empty: it did not, or no reason is known',
  rentedBy: 'Who rented: a token, or a standing order',
  label: entryNotes.label,
  costCenter: 'Cost center that it is charged to; empty: none',
  offerId: 'Number of the rented offer at the market',
  machineId: 'Number of the machine at the market',
  hostId: 'Number of the host at the market',
  gpuName: 'Model of its GPUs',
  numGpus: 'Number of its GPUs',
  type: 'Pricing type: on-demand, bid or reserved',
  diskGb: 'Disk that was rented',
  usdPerHour: 'Price with that disk when it was rented; what it has cost is in the export of spend',
  createdAt: 'When it was requested',
  firstRunningAt: 'When it first ran; empty: it never did',
  endedAt: 'When it ended; empty: it has not',
  market: entryNotes.market,
};

/** What the columns of instances compared with the market mean. */
export const comparisonNotes = {
  instanceId: entryNotes.instanceId,
  label: entryNotes.label,
  gpuName: 'GPU model; empty: unknown',
  numGpus: 'Number of GPUs',
  type: 'Pricing type; it is compared with offers of the same type only, a bid with minimum bids',
  paidUsd: 'Charged for GPUs and disk in the hours in which GPUs were charged, without traffic',
  comparedUsd: 'The part of it whose hours have market prices; empty: none',
  overEqualMachineUsd:
    'Paid above the price of a cheaper equal machine while that was offered: how much less it would have cost there, at least. Exact, so with up to 12 decimals; 0: none was cheaper; empty: nothing can be compared',
  equalMachineId: `The machine that would have saved the most. ${equalMachineMeaning} Empty: none was found`,
  equalUsdPerHour: 'Its price with the same disk; of a bid, its minimum bid',
  offeredHours: 'For how many of the charged hours it was seen on offer, until the last book that showed it',
  chargedHours: 'Hours in which GPUs were charged',
  overMarketMedianUsd:
    'Paid above the median of the market in the same hours: of all offers of the GPU model and pricing type, equal machines or not; negative: below it; empty: nothing can be compared',
  overMarketLowestUsd:
    'Paid above the lowest price of these offers, outliers left out. It may be of a machine that is not equal, so it can be more than overEqualMachineUsd; empty: nothing can be compared',
  unattributable: 'Why nothing can be compared; empty: it can',
};

/** What the columns of FOCUS mean here. */
export const focusNotes = {
  BilledCost: 'Exact amount of the entry; negative: a credit or refund',
  BillingAccountId: 'Name of the market in Offerbook, which has one account',
  BillingAccountName: 'Empty: the market names no account',
  BillingCurrency: 'Always USD',
  BillingPeriodEnd: 'First moment after the UTC month in which the charge began',
  BillingPeriodStart: 'First moment of the UTC month in which the charge began',
  ChargeCategory: 'Usage: what was used; Credit: credit granted; Adjustment: a refund',
  ChargeClass: 'Correction: first seen after its month was closed; empty: any other',
  ChargeDescription: 'Text of the market',
  ChargeFrequency: 'Usage-Based for what was used, One-Time for credits and refunds',
  ChargePeriodEnd: 'First moment after the charge',
  ChargePeriodStart: 'When the charge began',
  ConsumedQuantity: 'How much was used, in the unit of the next column; empty: a credit or refund',
  ConsumedUnit: 'Unit of the quantity that was used: Hours, GB …; Units if none is known',
  ContractedCost: 'The same as BilledCost: no contract lowers it',
  EffectiveCost: 'The same as BilledCost: nothing is spread over time',
  InvoiceId: 'Number of the invoice at the market; empty: a charge or an estimate',
  InvoiceIssuerName: 'Name of the market in Offerbook',
  ListCost: 'The same as BilledCost: no list price is known',
  PricingQuantity: 'The same as ConsumedQuantity',
  PricingUnit: 'The same as ConsumedUnit',
  ProviderName: 'Name of the market in Offerbook',
  PublisherName: 'Name of the market in Offerbook',
  ResourceId: 'What was charged, in the word of the market, such as instance-123; empty: a credit or refund',
  ResourceName: 'Label of the instance at the market; empty: it has none',
  ResourceType: 'instance or volume, in the word of the market',
  ServiceCategory: 'Compute, Storage or Networking; Other for credits and refunds',
  ServiceName: 'Which part was charged: gpu, disk, bwd (download), bwu (upload) …',
  SubAccountId: 'Always empty: the market has no sub-accounts',
  x_Basis: entryNotes.basis,
  x_EntryId: entryNotes.entryId,
  x_GpuName: entryNotes.gpuName,
  x_Label: entryNotes.label,
};
