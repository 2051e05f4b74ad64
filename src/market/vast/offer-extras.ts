import { parseExact } from '../../core/exact-json.ts';
import type { OfferExtras } from '../account.ts';
import { amountOf, dateOf, idFrom, switchOf } from '../wire/record-fields.ts';
import { isRecord } from '../wire/record-rows.ts';

/** Reads an offer's extras from its record as delivered. Source: docs/marketplace.md#21-offer. */
export function readOfferExtras(raw: string): OfferExtras {
  const parsed = parseExact(raw);
  const record = isRecord(parsed) ? parsed : {};
  return {
    isVm: switchOf(record.vms_enabled),
    endsAt: dateOf(record.end_date),
    volumeOfferId: idFrom(record.avail_vol_ask_id),
    volumeUsdPerGbHour: amountOf(record.avail_vol_dph),
    volumeSizeGb: amountOf(record.avail_vol_size),
  };
}
