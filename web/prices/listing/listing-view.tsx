import { getListing, getListingHistory } from '../../../client/operations.js';
import { changedQuery } from '../../core/address.ts';
import { listingSubject } from '../../core/alert-subject.ts';
import type { Listing, ListingHistory } from '../../core/api.ts';
import { formatCount, formatUsd } from '../../core/figures.ts';
import { linkedMarket } from '../../core/market-choice.ts';
import { pathTo, valuesOf } from '../../core/path-to.ts';
import { marking, renting } from '../../core/permission.ts';
import { formatDuration } from '../../core/times.ts';
import { useAnswer } from '../../core/use-answer.ts';
import { useLookedAt } from '../../core/use-looked-at.ts';
import { AlertMe } from '../../parts/alert-me.tsx';
import { Allowed } from '../../parts/allowed.tsx';
import { Choice } from '../../parts/choice.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Explain, explainQuery } from '../../parts/explain.tsx';
import { pickParameters, profileNames } from '../../parts/filter-fields.ts';
import { ProfileForm } from '../../parts/filter-form.tsx';
import { HostRecord } from '../../parts/host-record.tsx';
import { isMissing, Missing } from '../../parts/missing.tsx';
import { Moment } from '../../parts/moment.tsx';
import { NoAccount } from '../../parts/no-account.tsx';
import { Awaited, LoadingNotice, Notice } from '../../parts/notice.tsx';
import { LowestVerified, VerdictSentence } from '../../parts/verdict-sentence.tsx';
import type { ViewProps } from '../../parts/view.ts';
import { ViewHead } from '../../parts/view-head.tsx';
import { goneWords } from '../deals/rent-link.tsx';
import { Marking } from './marking.tsx';
import { OfferFacts, useEnding, useMachineOffers } from './offer-facts.tsx';
import { PriceSteps } from './price-steps.tsx';
import { newWords, pricedSpans } from './priced-spans.ts';

const ranges = [
  { value: '7d', label: '7 d' },
  { value: '30d', label: '30 d' },
  { value: '90d', label: '90 d' },
  { value: 'all', label: 'All' },
] as const;
const days: Record<string, number> = { '7d': 7, '90d': 90 };

/** One listing: current and past prices, when it was listed, how each of its offers ended. */
export function ListingView({ app, status }: ViewProps) {
  const { path, query } = app.address.place.value;
  const id = path.split('/')[2] ?? '';
  const listing = useAnswer(app, pathTo(getListing, { id }), app.landed.value);
  const range = query.get('range') ?? '30d';
  const asked = pickParameters(query, profileNames);
  const found = listing.data;
  useLookedAt(app, found === null ? [] : [found.market], found === null ? [] : [found.gpuName]);
  const isOwn = found?.market === status?.market.name;
  const own = isOwn ? status : app.markets.value?.find(({ name }) => name === found?.market);
  const newest = (own?.newestBooks ?? []).map(({ observedAt }) => Date.parse(observedAt));
  const length = days[range];
  if (range === 'all') asked.set('from', '1970-01-01');
  else if (length !== undefined && newest.length > 0) {
    asked.set('from', new Date(Math.max(...newest) - length * 86_400_000).toISOString());
  }
  const offers = useMachineOffers(app, found, asked);
  const { hours } = useEnding(offers, id);
  const history = useAnswer(
    app,
    pathTo(getListingHistory, { id, ...valuesOf(asked, [...profileNames, 'from']) }),
    app.landed.value,
  );
  if (isMissing(listing)) {
    return (
      <Missing title="Listing not found">
        Listings keep their ids, so it was never stored here. See what is listed now under{' '}
        <a href="/deals">Deals</a>.
      </Missing>
    );
  }
  // Its title and facts have unknown sizes, so everything around them appears with them.
  const isAwaited =
    found === null ? listing.problem === null : offers.data === null && offers.problem === null;
  if (isAwaited) return <LoadingNotice what="the listing" />;
  const why = app.gone.get(found?.offerId ?? Number.NaN);
  const gone = why && goneWords[why];
  const name = found === null ? 'Listing' : `${found.gpuName} × ${found.numGpus}`;
  return (
    <>
      <ViewHead
        title={name}
        note={
          found === null ? '' : `${found.type}, machine ${found.machineId}, host ${found.hostId ?? 'unknown'}`
        }
      >
        {found !== null && isOwn && found.offerId !== null && (
          <Allowed app={app} permission={renting}>
            <a
              class="button primary"
              href={`/rent/${found.offerId}?${changedQuery(asked, { listing: id, type: found.type === 'bid' ? 'bid' : null })}`}
              title={gone?.title}
            >
              {gone?.label ?? 'Rent…'}
            </a>
          </Allowed>
        )}
        <Choice
          legend="Range"
          name="range"
          options={ranges}
          chosen={ranges.find(({ value }) => value === range)?.value ?? '30d'}
          choose={(value) => app.address.change({ range: value === '30d' ? null : value })}
        />
        {found !== null && status !== null && !isOwn && <NoAccount market={found.market} />}
        {found !== null && <AlertMe app={app} subject={listingSubject(found, asked)} />}
        {found !== null && (
          <Allowed app={app} permission={marking}>
            <Marking app={app} listing={found} />
          </Allowed>
        )}
      </ViewHead>
      <div class="folds">
        <ProfileForm query={query} change={app.address.change} maxDurationHours={hours} />
      </div>
      <section class="card" aria-label="Price of the listing" id="listing">
        {found !== null && (
          <OfferFacts listing={found} offers={offers} storageGb={query.get('storageGb') ?? '8'} />
        )}
        {found !== null && <Judgement listing={found} market={linkedMarket(query, found.market)} />}
        <Awaited answer={history} what="the history">
          {(shown) => <History history={shown} asked={asked} />}
        </Awaited>
      </section>
      <section class="card" aria-label="Machine">
        <Awaited answer={listing} what="the listing">
          {(shown) => <Machine listing={shown} market={linkedMarket(query, shown.market)} />}
        </Awaited>
      </section>
      {found !== null && (
        <HostRecord app={app} machineId={found.machineId} type={found.type} market={found.market} />
      )}
    </>
  );
}

