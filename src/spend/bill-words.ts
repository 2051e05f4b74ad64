import type { SpendGrouping } from './spend-grouping.ts';

/** Readable names of the marketplace's words in bills. Source: docs/marketplace.md#412-list-invoices. */
export const billWords: Readonly<Record<string, string>> = {
  gpu: 'GPU',
  disk: 'Disk',
  bwd: 'Download',
  bwu: 'Upload',
  instance: 'Instance',
  volume: 'Volume',
  serverless: 'Serverless',
  transfer: 'Transfer',
  cardproc_payments: 'Card payment',
  cryptopay_a: 'Crypto payment A',
  cryptopay_b: 'Crypto payment B',
  cryptopay_c: 'Crypto payment C',
  instance_prepay: 'Instance prepayment',
  walletpay_manual: 'Manual wallet payment',
  transferpay_manual: 'Manual transfer',
};

/** Groupings whose values are the marketplace's own words. */
export const wordedGroupings: readonly string[] = ['service', 'source', 'type'] satisfies SpendGrouping[];

/** Returns how a workbook names groups: the marketplace's words in bills readable, others as they are. */
export const groupWords =
  (grouping: SpendGrouping | null) =>
  (key: string): string =>
    grouping !== null && wordedGroupings.includes(grouping) && Object.hasOwn(billWords, key)
      ? (billWords[key] ?? key)
      : key;
