import { getListing, getRankings } from '../../../client/operations.js';
import { changedQuery, hrefOf } from '../../core/address.ts';
import type { RankedOffer } from '../../core/api.ts';
import type { App } from '../../core/app.ts';
import { formatShare } from '../../core/figures.ts';
import { pathTo, valuesOf } from '../../core/path-to.ts';
import { useAnswer } from '../../core/use-answer.ts';
import { countryName } from '../../parts/country.tsx';
import { type Fact, Facts } from '../../parts/facts.tsx';
import { offerNames } from '../../parts/filter-fields.ts';
import { LoadingNotice, ProblemNotice } from '../../parts/notice.tsx';
import type { KnownQuote } from './quoted.ts';
import { rateWords } from './total-card.tsx';

interface Props {
  app: App;
  offerId: number;
  /** As it was last quoted; null: never. */
  known: KnownQuote | null;
  /** The address, with the filters of the search. */
  query: URLSearchParams;
  diskGb: number;
  bid: boolean;
  /** Offers that were found gone on this page. */
  goneIds: ReadonlySet<number>;
  renew: () => void;
}

/** Says that the offer is gone, and offers the next best one of its model and number of GPUs. */
export function GoneOffer({ app, offerId, known, query, diskGb, bid, goneIds, renew }: Props) {
  const id = query.get('listing');
  const listing = useAnswer(app, known !== null || id === null ? null : pathTo(getListing, { id }));
  const what = known?.quote.offer ?? listing.data;
  const asked =
    what === null
      ? null
      : ({
          ...valuesOf(query, offerNames),
          gpuName: what.gpuName,
          numGpus: String(what.numGpus),
          storageGb: diskGb,
          type: bid ? 'bid' : 'on-demand',
          by: 'usdPerGpuHour',
          limit: 50,
        } as const);
  const answer = useAnswer(app, asked && pathTo(getRankings, asked), app.landed.value);
  const items = answer.data?.items ?? [];
  const next = nextBest(items, goneIds);
  const before =
    known?.quote.usdPerHour ?? items.find((item) => item.offerId === offerId)?.usdPerHour ?? null;
  const isUnknown = what === null && (id === null || listing.problem !== null);
  return (
    <section class="card" aria-label="The offer is gone" id="gone">
      <div role="alert">
        <h2>
          {what === null ? `Offer ${offerId}` : `${what.gpuName} × ${what.numGpus}`} is gone
          <small>offer {offerId}: somebody else has rented it, or its host withdrew it</small>
        </h2>
      </div>
      {isUnknown ? null : answer.data === null ? (
        answer.problem === null ? (
          <LoadingNotice what="the next best offer" />
        ) : (
          <ProblemNotice problem={answer.problem} retry={answer.reload} />
        )
      ) : next === null ? (
        <p>
          No other offer of {what?.gpuName} × {what?.numGpus} matches your filters now.
        </p>
      ) : (
        <NextBest next={next} before={before} />
      )}
      <p class="gone">
        {next !== null && (
          <a
            class="button primary"
            href={hrefOf(`/rent/${next.offerId}`, changedQuery(query, { listing: next.listingId }))}
          >
            Take the next best: {rateWords(String(next.usdPerHour))}
          </a>
        )}
        <button type="button" onClick={renew}>
          Check again
        </button>
      </p>
    </section>
  );
}

/** The next best offer beside the one that is gone. */
function NextBest({ next, before }: { next: RankedOffer; before: string | number | null }) {
  const facts: Fact[] = [
    ['before', 'It cost', rateWords(before === null ? null : String(before))],
    ['next', 'Next best', rateWords(String(next.usdPerHour))],
    ['machine', 'Machine', <a href={`/listings/${next.listingId}`}>{next.machineId}</a>],
    ['country', 'Location', next.country === null ? 'unknown' : countryName(next.country)],
    ['verification', 'Verification', next.verification ?? 'unknown'],
    ['reliability', 'Reliability', next.reliability === null ? 'unknown' : formatShare(next.reliability)],
  ];
  return <Facts facts={facts} />;
}

/** Returns the first ranked offer that is neither gone nor an outlier; null: there is none. */
const nextBest = (items: readonly RankedOffer[], goneIds: ReadonlySet<number>): RankedOffer | null =>
  items.find(({ offerId, isOutlier }) => !goneIds.has(offerId) && isOutlier !== true) ?? null;
