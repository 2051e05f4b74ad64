import type { Quote, RentRequest } from '../../core/api.ts';
import { formatAmount, formatHourlyOfDay, formatUsd } from '../../core/figures.ts';
import { differAsShown } from '../../core/rounded-parts.ts';
import { sentenceCase } from '../../core/sentence-case.ts';
import { Failure } from '../../parts/failure.tsx';
import { Moment } from '../../parts/moment.tsx';
import { type KnownQuote, plannedWords } from './quoted.ts';
import { hoursLeft } from './use-fitting-hours.ts';
import type { Quoting } from './use-quote.ts';

interface Props {
  known: KnownQuote;
  quoting: Quoting;
  /** What must be filled in before there is a price; null: nothing. */
  missing: string | null;
  /** Whether the button was pressed, and the quote of the fields as they are is awaited. */
  isWanted: boolean;
}

/** What the rental would cost, renewed as the fields and the market change, and what would prevent it. */
export function TotalCard({ known, quoting, missing, isWanted }: Props) {
  const { quote, request, change } = known;
  const { isCurrent, problem } = quoting;
  const isUpdating = !isCurrent && problem === null;
  const against = reasonsAgainst(quote);
  return (
    <section class="card" aria-label="Total" id="quote" aria-busy={isUpdating}>
      <h2>
        Total with {quote.instance.diskGb} GB of disk
        <small data-updating={isUpdating}>
          {isUpdating ? (
            'Updating…'
          ) : (
            <>
              quoted <Moment t={quote.at} relative={false} />
            </>
          )}
        </small>
      </h2>
      <p class="total">
        <strong class="main" data-value={quote.usdPerHour}>
          {rateWords(quote.usdPerHour)}
        </strong>{' '}
        <span>{perDayWords(quote.usdPerHour)}</span>
      </p>
      {change !== null && (
        <p class="remark" role="status" data-change>
          The market changed the price: <ChangedPrice {...change} />
        </p>
      )}
      <Breakdown quote={quote} request={request} />
      {areRounded(quote) && (
        <p class="caption" data-rounded>
          Parts are rounded; the total is exact, and rounded once.
        </p>
      )}
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
      <Failure problem={problem} />
      <p class="row">
        <button
          type="submit"
          form="rent-form"
          class="primary"
          disabled={(isCurrent && !quote.wouldRent) || missing !== null}
        >
          {isWanted ? 'Getting the price…' : 'Rent this machine…'}
        </button>
        {missing !== null ? (
          <span class="soft">{missing}</span>
        ) : (
          !quote.wouldRent && <span class="soft">This rental would be refused.</span>
        )}
      </p>
    </section>
  );
}

/** A price before and after a change. */
export const ChangedPrice = ({ before, after }: NonNullable<KnownQuote['change']>) => (
  <strong>
    {rateWords(before)} → {rateWords(after)}
  </strong>
);

/** Returns everything that would refuse the rental, each with its name. */
export function reasonsAgainst({ guards, refusal, problems }: Quote): { kind: string; message: string }[] {
  const found = [
    ...guards.map(({ guard, message }) => ({ kind: guard, message })),
    ...(refusal === null ? [] : [refusal]),
    ...problems.map((message) => ({ kind: message, message })),
  ];
  return found
    .filter(({ message }, place) => found.findIndex((each) => each.message === message) === place)
    .map(({ kind, message }) => ({ kind, message: sentenceCase(message) }));
}

export const rateWords = (usdPerHour: string | null): string =>
  usdPerHour === null ? 'unknown' : `${formatAmount(usdPerHour, 4)}/hour`;

const perDayWords = (usdPerHour: string | null): string =>
  usdPerHour === null ? '' : `${formatAmount(String(Number(usdPerHour) * 24))}/day`;

/** Formats an amount; null: `unknown`. */
export const amountOrUnknown = (usd: string | null, decimals = 4): string =>
  usd === null ? 'unknown' : formatAmount(usd, decimals);

/** Whether the prices per hour, as they are shown, do not add up to the total as it is shown. */
function areRounded(quote: Quote): boolean {
  const { usdPerHour, baseUsdPerHour, bidUsdPerHour, storageUsdPerHour, volumeUsdPerHour } = quote;
  const parts = [bidUsdPerHour ?? baseUsdPerHour, storageUsdPerHour, volumeUsdPerHour].filter(
    (part) => part !== null,
  );
  return usdPerHour !== null && parts.length === 3 && differAsShown(usdPerHour, parts, 4);
}

/** The API's warning with its time as the page shows times. */
const EndsEarly = ({ quote: { endsAt } }: { quote: Quote }) => (
  <>
    The host ends the offer on <Moment t={endsAt} />, before the planned hours are over.
  </>
);

function Breakdown({ quote, request }: { quote: Quote; request: RentRequest }) {
  const { bidUsdPerHour, minBidUsdPerHour, volumeUsdPerHour } = quote;
  const rows: [name: string, label: string, value: string][] = [
    bidUsdPerHour === null
      ? ['machine', 'Machine', `${amountOrUnknown(quote.baseUsdPerHour)}/hour`]
      : ['bid', 'Bid', `${amountOrUnknown(bidUsdPerHour)}/hour`],
    ...(bidUsdPerHour === null
      ? []
      : [['minBid', 'Minimum bid', `${formatUsd(minBidUsdPerHour)}/hour`] as [string, string, string]]),
    ['disk', `Disk of ${quote.instance.diskGb} GB`, `${amountOrUnknown(quote.storageUsdPerHour)}/hour`],
    ...(Number(volumeUsdPerHour) === 0
      ? []
      : [['volume', 'Volume', `${amountOrUnknown(volumeUsdPerHour)}/hour`] as [string, string, string]]),
    ['planned', plannedWords(request, hoursLeft(quote)), amountOrUnknown(quote.allInUsd, 2)],
    [
      'stopped',
      'While stopped',
      quote.stoppedUsdPerDay === null ? 'unknown' : formatHourlyOfDay(quote.stoppedUsdPerDay),
    ],
  ];
  return (
    <table class="breakdown">
      <caption class="hidden">Parts of the total</caption>
      <tbody>
        {rows.map(([name, label, value]) => (
          <tr key={name}>
            <th scope="row">{label}</th>
            <td class="number" data-part={name}>
              {value}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
