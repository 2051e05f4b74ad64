import { afterEndWords } from '../../core/ending-words.ts';
import { formatHourlyOfDay } from '../../core/figures.ts';
import type { Action } from '../../core/use-action.ts';
import { Confirm } from '../../parts/dialog.tsx';
import { type Fact, Facts } from '../../parts/facts.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Moment } from '../../parts/moment.tsx';
import { machineWords, offerTitle } from './machine-card.tsx';
import { isSame, type KnownQuote, plannedWords, type Quoted, trafficWords } from './quoted.ts';
import { untilWords } from './rent-request.ts';
import { amountOrUnknown, ChangedPrice, rateWords, reasonsAgainst } from './total-card.tsx';
import { hoursLeft } from './use-fitting-hours.ts';

interface Props {
  /** What the reader is asked to confirm. */
  asked: Quoted;
  /** The newest quote. */
  known: KnownQuote;
  action: Action;
  /** Whether an attempt got no clear answer, so that it is repeated as it was. */
  isRepeated: boolean;
  /** Asks about the newest quote instead. */
  accept: () => void;
  rent: () => void;
  close: () => void;
}

/** Confirms a rental. If the price changes while it is open, the reader has to accept the new one first. */
export function RentDialog({ asked, known, action, isRepeated, accept, rent, close }: Props) {
  const { quote, request } = asked;
  const [before, after] = [quote.usdPerHour, known.quote.usdPerHour];
  const isChanged = isSame(request, known.request) && before !== after && !isRepeated;
  const against = isRepeated ? [] : reasonsAgainst(known.quote);
  const facts: Fact[] = [
    ['gpus', 'GPUs', offerTitle(quote.offer)],
    ['machine', 'Machine', machineWords(quote.offer)],
    ['image', 'Image', quote.instance.image ?? 'of the template'],
    ['disk', 'Disk', `${quote.instance.diskGb} GB`],
    ...(request.label === undefined || request.label === null
      ? []
      : [['label', 'Label', request.label] satisfies Fact]),
    ['total', 'Total', rateWords(before)],
    ['planned', plannedWords(request, hoursLeft(quote)), amountOrUnknown(quote.allInUsd, 2)],
    ['traffic', 'Traffic, not in the total', trafficWords(quote.offer)],
  ];
  return (
    <Confirm
      title={`Rent ${offerTitle(quote.offer)}?`}
      action={isChanged ? `Accept ${rateWords(after)}` : `Rent for ${rateWords(before)}`}
      busy={action.busy || (against.length > 0 && !isChanged)}
      close={close}
      confirm={isChanged ? accept : rent}
    >
      <Facts facts={facts} />
      {isChanged && (
        <p class="remark" role="alert" data-change>
          The price has changed: <ChangedPrice before={before} after={after} />. Nothing is rented at the new
          price until you accept it.
        </p>
      )}
      <p>
        {rateWords(before)} from when it runs until {untilWords(request, hoursLeft(quote))}. While it starts
        or is stopped, its disk costs{' '}
        {quote.stoppedUsdPerDay === null ? 'an unknown amount' : formatHourlyOfDay(quote.stoppedUsdPerDay)}.{' '}
        {quote.endsAt === null ? (
          'The market does not say when the host ends it.'
        ) : (
          <>
            The host ends it <Moment t={quote.endsAt} />. {afterEndWords}
          </>
        )}{' '}
        Nothing is rented above this price.
      </p>
      {quote.warnings.length > 0 && (
        <p class="soft">
          {quote.warnings
            .filter(({ kind }) => kind !== 'ends-early')
            .map(({ message }) => message)
            .join(' ')}
        </p>
      )}
      {against.map(({ kind, message }) => (
        <p key={kind} class="failure" role="alert">
          {message}
        </p>
      ))}
      {isRepeated && (
        <p class="remark" role="alert">
          The last attempt got no clear answer. Trying again repeats exactly that request, so that at most one
          instance is rented.
        </p>
      )}
      <Failure problem={action.problem} />
    </Confirm>
  );
}
