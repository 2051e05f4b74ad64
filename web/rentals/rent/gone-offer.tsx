import { getListing, getRankings, listEndedInstances, listInstances } from '../../../client/operations.js';
import { changedQuery, hrefOf } from '../../core/address.ts';
import type { Instance, Quote, RankedOffer, RentRequest } from '../../core/api.ts';
import type { App } from '../../core/app.ts';
import { formatPercent, formatShare, formatUsd } from '../../core/figures.ts';
import { pathTo, valuesOf } from '../../core/path-to.ts';
import { useAnswer } from '../../core/use-answer.ts';
import { countryName } from '../../parts/country.tsx';
import { type Fact, Facts } from '../../parts/facts.tsx';
import { offerNames } from '../../parts/filter-fields.ts';
import { Moment } from '../../parts/moment.tsx';
import { LoadingNotice, ProblemNotice } from '../../parts/notice.tsx';
import { askedQuery, asksTrust, offerSet, statedTrust } from '../../prices/deals/reliable-query.ts';
import type { KnownQuote } from './quoted.ts';
import { rateWords } from './total-card.tsx';
import { useNextBest } from './use-next-best.ts';

interface Props {
  app: App;
  offerId: number;
  /** As it was last quoted; null: never. */
  known: KnownQuote | null;
  /** The address, with the filters of the search. */
  query: URLSearchParams;
  request: RentRequest;
  bid: boolean;
  renew: () => void;
}

/** Says that the offer is gone, and offers the next best one of its model and number of GPUs. */
export function GoneOffer({ app, offerId, known, query, request, bid, renew }: Props) {
  const id = query.get('listing');
  const listing = useAnswer(app, known !== null || id === null ? null : pathTo(getListing, { id }));
  const what = known?.quote.offer ?? listing.data;
  // Without filters that say otherwise, as Deals asks at first: in place of a reliable machine another reliable one.
  const trust = statedTrust(new URLSearchParams(), app.markets.value, app.status.state.value.data);
  const wanted = asksTrust(query) ? query : askedQuery(query, trust);
  const asked =
    what === null
      ? null
      : ({
          ...valuesOf(wanted, offerNames),
          gpuName: what.gpuName,
          numGpus: String(what.numGpus),
          storageGb: request.diskGb,
          type: bid ? 'bid' : 'on-demand',
          by: 'usdPerGpuHour',
          limit: 50,
        } as const);
  const answer = useAnswer(app, asked && pathTo(getRankings, asked), app.landed.value);
  const items = answer.data?.items ?? [];
  const found = useNextBest(app, request, answer.data?.items ?? null);
  const next = found?.item ?? null;
  const own = useOwn(app, what?.machineId ?? null, known?.quote.at ?? listing.data?.observedAt ?? null);
  const before =
    known?.quote.usdPerHour ?? items.find((item) => item.offerId === offerId)?.usdPerHour ?? null;
  const isUnknown = what === null && (id === null || listing.problem !== null);
  return (
    <section class="card" aria-label="The offer is gone" id="gone">
      <div role="alert">
        <h2>
          {what === null ? `Offer ${offerId}` : `${what.gpuName} × ${what.numGpus}`} is gone
          <small>
            {what === null ? '' : `machine ${what.machineId}, `}offer {offerId}:{' '}
            {own === null ? (
              'somebody else has rented it, or its host withdrew it'
            ) : (
              <>
                most likely because your{' '}
                <a href={`/instances/${own.instanceId}`}>instance {own.instanceId}</a> took GPUs of machine{' '}
                {own.machineId} at <Moment t={own.startedAt} relative={false} />
              </>
            )}
          </small>
        </h2>
      </div>
      {own?.endedAt && (
        <p class="caption" data-own="ended">
          That instance ended at <Moment t={own.endedAt} relative={false} />. If the market lists the machine
          again, it may be under another number, and{' '}
          {id === null ? 'its listing' : <a href={`/listings/${id}`}>its listing</a>} has it with the first
          book after that.
        </p>
      )}
      {items.some((item) => item.offerId === offerId) && (
        <p class="caption" data-still-listed>
          The newest book, of <Moment t={answer.data?.observedAt ?? null} />, still has it: until the next
          one, other views count it among the lowest prices.
        </p>
      )}
      {isUnknown ? null : answer.data === null && answer.problem !== null ? (
        <ProblemNotice problem={answer.problem} retry={answer.reload} />
      ) : found === null ? (
        <LoadingNotice what="the next best offer" />
      ) : next === null ? (
        <p>
          The market has no other of the best offers of {what?.gpuName} × {what?.numGpus} that match your
          filters{offerSet(query, trust) === 'reliable' && ', among reliable ones'}.
        </p>
      ) : (
        <NextBest next={next} quote={found.quote} before={before} diskGb={request.diskGb} />
      )}
      <p class="gone">
        {next !== null && (
          <a
            class="button primary"
            href={hrefOf(`/rent/${next.offerId}`, changedQuery(query, { listing: next.listingId }))}
          >
            Take the next best: {rateWords(priceOf(next, found?.quote ?? null))}
          </a>
        )}
        <button type="button" onClick={renew}>
          Check again
        </button>
      </p>
    </section>
  );
}

