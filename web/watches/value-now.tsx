import type { App } from '../core/app.ts';
import { countOf } from '../core/figures.ts';
import { Moment } from '../parts/moment.tsx';
import { valueWithUnit } from './metric-words.ts';
import { usePast } from './use-past.ts';

interface Props {
  app: App;
  /** The rule as the API takes it; null: incomplete. */
  rule: Record<string, unknown> | null;
}

/** The current value of the form's rule, with a warning if it would fire at once or never. */
export function ValueNow({ app, rule }: Props) {
  const { latest, isCurrent } = usePast(app, rule);
  // The result of an earlier rule would look like that of this one.
  if (latest === null || !isCurrent) return null;
  const { books, firings, from, firstAt, now, unit, markets } = latest;
  const known = markets.filter((each) => each.now !== null);
  return (
    <div class="value-now" role="status" data-value={now?.value ?? null} data-unit={unit}>
      <p class="caption">
        {known.length === 0 && 'Current value: unknown, because there is no complete book.'}
        {known.map(({ market, now: seen }) => (
          <span key={market} data-market={market} data-value={seen?.value}>
            Current value{markets.length > 1 && ` in ${market}`}:{' '}
            <strong>
              {seen?.value == null
                ? 'none, because no matching offer has one'
                : valueWithUnit(seen.value, unit)}
            </strong>
            , book of <Moment t={seen?.at ?? ''} />.{' '}
          </span>
        ))}
      </p>
      {known.some((each) => each.now?.fires) && (
        <p class="remark" data-warning="fires-at-once">
          It would fire at once: its condition holds in the newest book.
        </p>
      )}
      {books > 0 && firings.length === 0 && (
        <p class="remark" data-warning="never-fired">
          It would never have fired in the {countOf(books, 'complete book')} since{' '}
          <Moment t={firstAt ?? from} />.
        </p>
      )}
    </div>
  );
}
