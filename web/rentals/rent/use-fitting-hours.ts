import { useEffect, useRef } from 'preact/hooks';
import type { Quote } from '../../core/api.ts';
import type { KnownQuote } from './quoted.ts';
import type { Fields } from './rent-request.ts';

/** Returns the hours for which an offer can still be rented, at least 0; null: the market does not say. */
export const hoursLeft = ({ at, endsAt }: Pick<Quote, 'at' | 'endsAt'>): number | null =>
  endsAt === null ? null : Math.max(0, (Date.parse(endsAt) - Date.parse(at)) / 3_600_000);

/** Returns planned hours that an offer allows, in whole hours. */
export function fittingHours(hours: string, quote: Pick<Quote, 'at' | 'endsAt'>): string {
  const left = hoursLeft(quote);
  return left === null || left >= Number(hours) ? hours : String(Math.max(1, Math.floor(left)));
}

/**
 * Shortens the planned hours to what each new offer allows, unless the reader chose them. Returns whether there is a
 * quote to show: that for the hours as they were is not.
 */
export function useFittingHours(
  known: KnownQuote | null,
  { fields, isChosen }: { fields: Fields; isChosen: boolean },
  set: (change: (fields: Fields) => Fields) => void,
): boolean {
  const first = useRef(fields.runningHours).current;
  const filled = useRef(first);
  const fitted = useRef<number | null>(null);
  const offerId = known?.quote.offerId ?? null;
  const isOwn = isChosen || fields.runningHours !== filled.current;
  const hours = known === null || isOwn ? fields.runningHours : fittingHours(first, known.quote);
  useEffect(() => {
    if (offerId === null || isOwn || hours === filled.current) return;
    filled.current = hours;
    set((before) => ({ ...before, runningHours: hours }));
  }, [offerId]);
  if (known !== null && (isOwn || known.request.profile?.runningHours === Number(hours)))
    fitted.current = offerId;
  return offerId !== null && fitted.current === offerId;
}
