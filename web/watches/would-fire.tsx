import { Fragment } from 'preact';
import type { Backtest } from '../core/api.ts';
import { countOf } from '../core/figures.ts';
import { Moment } from '../parts/moment.tsx';
import { Term } from '../parts/term.tsx';
import type { NextBook } from './next-book.ts';

/** Whether the value now is below a price; false if it is unknown. */
export function isBelow(past: Pick<Backtest, 'now'> | null, usd: number): boolean {
  const value = past?.now?.value ?? null;
  return value !== null && value < usd;
}

interface Props {
  /** null: it is being tested. */
  past: Backtest | null;
  /** Whether the price is below the limit now; null: not known, or nobody is notified of it. */
  isBelow: boolean | null;
  next: NextBook;
  /** Books that must have met the condition. */
  books: number;
  price: string;
  /** Whether it fires again only after its condition has ended. */
  isOnce: boolean;
  /** Whether its limit is changed, so that it fires as a new one. */
  startsAgain: boolean;
  /** That it has fired for this price, and when it fires again; null: it has not. */
  again: string | null;
}

/** How often an alert would have come, and whether it comes at once. */
export function WouldFire({ past, isBelow: fires, next, books, price, isOnce, startsAgain, again }: Props) {
  return (
    <div role="status" data-count={past?.count ?? null}>
      {fires === true && again !== null && <p class="remark">{again}</p>}
      {fires === true && again === null && (
        <p class="remark" data-warning="fires-at-once">
          The price is below {price} already:{' '}
          {startsAgain ? 'changed, the alert starts again, and' : 'the alert'}{' '}
          {books > 1 ? (
            `fires once ${countOf(books, 'book')} have said so`
          ) : (
            <>
              fires at the next book
              <When next={next} />
            </>
          )}
          {isOnce && ', and again after the price has been back up'}.
        </p>
      )}
      {fires !== true && (fires === false || isOnce) && (
        <p class="caption">
          {fires === false && `The price is not below ${price} now. `}
          You are notified once{fires === false && ' it is'}
          {isOnce && ', and again after the price has been back up'}.
        </p>
      )}
      <p class="caption">
        {past === null ? (
          'Testing it on the past…'
        ) : past.books === 0 ? (
          'It cannot be tested: there is no complete book of the last 30 days.'
        ) : (
          <>
            In the <Term word="book">{countOf(past.books, 'book')}</Term> since{' '}
            <Moment t={past.firstAt ?? past.from} relative={false} /> it would{' '}
            {past.count === 0 ? (
              'not have fired.'
            ) : (
              <>
                have fired {countOf(past.count, 'time')}
                <Firings past={past} price={price} />.
              </>
            )}
          </>
        )}
      </p>
    </div>
  );
}

const maxNamed = 3;

/** When it would have fired: every moment of a few, the first of many. */
function Firings({ past: { firings, firstAt, count }, price }: { past: Backtest; price: string }) {
  const sent = firings.filter(({ capped }) => !capped).slice(0, count > maxNamed ? 1 : maxNamed);
  const isMetFirst = sent[0]?.at === firstAt;
  return (
    <>
      {count > maxNamed ? ', first ' : ': '}
      {sent.map(({ at }, place) => (
        <Fragment key={at}>
          {place > 0 && (place === sent.length - 1 ? `${isMetFirst ? ',' : ''} and ` : ', ')}
          {at === firstAt ? (
            `at the beginning, as the price was below ${price} already`
          ) : (
            <>
              on <Moment t={at} relative={false} />
            </>
          )}
        </Fragment>
      ))}
    </>
  );
}

/**
 * `, by 27 Nov 2026, 03:30 (in 8 min)`, because a crawl by hand may come first; `, usually within a minute and in 10 minutes
 * at most`, because a new watch's first book is crawled at once; or nothing.
 */
function When({ next }: { next: NextBook }) {
  if (next === null) return null;
  if ('withinMinutes' in next)
    return <>, usually within a minute and in {countOf(next.withinMinutes, 'minute')} at most</>;
  return (
    <>
      , by <Moment t={next.at} expected />
    </>
  );
}
