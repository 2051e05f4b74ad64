import { hrefOf } from '../../core/address.ts';
import type { RankedOffer } from '../../core/api.ts';
import type { GoneOffer } from '../../core/app.ts';
import { NoAccount } from '../../parts/no-account.tsx';

/** Where and with what an offer can be rented from here. */
export interface Renting {
  /** The account's market. */
  market: string;
  /** Initial values of a rental: `storageGb`, `template`, and the offer filters. */
  choices: URLSearchParams;
  /** Offers by their ids that the market no longer had when it was asked, or that were rented from here. */
  gone: ReadonlyMap<number, GoneOffer>;
}

/** What an offer is called that the page knows to be gone, and why the newest book has it all the same. */
export const goneWords: Record<GoneOffer, { label: string; title: string }> = {
  'rented here': { label: 'Rented', title: 'You rented it; the newest book still has it' },
  missing: { label: 'Gone', title: 'The market no longer had it; the newest book still has it' },
};

/** Leads to renting an offer, or to another one if it was found gone; or says that its market has no account. */
export function RentLink({ item, renting }: { item: RankedOffer; renting: Renting }) {
  const { offerId, listingId, type, gpuName, numGpus, market } = item;
  if (market !== renting.market) return <NoAccount market={market} />;
  const query = new URLSearchParams(renting.choices);
  query.set('listing', listingId);
  if (type === 'bid') query.set('type', 'bid');
  const gone = renting.gone.get(offerId);
  const words = gone && goneWords[gone];
  const offer = `${gpuName} × ${numGpus}, offer ${offerId}`;
  return (
    <a
      class="button small"
      href={hrefOf(`/rent/${offerId}`, query)}
      title={words?.title}
      aria-label={words === undefined ? `Rent ${offer}` : `${words.label}: ${offer}`}
    >
      {words?.label ?? 'Rent…'}
    </a>
  );
}
