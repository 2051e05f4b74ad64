import type { PricingType, Status } from './api.ts';
import { formatLength, formatMoment } from './times.ts';

/** A reason not to trust the data: what is wrong, and what it means for the reader. */
export interface Alarm {
  kind: 'data-age' | 'last-crawl';
  type: PricingType;
  title: string;
  detail: string;
}

/**
 * Returns the alarms of a status that is `minutesSince` old. None for a recorded market, which is never updated, during
 * the first seeding, and for `reserved` offers, which have no schedule.
 */
export function alarmsOf(status: Status, minutesSince: number): Alarm[] {
  if (status.mode === 'replay' || status.seeding !== null) return [];
  return [...ageAlarms(status, minutesSince), ...crawlAlarms(status)].filter(
    ({ type }) => type !== 'reserved',
  );
}

function ageAlarms(
  { newestBooks, dataAgeMinutes, maxDataAgeMinutes }: Status,
  minutesSince: number,
): Alarm[] {
  const complete = newestBooks.filter(({ verdict }) => verdict === 'complete');
  if (dataAgeMinutes === null || complete.length === 0) return [];
  const times = complete.map(({ observedAt }) => Date.parse(observedAt));
  const newest = Math.max(...times);
  return complete.flatMap(({ type, observedAt }) => {
    // By the server's clock: the reader's may be wrong.
    const behindMinutes = Math.floor((newest - Date.parse(observedAt)) / 60_000);
    const ageMinutes = dataAgeMinutes + behindMinutes + minutesSince;
    if (ageMinutes <= maxDataAgeMinutes) return [];
    const title = `Stale data: the newest complete book of ${type} offers is ${formatLength(ageMinutes)} old.`;
    const detail = `Observed ${formatMoment(observedAt)}; the limit is ${formatLength(maxDataAgeMinutes)}. Prices and availability may have changed since.`;
    return [{ kind: 'data-age', type, title, detail }];
  });
}

function crawlAlarms({ lastEnded, newestBooks }: Status): Alarm[] {
  return lastEnded.flatMap(({ type, outcome, endedAt, reason }) => {
    if (outcome !== 'partial' && outcome !== 'failed') return [];
    const title =
      outcome === 'failed'
        ? `The last crawl of ${type} offers failed.`
        : `The last book of ${type} offers is partial.`;
    const shown = newestBooks.find((book) => book.type === type);
    const use =
      shown?.verdict === 'complete'
        ? `The page shows the complete book of ${formatMoment(shown.observedAt)}.`
        : 'There is no complete book yet.';
    const why = reason === null ? '' : ` ${reason.replace(/[.\s]*$/, '')}.`;
    return [{ kind: 'last-crawl', type, title, detail: `${formatMoment(endedAt)}:${why} ${use}` }];
  });
}
