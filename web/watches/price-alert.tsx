import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { listRuleAlerts } from '../../client/operations.js';
import type { AlertSubject } from '../core/alert-subject.ts';
import type { Backtest, Rule } from '../core/api.ts';
import { problemText } from '../core/api-client.ts';
import type { App } from '../core/app.ts';
import { countOf, formatUsd } from '../core/figures.ts';
import { defaultMetric, metricNames } from '../core/metrics.ts';
import { pathTo } from '../core/path-to.ts';
import { useAnswer } from '../core/use-answer.ts';
import { useLive } from '../core/use-live.ts';
import { Switch } from '../parts/choice.tsx';
import { Failure } from '../parts/failure.tsx';
import { AlertsContext } from '../parts/known-alerts.tsx';
import { Moment } from '../parts/moment.tsx';
import { alertsOn, equalPriceAlert, withSaved } from './alerts-on.ts';
import { ExistingAlerts } from './existing-alerts.tsx';
import { firesAgainWords } from './fires-again.ts';
import { GpuCounts } from './gpu-counts.tsx';
import { amountInMetric, perUnit } from './metric-words.ts';
import { nextBook } from './next-book.ts';
import { PriceField, PriceProblem } from './price-field.tsx';
import { countedOffers, reliableSubject } from './reliable-subject.ts';
import { changedOptions, firstOptions, optionFields, optionsOf, RuleOptionFields } from './rule-options.tsx';
import { SavedAlert } from './saved-alert.tsx';
import { noLimitUsd, priceOf, suggestedPrice } from './suggested-price.ts';
import { usePast } from './use-past.ts';
import { watchFields, watchMarkets } from './watch-fields.ts';
import { isBelow, WouldFire } from './would-fire.tsx';

interface Props {
  app: App;
  subject: Extract<AlertSubject, { kind: 'offers' }>;
  close: () => void;
}

