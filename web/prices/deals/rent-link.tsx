import { hrefOf } from '../../core/address.ts';
import type { RankedOffer } from '../../core/api.ts';
import { NoAccount } from '../../parts/no-account.tsx';

/** Where and with what an offer can be rented from here. */
export interface Renting {
  /** The account's market. */
  market: string;
  /** Initial values of a rental: `storageGb`, `template`, and the offer filters. */
  choices: URLSearchParams;
  /** Ids of offers that the market no longer had when it was asked, or that were rented from here. */
  gone: ReadonlySet<number>;
}

/** What an offer is that the page knows to be gone. */
export const goneWords =
  'It was rented from here, or the market no longer had it; the newest book still has it';

/** Leads to renting an offer, or to another one if it was found gone; or says that its market has no account. */
export function RentLink({ item, renting }: { item: RankedOffer; renting: Renting }) {
  const { offerId, listingId, type, gpuName, numGpus, market } = item;
  if (market !== renting.market) return <NoAccount market={market} />;
  const query = new URLSearchParams(renting.choices);
  query.set('listing', listingId);
  if (type === 'bid') query.set('type', 'bid');
  const isGone = renting.gone.has(offerId);
  const offer = `${gpuName} × ${numGpus}, offer ${offerId}`;
  return (
    <a
      class="button small"
      href={hrefOf(`/rent/${offerId}`, query)}
      title={isGone ? goneWords : undefined}
      aria-label={isGone ? `Gone: ${offer}` : `Rent ${offer}`}
    >
      {isGone ? 'Gone' : 'Rent…'}
    </a>
  );
}
