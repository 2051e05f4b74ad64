import type { SpendProjection } from '../core/api.ts';
import { countOf, formatAmount, formatHourly } from '../core/figures.ts';
import { zoneOfMonth } from '../spend/month-zone.ts';

/** Returns what the spend at the month's end rests on: what is spent so far, and the burn rate for the rest of the hours. */
export function monthEndWords({
  spentUsd,
  burnUsdPerHour,
  asOf,
  to,
  timeZone,
  unpriced,
  readUntil,
  knownEndsUsd,
}: Pick<
  SpendProjection,
  'spentUsd' | 'burnUsdPerHour' | 'asOf' | 'to' | 'timeZone' | 'unpriced' | 'readUntil' | 'knownEndsUsd'
>): string {
  const hoursLeft = Math.round((Date.parse(to) - Date.parse(asOf)) / 3_600_000);
  const unread =
    readUntil.charges === null && readUntil.invoices === null ? ' (no bills synced yet: estimated)' : '';
  const burn = burnUsdPerHour === null ? 'an unknown price' : formatHourly(burnUsdPerHour);
  const missing = unpriced === 0 ? '' : `; ${countOf(unpriced, 'instance')} with unknown price`;
  const until =
    Number(knownEndsUsd) > 0 ? `, ${formatAmount(knownEndsUsd)} less by known ends` : ' if all keeps running';
  return `${formatAmount(spentUsd)} so far${unread}, then ${burn} for ${countOf(hoursLeft, 'hour')}${zoneOfMonth({ timeZone, to })}${until}${missing}`;
}
