import { useEffect, useState } from 'preact/hooks';
import type { Backtest } from '../core/api.ts';
import type { App } from '../core/app.ts';
import { countOf } from '../core/figures.ts';
import { Moment } from '../parts/moment.tsx';
import { valueWithUnit } from './metric-words.ts';

/** Delay after the last change before the rule is tested. */
const patienceMs = 400;

interface Props {
  app: App;
  /** The rule as the API takes it; null: incomplete. */
  rule: Record<string, unknown> | null;
}

/** The current value of the form's rule, with a warning if it would fire at once or never. */
export function ValueNow({ app, rule }: Props) {
  const past = usePast(app, rule);
  if (past === null) return null;
  const { books, firings, from, now, unit, markets } = past;
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
          It would never have fired in the {countOf(books, 'complete book')} since <Moment t={from} />.
        </p>
      )}
    </div>
  );
}

/** Tests a rule on the whole history, some time after the last change, one at a time. */
function usePast(app: App, rule: Record<string, unknown> | null): Backtest | null {
  const [past, setPast] = useState<{ of: string; answer: Backtest | null } | null>(null);
  const asked = rule === null ? null : JSON.stringify({ ...rule, wholeHistory: true });
  const version = app.landed.value;
  useEffect(() => {
    if (asked === null) return;
    let over = false;
    const keep = (answer: Backtest | null) => {
      if (!over) setPast({ of: asked, answer });
    };
    const timer = setTimeout(() => {
      app.api.backtestRule({ body: JSON.parse(asked) }).then(keep, () => keep(null));
    }, patienceMs);
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [app, asked, version]);
  // Ignores the result of an earlier rule.
  return past === null || past.of !== asked ? null : past.answer;
}
