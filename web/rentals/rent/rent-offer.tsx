import { useEffect, useRef, useState } from 'preact/hooks';
import type { App } from '../../core/app.ts';
import { useAction } from '../../core/use-action.ts';
import { useLookedAt } from '../../core/use-looked-at.ts';
import { profileHours } from '../../parts/filter-fields.ts';
import { HostRecord } from '../../parts/host-record.tsx';
import { LoadingNotice, ProblemNotice } from '../../parts/notice.tsx';
import { ViewHead } from '../../parts/view-head.tsx';
import { WaitOrRent } from '../../parts/wait-or-rent.tsx';
import { offerSet, statedTrust } from '../../prices/deals/reliable-query.ts';
import { BackToDeals } from './back-to-deals.tsx';
import { Buying } from './buying.tsx';
import { comparableOf, judgedBy, raiseOf } from './comparable-offers.ts';
import { GoneOffer } from './gone-offer.tsx';
import { MachineCard, offerTitle } from './machine-card.tsx';
import { RentFields } from './rent-form.tsx';
import {
  endingOf,
  type Fields,
  firstFields,
  missingIn,
  type Options,
  rentRequestOf,
} from './rent-request.ts';
import { useFirstBid } from './use-first-bid.ts';
import { hoursLeft, useFittingHours } from './use-fitting-hours.ts';
import { useQuote } from './use-quote.ts';

interface Props {
  app: App;
  offerId: number;
  bid: boolean;
  /** Initial values of the form, and the filters of the search. */
  query: URLSearchParams;
}

/** The title before the offer is known, with room for what is added to it then: its number is seen nowhere else. */
export const LoadingHead = ({ app, query }: Pick<Props, 'app' | 'query'>) => (
  <ViewHead title="Rent" note={'\u00a0'}>
    <BackToDeals app={app} query={query} />
  </ViewHead>
);

/** One offer: its machine, the form, the total, and what the market has instead once it is gone. */
export function RentOffer({ app, offerId, bid, query }: Props) {
  const [fields, setFields] = useState<Fields>(() => firstFields(query));
  const [options, setOptions] = useState<Options>({ ending: 'keep', replaces: false });
  const [submits, setSubmits] = useState(0);
  const action = useAction(app);
  const lasts = useRef<number | null>(null);
  const ending = endingOf(options.ending, fields.runningHours, lasts.current);
  const request = { offerId, ...rentRequestOf(fields, { bid, ...options, ending }) };
  const quoting = useQuote(app, request, action.busy);
  const { known, problem } = quoting;
  lasts.current = known === null ? null : hoursLeft(known.quote);
  const status = app.status.state.value.data;
  const own = status?.market.name;
  const trust = statedTrust(new URLSearchParams(), app.markets.value, status);
  useLookedAt(app, own === undefined ? [] : [own], known === null ? [] : [known.quote.offer.gpuName]);
  const isGone = problem?.status === 410;
  if (!isGone && known !== null) app.gone.delete(offerId);
  else if (isGone && !app.gone.has(offerId)) app.gone.set(offerId, 'missing');
  const hasBid = useFirstBid(bid, known, setFields);
  const hasHours = useFittingHours(known, { fields, isChosen: query.has('runningHours') }, setFields);
  // The next best offer replaces the one that had the focus.
  const shown = useRef(offerId);
  useEffect(() => {
    if (shown.current === offerId) return;
    shown.current = offerId;
    document.getElementById('main')?.focus({ preventScroll: true });
    // What was asked of another offer, and its refusal, are not about this one.
    setSubmits(0);
    action.clear();
  }, [offerId]);
  const isLoading = known === null && problem === null;
  // The address may be wrong; only the market knows the offer.
  const what = known === null ? `offer ${offerId}` : offerTitle(known.quote.offer);
  const head = isLoading ? (
    <LoadingHead app={app} query={query} />
  ) : (
    <ViewHead title={known === null && isGone ? 'Rent' : `Rent ${what}`} note={bid ? 'bid' : 'on-demand'}>
      <BackToDeals app={app} query={query} />
    </ViewHead>
  );
  if (isGone) {
    return (
      <>
        {head}
        <GoneOffer
          app={app}
          known={known}
          offerId={offerId}
          query={query}
          bid={bid}
          request={request}
          renew={quoting.renew}
        />
      </>
    );
  }
  if (known === null || (!(hasBid && hasHours) && problem === null)) {
    return (
      <>
        {head}
        {problem === null ? (
          <LoadingNotice what="the offer from the market" />
        ) : (
          <ProblemNotice problem={problem} retry={quoting.renew} />
        )}
      </>
    );
  }
  const { offer } = known.quote;
  return (
    <>
      {head}
      <MachineCard quote={known.quote} />
      <WaitOrRent
        app={app}
        asked={comparableOf(known.quote, query)}
        raisePercent={raiseOf(known.quote)}
        set={offerSet(query, trust)}
        offer={{
          asked: judgedBy(known.quote, query, trust),
          usdPerGpuHour: known.quote.listed?.usdPerGpuHour ?? null,
        }}
      />
      <div class="rent">
        <section class="card" aria-label="Rental" id="rent">
          <form
            id="rent-form"
            onSubmit={(event) => {
              event.preventDefault();
              setSubmits(submits + 1);
            }}
          >
            <RentFields
              bid={bid}
              maxHours={hoursLeft(known.quote)}
              profileHours={profileHours(query)}
              fields={fields}
              options={options}
              set={setFields}
              choose={setOptions}
            />
          </form>
        </section>
        <Buying
          app={app}
          known={known}
          quoting={quoting}
          action={action}
          submits={submits}
          missing={missingIn(fields, bid)}
        />
        <HostRecord app={app} machineId={offer.machineId} type={bid ? 'bid' : 'on-demand'} />
      </div>
    </>
  );
}
