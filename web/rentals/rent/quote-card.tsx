import { useState } from 'preact/hooks';
import type { Quote, RentRequest } from '../../core/api.ts';
import type { App } from '../../core/app.ts';
import { formatAmount, formatUsd } from '../../core/figures.ts';
import { useAction } from '../../core/use-action.ts';
import { Confirm } from '../../parts/dialog.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Moment } from '../../parts/moment.tsx';
import { VerdictSentence } from '../../parts/verdict-sentence.tsx';
import { WaitOrRent } from '../../parts/wait-or-rent.tsx';
import { comparableOf, raiseOf } from './comparable-offers.ts';
import { offerTitle, QuotedOfferFacts } from './quoted-offer.tsx';

/** Returns the quoted price rounded up to a millionth of a dollar, because a number cannot hold all its decimals. */
const capOf = ({ usdPerHour }: Quote) => Math.ceil(Number(usdPerHour) * 1e6) / 1e6;

interface QuoteProps {
  app: App;
  quote: Quote;
  /** The quoted request, which is rented exactly. */
  request: RentRequest;
  /** The address with the search's filters. */
  query: URLSearchParams;
}

/** A quote with its warnings, and the confirmation before renting. All of its text comes from the quote. */
export function QuoteCard({ app, quote, request, query }: QuoteProps) {
  const [asking, setAsking] = useState(false);
  // One key per quote, so that at most one instance is created whatever happens to the response.
  const [key] = useState(() => crypto.randomUUID());
  const action = useAction(app);
  const against = [
    ...quote.guards.map(({ guard, message }) => ({ kind: guard, message })),
    ...(quote.refusal === null ? [] : [quote.refusal]),
    ...quote.problems.map((message) => ({ kind: message, message })),
  ];
  async function rent(): Promise<string> {
    const body = { ...request, offerId: quote.offerId, maxUsdPerHour: capOf(quote) };
    const rented = await app.api.rentInstance({ body, idempotencyKey: key });
    setAsking(false);
    app.address.go('/instances');
    if (!('state' in rented)) return 'The request was only quoted.';
    return rented.state === 'failed'
      ? `Nothing was rented: ${rented.reason ?? 'the market refused'}.`
      : `${rented.gpuName} × ${rented.numGpus} rented for ${formatAmount(rented.usdPerHour, 4)}/hour.`;
  }
  const facts = <QuotedOfferFacts offer={quote.offer} diskGb={quote.instance.diskGb} />;
  return (
    <section class="card" aria-label="Quote" id="quote">
      <h2>
        Quote
        <small>
          {offerTitle(quote.offer)}, quoted <Moment t={quote.at} />
        </small>
      </h2>
      {facts}
      {quote.listed !== null && (
        <VerdictSentence
          judged={{ ...quote.listed, verdict: quote.verdict }}
          verified={quote.lowestVerified}
          priceQuery={null}
          market={null}
        >
          Per GPU-hour{' '}
        </VerdictSentence>
      )}
      <QuotedPrices quote={quote} />
      <WaitOrRent app={app} asked={comparableOf(quote, query)} raisePercent={raiseOf(quote)} />
      {quote.warnings.length > 0 && (
        <ul class="sentences" aria-label="Warnings">
          {quote.warnings.map(({ kind, message }) => (
            <li key={kind} data-warning={kind}>
              {kind === 'ends-early' ? <EndsEarly quote={quote} /> : message}
            </li>
          ))}
        </ul>
      )}
      {against.length > 0 && (
        <ul class="sentences failure" aria-label="Reasons for refusal">
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
        {!quote.wouldRent && <span class="soft">This rental would be refused.</span>}
      </p>
      {asking && (
        <Confirm
          title={`Rent ${offerTitle(quote.offer)}?`}
          action={`Rent for ${formatAmount(quote.usdPerHour, 4)}/hour`}
          busy={action.busy}
          close={() => setAsking(false)}
          confirm={() => void action.run(rent)}
        >
          {facts}
          <p>
            {formatAmount(quote.usdPerHour, 4)}/hour from the start until you stop or destroy it. While
            stopped, its disk costs {amountOrUnknown(quote.stoppedUsdPerDay)}/day. <Ends quote={quote} /> If
            the price has risen in the meantime, nothing is rented.
          </p>
          {quote.warnings.length > 0 && (
            <p class="soft">
              {quote.warnings
                .filter(({ kind }) => kind !== 'ends-early')
                .map(({ message }) => message)
                .join(' ')}
            </p>
          )}
          <Failure problem={action.problem} />
        </Confirm>
      )}
    </section>
  );
}

const Ends = ({ quote: { endsAt } }: { quote: Quote }) =>
  endsAt === null ? (
    <>The market does not say when the host’s offer ends.</>
  ) : (
    <>
      The host’s offer ends <Moment t={endsAt} />.
    </>
  );

/** The API's warning with its time as the page shows times. */
const EndsEarly = ({ quote: { endsAt } }: { quote: Quote }) => (
  <>
    The host ends the offer on <Moment t={endsAt} />, before the hours of the usage profile are over.
  </>
);

const amountOrUnknown = (usd: string | null, decimals = 4): string =>
  usd === null ? 'unknown' : formatAmount(usd, decimals);

function QuotedPrices({ quote }: { quote: Quote }) {
  const { bidUsdPerHour, minBidUsdPerHour } = quote;
  return (
    <dl class="figures">
      <div>
        <dt>Total</dt>
        <dd class="main" data-value={quote.usdPerHour}>
          {quote.usdPerHour === null ? 'unknown' : `${formatAmount(quote.usdPerHour, 4)}/hour`}
        </dd>
      </div>
      <div>
        <dt>{bidUsdPerHour === null ? 'Machine' : 'Bid'}</dt>
        <dd>{amountOrUnknown(bidUsdPerHour ?? quote.baseUsdPerHour)}</dd>
      </div>
      <div>
        <dt>Disk</dt>
        <dd>{amountOrUnknown(quote.storageUsdPerHour)}</dd>
      </div>
      <div>
        <dt>While stopped</dt>
        <dd>
          {quote.stoppedUsdPerDay === null ? 'unknown' : `${amountOrUnknown(quote.stoppedUsdPerDay)}/day`}
        </dd>
      </div>
      <div>
        <dt>30 days running</dt>
        <dd>{amountOrUnknown(quote.allInUsd, 2)}</dd>
      </div>
      {minBidUsdPerHour !== null && bidUsdPerHour !== null && (
        <div>
          <dt>Minimum bid</dt>
          <dd>{formatUsd(minBidUsdPerHour)}</dd>
        </div>
      )}
      <div>
        <dt>Host’s offer ends</dt>
        <dd data-fact="endsAt">
          <Moment t={quote.endsAt} none="unknown" />
        </dd>
      </div>
    </dl>
  );
}
