import { createHash } from 'node:crypto';
import { isExactNumber, parseExact } from '../../core/exact-json.ts';
import type { ChargeEntry, ChargeItem } from '../../market/charge.ts';
import type { InvoiceEntry } from '../../market/invoice.ts';
import type { BillingEntry, BillingFields } from './bill.ts';

/** Returns the entries stored for an invoice. Source: docs/meaning.md#bills. */
export function invoiceEntries(invoice: InvoiceEntry): BillingEntry[] {
  const { invoiceId, service, type, source, description, amountUsd, startAt, endAt, raw } = invoice;
  const fields = { ...emptyFields, invoiceId, service, type, source, description, amountUsd, endAt };
  const identity = JSON.stringify([invoiceId, service, type, startAt.toISOString(), source]);
  return [{ identity, contentHash: hashOf(canonicalText(raw)), startAt, fields, raw }];
}

/** Returns the entries stored for a charge: one per item, or one for its amount if it has no items. */
export function chargeEntries(charge: ChargeEntry): BillingEntry[] {
  const { startAt, raw } = charge;
  const items = charge.items.length === 0 ? [null] : charge.items;
  const whole = canonicalText(raw);
  return items.map((item) => ({
    identity: JSON.stringify([charge.source, charge.type, startAt.toISOString(), item?.type ?? null]),
    // Covers the charge and the item; equal items of one charge differ only by their number.
    contentHash: hashOf(JSON.stringify([whole, item])),
    startAt,
    fields: chargeFields(charge, item),
    raw,
  }));
}

const emptyFields = {
  service: null,
  invoiceId: null,
  instanceId: null,
  label: null,
  templateId: null,
  itemType: null,
  itemDescription: null,
  itemStartAt: null,
  itemEndAt: null,
  chargeUsd: null,
};

function chargeFields(charge: ChargeEntry, item: ChargeItem | null): BillingFields {
  const { type, source, description, instanceId, label, templateId, endAt, amountUsd } = charge;
  return {
    ...emptyFields,
    type,
    source,
    description,
    instanceId,
    label,
    templateId,
    endAt,
    itemType: item?.type ?? null,
    itemDescription: item?.description ?? null,
    itemStartAt: item?.startAt ?? null,
    itemEndAt: item?.endAt ?? null,
    amountUsd: item?.amountUsd ?? amountUsd,
    chargeUsd: amountUsd,
  };
}

/** Returns the same text for records that differ only in the order of their keys; numbers keep their digits. */
const canonicalText = (raw: string): string => JSON.stringify(inOrder(parseExact(raw)));

function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || isExactNumber(value)) return value;
  if (Array.isArray(value)) return value.map(inOrder);
  const keys = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(keys.map(([key, item]): [string, unknown] => [key, inOrder(item)]));
}

/** Returns a digest of text, long enough to tell contents apart. */
export const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url');