/** Whether the price is low now, by the newest complete book. */
function Judgement({ listing, market }: { listing: Listing; market: string | null }) {
  const { id, newest, lowestVerified } = listing;
  if (newest !== null) {
    const priceQuery = explainQuery('listing', { listingId: id });
    return (
      <VerdictSentence judged={newest} verified={lowestVerified} priceQuery={priceQuery} market={market}>
        This offer:{' '}
      </VerdictSentence>
    );
  }
  return (
    <p class="judgement">
      Not in the newest complete book, so there is no verdict.{' '}
      {lowestVerified !== null && <LowestVerified verified={lowestVerified} />}
    </p>
  );
}

const endWords: Record<string, string> = {
  gone: 'disappeared',
  repriced: 'price changed',
  chunkTaken: 'part of the machine was taken',
};

function History({ history, asked }: { history: ListingHistory; asked: URLSearchParams }) {
  const { episodes, truncated, listingId, from, to } = history;
  const spans = pricedSpans(history);
  const explain = explainQuery('listing', { listingId, from, to }, asked);
  if (spans.length === 0) {
    return (
      <Notice title="Not listed in this range">
        No complete book in this range includes this listing. Choose a longer range.
      </Notice>
    );
  }
  return (
    <>
      <PriceSteps spans={spans} from={Date.parse(from)} to={Date.parse(to)} explain={explain} />
      <h2>Episodes</h2>
      <DataTable
        label="Episodes"
        id="episodes"
        tall
        stacks
        caption={`Each period listed at one price, newest first${truncated ? '; the oldest are left out' : ''}. It lasts until another price, or until two books (snapshots of the market) in a row lack the offer, and then ends with the first. If only one book lacks it, the period does not end.`}
        rows={episodes.toReversed()}
        keyOf={({ startedAt }) => startedAt}
        columns={[
          { head: 'Listed from', heads: true, cell: ({ startedAt }) => <Moment t={startedAt} /> },
          { head: 'Last seen', cell: ({ lastSeenAt }) => <Moment t={lastSeenAt} /> },
          {
            head: 'Listed for',
            unit: 'until first missed',
            number: true,
            field: 'listedForSeconds',
            value: ({ listedForSeconds }) => listedForSeconds,
            cell: ({ endedAt, listedForSeconds }) =>
              endedAt === null && listedForSeconds === 0 ? newWords : formatDuration(listedForSeconds * 1000),
          },
          {
            head: 'Last asking price, $/GPU-hour',
            number: true,
            field: 'lastAskUsdPerGpuHour',
            value: ({ lastAskUsdPerGpuHour }) => lastAskUsdPerGpuHour,
            cell: ({ lastAskUsdPerGpuHour }) => (
              <Explain query={explain}>{formatUsd(lastAskUsdPerGpuHour)}</Explain>
            ),
          },
          {
            head: 'Ended by',
            cell: ({ endedBy, rented }) =>
              `${endedBy === null ? 'not ended' : endWords[endedBy]}${rented === true ? ': rented' : ''}`,
          },
        ]}
      />
    </>
  );
}

function Machine({ listing, market }: { listing: Listing; market: string | null }) {
  const model = changedQuery(new URLSearchParams({ gpuName: listing.gpuName }), { market });
  const entries = Object.entries(listing.raw ?? {}).filter(([, value]) => value !== null);
  return (
    <>
      <p class="caption">
        Offer {listing.offerId ?? 'unknown'}, last seen{' '}
        <Moment t={listing.observedAt} none="in other crawls" />.{' '}
        <a href={`/trends?${model}`}>Trend of {listing.gpuName}</a>
      </p>
      <details class="values">
        <summary>The offer as the marketplace lists it ({formatCount(entries.length)} fields)</summary>
        <DataTable
          label="Fields of the offer"
          tall
          rows={entries}
          keyOf={([field]) => field}
          columns={[
            { head: 'Field', heads: true, cell: ([field]) => field },
            {
              head: 'Value',
              cell: ([, value]) => (typeof value === 'object' ? JSON.stringify(value) : String(value)),
            },
          ]}
        />
      </details>
    </>
  );
}
