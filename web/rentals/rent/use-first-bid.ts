import { useEffect, useRef } from 'preact/hooks';
import type { KnownQuote } from './quoted.ts';
import { type Fields, isProbe, suggestBid } from './rent-request.ts';

/**
 * Fills in a bid a little above the market's minimum, once that is known. Returns whether there is a quote to show: the
 * first one only asked for the minimum.
 */
export function useFirstBid(
  bid: boolean,
  known: KnownQuote | null,
  set: (change: (fields: Fields) => Fields) => void,
): boolean {
  const isFilled = useRef(false);
  const min = known?.quote.minBidUsdPerHour ?? null;
  useEffect(() => {
    if (!bid || min === null || isFilled.current) return;
    isFilled.current = true;
    set((fields) => (fields.bidUsdPerHour === '' ? { ...fields, bidUsdPerHour: suggestBid(min) } : fields));
  }, [bid, min]);
  const wasReady = useRef(false);
  if (known !== null && (!isProbe(known.request) || min === null)) wasReady.current = true;
  return known !== null && wasReady.current;
}
