import { listOffers } from '../../../client/operations.js';
import type { Listing, Offers } from '../../core/api.ts';
import type { App } from '../../core/app.ts';
import { endMoment, endsIn, hoursUntilEnd } from '../../core/ending-words.ts';
import { formatFixed, formatShare, formatUsd } from '../../core/figures.ts';
import { useOwnNow } from '../../core/own-time.ts';
import { pathTo, valuesOf } from '../../core/path-to.ts';
import { type Answer, useAnswer } from '../../core/use-answer.ts';
import { countryName } from '../../parts/country.tsx';
import { Facts } from '../../parts/facts.tsx';
import { profileNames } from '../../parts/filter-fields.ts';
import { machineFacts, stated } from '../../parts/machine-facts.ts';
import { Term } from '../../parts/term.tsx';

/** Loads the offers of a listing's machine in the newest book; null: the listing is not known yet. */
export const useMachineOffers = (app: App, listing: Listing | null, asked: URLSearchParams) =>
  useAnswer<Offers>(
    app,
    listing &&
      pathTo(listOffers, {
        ...valuesOf(asked, profileNames),
        market: listing.market,
        type: listing.type,
        gpuName: listing.gpuName,
        machineId: [listing.machineId],
        limit: 1000,
      }),
    app.landed.value,
  );

/** Returns the offer of a listing among those of its machine; undefined: it is not listed now. */
const offerOf = (offers: Answer<Offers>, id: string) =>
  offers.data?.items.find(({ listingId }) => listingId === id);

/** Returns what is left of a listing's offer, and the moment that counts as now; `hours` null: unknown, or not listed now. */
export function useEnding(offers: Answer<Offers>, id: string): { hours: number | null; now: number } {
  const now = useOwnNow();
  const observedAt = offers.data?.observedAt ?? null;
  const offer = offerOf(offers, id);
  const isKnown = offer !== undefined && observedAt !== null;
  return { hours: isKnown ? hoursUntilEnd(offer.maxDurationHours, observedAt, now) : null, now };
}

interface Props {
  listing: Listing;
  offers: Answer<Offers>;
  /** The disk of the price. */
  storageGb: string;
}

/** What decides about an offer, at a glance; empty if it is not listed now. */
export function OfferFacts({ listing, offers, storageGb }: Props) {
  const offer = offerOf(offers, listing.id);
  const { hours, now } = useEnding(offers, listing.id);
  if (offer === undefined) return null;
  const { reliability, verification, country, dlperf } = offer;
  const whole = listing.type === 'bid' ? 'Minimum bid' : 'Price';
  return (
    <Facts
      facts={[
        [
          'usdPerHour',
          `${whole} with ${storageGb} GB of disk`,
          <strong class="main" key="price">{`${formatUsd(offer.usdPerHour)}/hour`}</strong>,
        ],
        ['reliability', 'Reliability', stated(reliability, formatShare)],
        [
          'verification',
          'Verification',
          verification === 'deverified' ? <Term word="deverified" /> : (verification ?? 'not stated'),
        ],
        ['country', 'Country', countryName(country)],
        [
          'maxDuration',
          'Host ends it',
          hours === null ? 'not stated' : <span title={endMoment(hours, now)}>in {endsIn(hours)}</span>,
        ],
        ...machineFacts(offer),
        ['dlperf', <Term word="DLPerf" />, stated(dlperf, (score) => formatFixed(score, 1))],
      ]}
    />
  );
}
