import { useState } from 'preact/hooks';
import type { Quote, Rented } from '../core/acting-api.ts';
import type { App } from '../core/app.ts';
import { formatAmount, formatUsd } from '../core/figures.ts';
import { useAction } from '../core/use-action.ts';
import { Confirm } from '../parts/dialog.tsx';
import { Failure } from '../parts/failure.tsx';
import { Moment } from '../parts/moment.tsx';
import type { ViewProps } from '../parts/view.ts';
import { ViewHead } from '../parts/view-head.tsx';
import { type Options, RentFields } from './rent-form.tsx';
import { type Fields, firstFields, wishOf } from './rent-wish.ts';

/** Rents an offer: what to run, a fresh quote with its warnings, then one more question. */
export function RentView({ app }: ViewProps) {
  const { path, query } = app.address.place.value;
  const offerId = Number(path.split('/')[2] ?? Number.NaN);
  const bid = query.get('type') === 'bid';
  const [fields, setFields] = useState<Fields>(() => firstFields(query));
  const [options, setOptions] = useState<Options>({ destroys: false, replaces: false });
  const [quote, setQuote] = useState<Quote | null>(null);
  const quoting = useAction(app);
  const what = query.get('what') ?? `offer ${offerId}`;
  const wish = { offerId, ...wishOf(fields, { bid, ...options }) };
  return (
    <>
      <ViewHead title={`Rent ${what}`} note={bid ? 'by a bid' : 'on demand'} />
      <section class="card" aria-label="What to rent" id="rent">
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void quoting.run(async () => {
              setQuote(await app.api.send<Quote>('POST', '/api/quotes', wish));
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
              setQuote(null);
            }}
            choose={(chosen) => {
              setOptions(chosen);
              setQuote(null);
            }}
          />
          <p class="row">
            <button type="submit" class="primary" disabled={quoting.busy}>
              {quoting.busy ? 'Asking the market …' : 'Quote'}
            </button>
            <a class="button" href="/deals">
              Back to the deals
            </a>
          </p>
          <Failure problem={quoting.problem} />
        </form>
      </section>
      {quote !== null && <QuoteCard key={quote.at} app={app} quote={quote} wish={wish} what={what} />}
    </>
  );
}

/** The quoted price, rounded up to a millionth of a dollar: a number cannot hold all of its decimals. */
const capOf = ({ usdPerHour }: Quote) => Math.ceil(Number(usdPerHour) * 1e6) / 1e6;

interface QuoteProps {
  app: App;
  quote: Quote;
  wish: Record<string, unknown>;
  what: string;
}

function QuoteCard({ app, quote, wish, what }: QuoteProps) {
  const [asking, setAsking] = useState(false);
  // One key a quote: whatever happens to the answer, one instance at most comes of it.
  const [key] = useState(() => crypto.randomUUID());
  const action = useAction(app);
  const against = [
    ...quote.guards.map(({ guard, message }) => ({ kind: guard, message })),
    ...(quote.refusal === null ? [] : [quote.refusal]),
    ...quote.problems.map((message) => ({ kind: message, message })),
  ];
  async function rent(): Promise<string> {
    const body = { maxUsdPerHour: capOf(quote), ...wish };
    const rented = await app.api.send<Rented>('POST', '/api/instances', body, { 'idempotency-key': key });
    setAsking(false);
    app.address.go('/instances');
    return rented.state === 'failed'
      ? `Nothing was rented: ${rented.reason ?? 'the market refused'}.`
      : `${what} is rented for ${formatAmount(rented.usdPerHour, 4)} an hour.`;
  }
  return (
    <section class="card" aria-label="Quote" id="quote">
      <h2>
        Quote
        <small>
          asked for <Moment t={quote.at} />
        </small>
      </h2>
      <dl class="figures">
        <div>
          <dt>In all</dt>
          <dd class="main" data-value={quote.usdPerHour}>
            {formatAmount(quote.usdPerHour, 4)} an hour
          </dd>
        </div>
        <div>
          <dt>{quote.bidUsdPerHour === null ? 'Machine' : 'Bid'}</dt>
          <dd>{formatAmount(quote.bidUsdPerHour ?? quote.baseUsdPerHour, 4)}</dd>
        </div>
        <div>
          <dt>Disk</dt>
          <dd>{formatAmount(quote.storageUsdPerHour, 4)}</dd>
        </div>
        <div>
          <dt>While stopped</dt>
          <dd>{formatAmount(quote.stoppedUsdPerDay, 4)} a day</dd>
        </div>
        <div>
          <dt>30 days running</dt>
          <dd>{formatAmount(quote.allInUsd)}</dd>
        </div>
        {quote.minBidUsdPerHour !== null && quote.bidUsdPerHour !== null && (
          <div>
            <dt>Minimum bid</dt>
            <dd>{formatUsd(quote.minBidUsdPerHour)}</dd>
          </div>
        )}
        <div>
          <dt>The host ends it</dt>
          <dd>
            <Moment t={quote.endsAt} none="not stated" />
          </dd>
        </div>
      </dl>
      {quote.warnings.length > 0 && (
        <ul class="sentences" aria-label="Warnings">
          {quote.warnings.map(({ kind, message }) => (
            <li key={kind} data-warning={kind}>
              {message}
            </li>
          ))}
        </ul>
      )}
      {against.length > 0 && (
        <ul class="sentences failure" aria-label="Why it would be refused">
          {against.map(({ kind, message }) => (
            <li key={kind} data-refusal={kind}>
              {message}
            </li>
          ))}
        </ul>
      )}
      <p class="row">
        <button type="button" class="primary" disabled={!quote.wouldRent} onClick={() => setAsking(true)}>
          Rent …
        </button>
        {!quote.wouldRent && <span class="soft">It would be refused as things stand.</span>}
      </p>
      {asking && (
        <Confirm
          title={`Rent ${what}?`}
          action={`Rent for ${formatAmount(quote.usdPerHour, 4)} an hour`}
          busy={action.busy}
          close={() => setAsking(false)}
          confirm={() => void action.run(rent)}
        >
          <p>
            {formatAmount(quote.usdPerHour, 4)} an hour from the start on until it is destroyed; stopped, its
            disk still costs {formatAmount(quote.stoppedUsdPerDay, 4)} a day. Should the price have risen
            meanwhile, nothing is rented.
          </p>
          {quote.warnings.length > 0 && (
            <p class="soft">{quote.warnings.map(({ message }) => message).join(' ')}</p>
          )}
          <Failure problem={action.problem} />
        </Confirm>
      )}
    </section>
  );
}