/** An alert when the lowest price of some offers falls below a limit. */
export function PriceAlert({ app, subject, close }: Props) {
  const [typed, setTyped] = useState<string | null>(null);
  const [changed, setChanged] = useState<Rule | null>(subject.changed ?? null);
  const [options, setOptions] = useState(changed === null ? firstOptions : optionsOf(changed));
  const [saved, setSaved] = useState<Rule | null>(null);
  const [isReliable, setReliable] = useState(true);
  const reliable = reliableSubject(app, subject);
  const { query } = (isReliable && reliable) || subject;
  const { pool, whatCounts } = countedOffers(app, query);
  const known = useContext(AlertsContext);
  const input = useRef<HTMLInputElement>(null);
  const wanted = changed === null ? subject.metric : changed.params.metric;
  const metric = metricNames.rules.find((name) => name === wanted) ?? defaultMetric;
  const watch = {
    ...watchMarkets(query, app.markets.value ?? []),
    ...watchFields(query),
  };
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const asChanged = changed && changedOptions(options, changed, timeZone);
  const ruleBelow = (usd: number) => ({
    watch,
    kind: 'priceBelow',
    params: { metric, usd },
    ...(asChanged ?? optionFields(options, timeZone)),
  });
  const now = usePast(app, { watch, kind: 'priceBelow', params: { metric, usd: noLimitUsd } });
  const first = now.latest;
  const text =
    typed ?? (changed === null ? suggestedPrice(first?.now?.value ?? null) : `${changed.params.usd}`);
  const usd = priceOf(text);
  const price = usd === null ? '' : amountInMetric(usd, metric);
  const tested = usePast(app, usd === null || first === null ? null : ruleBelow(usd));
  const startsAgain =
    changed !== null &&
    (changed.params.usd !== usd || `${changed.of.m} ${changed.of.n}` !== `${options.m} ${options.n}`);
  const { data: fired } = useAnswer(
    app,
    changed === null ? null : pathTo(listRuleAlerts, { id: changed.id, limit: 1 }),
    useLive(['alert']).changed,
  );
  const willFire = changed === null || (changed.enabled && (startsAgain || fired !== null));
  // Typing replaces the suggestion.
  useEffect(() => {
    if (typed === null) input.current?.select();
  }, [text, changed]);
  const ofAll = known === null ? [] : alertsOn(known, subject);
  const ofReliable = known === null || reliable === null ? [] : alertsOn(known, reliable);
  const existing = withSaved([...ofAll, ...ofReliable], saved);
  const own = isReliable && reliable !== null ? ofReliable : ofAll;
  const equal = equalPriceAlert(own, { metric, usd }, changed);
  const isRefused = tested.isCurrent && tested.problem !== null;
  const canTest = usd !== null && equal === null && now.problem === null && !isRefused;
  const change = (rule: Rule | null) => {
    setChanged(rule);
    setTyped(null);
    setOptions(rule === null ? firstOptions : optionsOf(rule));
    if (rule !== null) setReliable(ofReliable.some(({ id }) => id === rule.id));
  };
  return (
    <>
      {known !== null && (
        <ExistingAlerts
          app={app}
          rules={existing}
          own={changed?.id ?? saved?.id ?? null}
          known={known.rules}
          watches={known.watches}
          canChange={({ id, kind }) => kind === 'priceBelow' && id !== changed?.id}
          change={change}
          switched={known.reload}
          deleted={({ id }) => {
            known.reload();
            setSaved(null);
            if (id === changed?.id) change(null);
          }}
          close={close}
        />
      )}
      <SavedAlert
        key={changed?.id ?? 'new'}
        app={app}
        close={close}
        changed={changed}
        rule={
          usd === null || equal !== null
            ? null
            : changed === null
              ? ruleBelow(usd)
              : { ...asChanged, params: { ...changed.params, usd } }
        }
        saved={setSaved}
        says={`${subject.name}, ${pool}, below ${price}`}
        watch={first?.watch ?? null}
      >
        {existing.length > 0 && <h3>{changed === null ? 'Add another' : 'Change this alert'}</h3>}
        <PriceField begins="When the lowest" metric={metric} text={text} set={setTyped} input={input} />
        {now.problem === null ? (
          <PriceNow past={first} metric={metric} pool={pool} />
        ) : (
          <p class="remark" role="status" data-warning="price-unknown">
            The price now is unknown, so the alert may fire at once. {problemText(now.problem)}{' '}
            <button type="button" class="small" onClick={now.again}>
              Try again
            </button>
          </p>
        )}
        {reliable !== null && changed === null && (
          <Switch label="Reliable" name="alert-reliable" on={isReliable} change={setReliable} />
        )}
        <p class="caption" data-reliable={reliable === null ? null : isReliable}>
          {whatCounts}
        </p>
        <GpuCounts app={app} query={query} close={close} />
        {changed === null && (
          <p class="caption of-watch" data-watch={first === null ? null : (first.watch?.name ?? '')}>
            {first !== null &&
              (first.watch === null
                ? 'Saving also makes a watch of these offers, under Watches.'
                : `It belongs to your watch ${first.watch.name}.`)}
          </p>
        )}
        <div class="would-fire">
          <PriceProblem text={text} usd={usd} />
          {equal !== null && (
            <p class="remark" role="status" data-warning="same">
              There is an alert at {price} already{equal.enabled ? '' : ', switched off'}: enter another
              price.
            </p>
          )}
          {tested.isCurrent && <Failure problem={tested.problem} />}
          {canTest && (
            <WouldFire
              past={tested.isCurrent ? tested.latest : null}
              isBelow={
                !willFire || first?.now?.value == null
                  ? null
                  : tested.isCurrent
                    ? tested.latest?.now?.fires === true
                    : isBelow(first, usd)
              }
              next={nextBook(app.status.state.value.data, query)}
              books={Number(options.m)}
              price={price}
              isOnce={options.rearm === 'leave'}
              startsAgain={startsAgain}
              again={
                changed === null || startsAgain
                  ? null
                  : firesAgainWords({ ...changed, ...asChanged }, fired?.items[0] ?? null)
              }
            />
          )}
        </div>
        <RuleOptionFields before={changed} options={options} set={setOptions} channels={[]} unless="" />
      </SavedAlert>
    </>
  );
}

/** The value now and the supply behind it. */
function PriceNow({ past, metric, pool }: { past: Backtest | null; metric: string; pool: string }) {
  const now = past?.now ?? null;
  return (
    <p class="caption price-now" role="status" data-now={now?.value ?? null}>
      {past === null ? (
        'Reading the price now…'
      ) : now === null ? (
        'The price now is unknown: there is no complete book yet.'
      ) : now.value === null ? (
        <>
          Now: no matching offer in the book of <Moment t={now.at} />.
        </>
      ) : (
        <>
          Lowest of {pool} now{' '}
          <strong>
            {formatUsd(now.value)} {perUnit(metric)}
          </strong>{' '}
          {now.numGpus !== null &&
            `for ${countOf(now.numGpus, 'GPU')}${now.numGpus === 1 ? '' : ' together'} `}
          (the lowest of {countOf(now.machines, 'machine')} that {now.machines === 1 ? 'matches' : 'match'}),
          book of <Moment t={now.at} />.
        </>
      )}
    </p>
  );
}
