/** What the columns of entries mean. */
export const entryNotes = {
  kind: 'consumption: what was used; estimate: used and not charged yet; payment: money moved into or out of the account',
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
  amountUsd: 'Exact, never rounded in the cell; positive: cost, negative: money paid in',
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
