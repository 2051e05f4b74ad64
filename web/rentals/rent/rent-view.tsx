import { useState } from 'preact/hooks';
import type { Quote, RentRequest } from '../../core/api.ts';
import type { App } from '../../core/app.ts';
import { useAction } from '../../core/use-action.ts';
import { Failure } from '../../parts/failure.tsx';
import type { ViewProps } from '../../parts/view.ts';
import { ViewHead } from '../../parts/view-head.tsx';
import { QuoteCard } from './quote-card.tsx';
import { offerTitle } from './quoted-offer.tsx';
import { type Options, RentFields } from './rent-form.tsx';
import { type Fields, firstFields, rentRequestOf } from './rent-request.ts';

/** Rents an offer: what to run, a fresh quote with its warnings, then a confirmation. */
export function RentView({ app }: ViewProps) {
  const { path, query } = app.address.place.value;
  const offerId = Number(path.split('/')[2] ?? Number.NaN);
  const bid = query.get('type') === 'bid';
  // Another address starts from scratch, without this quote.
  return <RentOffer key={`${offerId} ${bid}`} app={app} offerId={offerId} bid={bid} query={query} />;
}

interface OfferProps {
  app: App;
  offerId: number;
  bid: boolean;
  /** Initial values of the form. */
  query: URLSearchParams;
}

function RentOffer({ app, offerId, bid, query }: OfferProps) {
  const [fields, setFields] = useState<Fields>(() => firstFields(query));
  const [options, setOptions] = useState<Options>({ destroys: false, replaces: false });
  const [quoted, setQuoted] = useState<{ quote: Quote; request: RentRequest } | null>(null);
  const quoting = useAction(app);
  const request = { offerId, ...rentRequestOf(fields, { bid, ...options }) };
  // The address may be wrong; only the market knows the offer.
  const what = quoted === null ? `offer ${offerId}` : offerTitle(quoted.quote.offer);
  return (
    <>
      <ViewHead title={`Rent ${what}`} note={bid ? 'bid' : 'on-demand'} />
      <section class="card" aria-label="Rental" id="rent">
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void quoting.run(async () => {
              setQuoted({ quote: await app.api.createQuote({ body: request }), request });
              return undefined;
            });
          }}
        >
          <RentFields
            bid={bid}
            fields={fields}
            options={options}
            set={(changed) => {
              setFields(changed);
              setQuoted(null);
            }}
            choose={(chosen) => {
              setOptions(chosen);
              setQuoted(null);
            }}
          />
          <p class="row">
            <button type="submit" class="primary" disabled={quoting.busy}>
              {quoting.busy ? 'Getting a quote …' : 'Get quote'}
            </button>
            <a class="button" href="/deals">
              Back to deals
            </a>
          </p>
          <Failure problem={quoting.problem} />
        </form>
      </section>
      {quoted !== null && <QuoteCard key={quoted.quote.at} app={app} query={query} {...quoted} />}
    </>
  );
}