type OwnInstance = Pick<Instance, 'instanceId' | 'machineId' | 'endedAt'> & { startedAt: string };

/** For this long the market may still quote an offer whose GPUs are taken. */
const lateMs = 5 * 60_000;

/**
 * Finds an own instance that began on a machine after a moment, or just before it, also one that has ended; null: there is
 * none, or it is not known.
 */
function useOwn(app: App, machineId: number | null, since: string | null): OwnInstance | null {
  const isAsked = machineId !== null && since !== null;
  const running = useAnswer(app, isAsked ? pathTo(listInstances, {}) : null);
  const ended = useAnswer(
    app,
    isAsked ? pathTo(listEndedInstances, { search: String(machineId), limit: 10 }) : null,
  );
  for (const instance of [...(running.data?.items ?? []), ...(ended.data?.items ?? [])]) {
    const { instanceId, machineId: on, startedAt, createdAt, endedAt } = instance;
    const began = startedAt ?? createdAt;
    if (
      on === machineId &&
      began !== null &&
      since !== null &&
      Date.parse(began) > Date.parse(since) - lateMs
    )
      return { instanceId, machineId, startedAt: began, endedAt };
  }
  return null;
}

/** Returns what an offer costs in the market now, else in the newest book; of a bid its minimum. */
const priceOf = ({ type, usdPerHour }: RankedOffer, quote: Quote | null): string =>
  (type === 'bid' ? null : quote?.usdPerHour) ?? String(usdPerHour);

interface NextBestProps {
  next: RankedOffer;
  /** null: the market did not answer. */
  quote: Quote | null;
  before: string | number | null;
  diskGb: number;
}

/** The next best offer beside the one that is gone. */
function NextBest({ next, quote, before, diskGb }: NextBestProps) {
  const price = priceOf(next, quote);
  const more = Math.round(100 * (Number(price) / Number(before) - 1));
  const facts: Fact[] = [
    [
      'before',
      `The one that is gone, with ${diskGb} GB of disk`,
      rateWords(before === null ? null : String(before)),
    ],
    [
      'next',
      'The next best with as many GPUs and as much disk',
      `${rateWords(price)}${Number.isFinite(more) && more !== 0 ? `, ${formatPercent(Math.abs(more), 0)} ${more > 0 ? 'more' : 'less'}` : ''}`,
    ],
    [
      'gpus',
      'GPUs',
      `${next.gpuName} × ${next.numGpus}, ${formatUsd(Number(price) / next.numGpus)}/GPU-hour`,
    ],
    [
      'endsAt',
      'Host ends it',
      quote?.endsAt ? (
        <>
          on <Moment t={quote.endsAt} relative={false} />
        </>
      ) : (
        'unknown'
      ),
    ],
    ['machine', 'Machine', <a href={`/listings/${next.listingId}`}>{next.machineId}</a>],
    ['country', 'Country', next.country === null ? 'unknown' : countryName(next.country)],
    ['verification', 'Verification', next.verification ?? 'unknown'],
    ['reliability', 'Reliability', next.reliability === null ? 'unknown' : formatShare(next.reliability)],
  ];
  return <Facts facts={facts} />;
}
