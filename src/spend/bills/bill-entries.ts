import { createHash } from 'node:crypto';
import { isExactNumber, parseExact } from '../../core/exact-json.ts';
import type { ChargeEntry, ChargeItem } from '../../market/charge.ts';
import type { InvoiceEntry } from '../../market/invoice.ts';
import type { BillingEntry, BillingFields } from './bill.ts';

/** What an invoice is kept as. Source: docs/meaning.md#bills. */
export function invoiceEntries(invoice: InvoiceEntry): BillingEntry[] {
  const { invoiceId, service, type, source, description, amountUsd, startAt, endAt, raw } = invoice;
  const fields = { ...nothing, invoiceId, service, type, source, description, amountUsd, endAt };
  const identity = JSON.stringify([invoiceId, service, type, startAt.toISOString(), source]);
  return [{ identity, contentHash: hashOf(canonicalText(raw)), startAt, fields, raw }];
}

/** What a charge is kept as: an entry an item, or one of its amount where it has none. */
export function chargeEntries(charge: ChargeEntry): BillingEntry[] {
  const { startAt, raw } = charge;
  const items = charge.items.length === 0 ? [null] : charge.items;
  const whole = canonicalText(raw);
  return items.map((item) => ({
    identity: JSON.stringify([charge.source, charge.type, startAt.toISOString(), item?.type ?? null]),
    // The charge and the item that it is kept for: equal items of one charge are told apart by their number alone.
    contentHash: hashOf(JSON.stringify([whole, item])),
    startAt,
    fields: chargeFields(charge, item),
    raw,
  }));
}

const nothing = {
  ...{ service: null, invoiceId: null, instanceId: null, label: null, templateId: null },
  ...{ itemType: null, itemDescription: null, itemStartAt: null, itemEndAt: null, chargeUsd: null },
};

function chargeFields(charge: ChargeEntry, item: ChargeItem | null): BillingFields {
  const { type, source, description, instanceId, label, templateId, endAt, amountUsd } = charge;
  return {
    ...{ ...nothing, type, source, description, instanceId, label, templateId, endAt },
    itemType: item?.type ?? null,
    itemDescription: item?.description ?? null,
    itemStartAt: item?.startAt ?? null,
    itemEndAt: item?.endAt ?? null,
    amountUsd: item?.amountUsd ?? amountUsd,
    chargeUsd: amountUsd,
  };
}

/** The same text for records that differ only in the order of their keys; numbers keep their own digits. */
const canonicalText = (raw: string): string => JSON.stringify(inOrder(parseExact(raw)));

function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || isExactNumber(value)) return value;
  if (Array.isArray(value)) return value.map(inOrder);
  const keys = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(keys.map(([key, item]): [string, unknown] => [key, inOrder(item)]));
}

/** A digest of text, as long as it has to be to tell contents apart. */
export const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url');
