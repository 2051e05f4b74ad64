import { useState } from 'preact/hooks';
import { listBudgets } from '../../client/operations.js';
import type { Backtest, Channel, Rule, Watch } from '../core/api.ts';
import type { App } from '../core/app.ts';
import { defaultMetric, metricOptions } from '../core/metrics.ts';
import { pathTo } from '../core/path-to.ts';
import { useAction } from '../core/use-action.ts';
import { useAnswer } from '../core/use-answer.ts';
import { Select, Switch } from '../parts/choice.tsx';
import { Failure } from '../parts/failure.tsx';
import { Tried } from './backtest.tsx';
import { startingChannels } from './chosen-channels.ts';
import { unitOfMetric } from './metric-words.ts';
import { addUnderWatches, NotifiesNobodyYet, notifiedChannels } from './notifies-nobody.tsx';
import { filledParams, isFilledIn, type RuleKind, type RuleParam, ruleParams } from './rule-kinds.ts';
import {
  changedOptions,
  firstOptions,
  optionFields,
  optionsOf,
  RuleOptionFields,
  type RuleOptions,
} from './rule-options.tsx';
import { noLimitUsd, suggestedPrice } from './suggested-price.ts';
import { usePast } from './use-past.ts';
import { ValueNow } from './value-now.tsx';

interface Props {
  app: App;
  kinds: Readonly<Record<string, RuleKind>>;
  /** null: a rule on events. */
  watch: Watch | null;
  channels: readonly Channel[];
  /** The rule that is changed, whose kind is the only one. @default a new one */
  changed?: Rule;
  saved: () => void;
  /** Leaves a changed rule as it is. @default there is nothing to leave */
  close?: () => void;
}

/** Adds or changes a rule; a watch's rule can be tested on the past first. */
export function RuleForm({ app, kinds, watch, channels, changed, saved, close }: Props) {
  const [kind, setKind] = useState(Object.keys(kinds)[0] ?? '');
  const [typed, setTyped] = useState<Record<string, string>>(() => filledParams(changed?.params ?? {}));
  const [perListing, setPerListing] = useState(changed?.params.perListing === true);
  const [chosen, setChosen] = useState<RuleOptions | null>(
    changed === undefined ? null : { ...optionsOf(changed), channelIds: [...changed.channelIds] },
  );
  const [tried, setTried] = useState<Backtest | null>(null);
  const action = useAction(app);
  const needed = kinds[kind] ?? { label: kind, params: [], perListing: false };
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const suggested = useSuggested(app, watch, kind, typed.metric);
  const params: Record<string, string> = { ...(suggested === null ? {} : { usd: suggested }), ...typed };
  const options = chosen ?? { ...firstOptions, channelIds: startingChannels(window, watch, channels) };
  const rule = () => ({
    ...(watch === null ? {} : { watchId: watch.id }),
    kind: kind as Rule['kind'],
    params: {
      ...ruleParams(needed, params),
      ...(needed.perListing && perListing ? { perListing: true } : {}),
    },
    ...optionFields(options, timeZone),
  });
  async function save(): Promise<unknown> {
    if (changed === undefined) return app.api.createRule({ body: rule() });
    const { params } = rule();
    const kept = changedOptions(options, changed, timeZone);
    return app.api.updateRule({
      id: changed.id,
      body: { params, ...kept, channelIds: options.channelIds },
    });
  }
  const done = changed === undefined ? 'Alert added' : 'Alert changed';
  const notified = notifiedChannels(options, watch, channels);
  return (
    <>
      <form
        aria-label={changed === undefined ? 'New alert' : 'Changed alert'}
        onSubmit={(event) => {
          event.preventDefault();
          void action.run(async () => {
            await save();
            saved();
            return notified.length > 0
              ? `${done}.`
              : { warning: `${done}, but it notifies nobody: it has no channel.` };
          });
        }}
      >
        <div class="fields">
          {changed === undefined && (
            <Select
              label="Alert when"
              name="rule-kind"
              options={Object.entries(kinds).map(([value, { label }]) => ({ value, label }))}
              value={kind}
              choose={(value) => {
                setKind(value);
                setTyped({});
                setTried(null);
              }}
            />
          )}
          {needed.params.map((param) => (
            <Param
              key={kind + param.name}
              app={app}
              param={param}
              unit={param.inMetric === true ? unitOfMetric(params.metric) : null}
              value={params[param.name]}
              set={(value) => setTyped({ ...typed, [param.name]: value })}
            />
          ))}
          {needed.perListing && (
            <Switch label="Each listing" name="per-listing" on={perListing} change={setPerListing} />
          )}
          {watch !== null && (
            <button
              type="button"
              disabled={action.busy}
              onClick={() =>
                void action.run(async () => {
                  setTried(await app.api.backtestRule({ body: rule() }));
                  return undefined;
                })
              }
            >
              Backtest
            </button>
          )}
          {changed === undefined && (
            <button type="submit" class="primary" disabled={action.busy}>
              Add alert
            </button>
          )}
        </div>
        {watch !== null && <ValueNow app={app} rule={isFilledIn(needed, params) ? rule() : null} />}
        <RuleOptionFields
          options={options}
          set={setChosen}
          channels={channels}
          unless={watch === null ? 'nobody is notified' : 'the channels of the watch'}
        />
        {changed !== undefined && (
          <p class="row">
            <button type="submit" class="primary" disabled={action.busy}>
              Save change
            </button>
            <button type="button" disabled={action.busy} onClick={close}>
              Cancel
            </button>
          </p>
        )}
        {changed === undefined && isFilledIn(needed, params) && (
          <NotifiesNobodyYet
            notified={notified}
            channels={channels}
            none={watch === null ? 'add a channel below' : addUnderWatches}
            hint="choose a channel in the options above"
          />
        )}
      </form>
      <Failure problem={action.problem} />
      {tried !== null && <Tried kind={kind} backtest={tried} />}
    </>
  );
}

/** The price to start with, a little below the lowest one now; empty: not known; null: the rule has no price. */
function useSuggested(
  app: App,
  watch: Watch | null,
  kind: string,
  metric: string | undefined,
): string | null {
  const isPrice = watch !== null && kind === 'priceBelow';
  const params = { metric: metric ?? defaultMetric, usd: noLimitUsd };
  const { latest, isCurrent } = usePast(app, isPrice ? { watchId: watch.id, kind, params } : null);
  if (!isPrice) return null;
  return isCurrent ? suggestedPrice(latest?.now?.value ?? null) : '';
}

interface ParamProps {
  app: App;
  param: RuleParam;
  /** Unit or name of the field; null: in the label. */
  unit: string | null;
  /** undefined: not filled in. */
  value: string | undefined;
  set: (value: string) => void;
}

function Param({ app, param, unit, value, set }: ParamProps) {
  const { name, label, unset, kind = 'number' } = param;
  if (kind === 'budget') return <BudgetParam app={app} label={label} value={value ?? ''} set={set} />;
  if (kind === 'metric') {
    return (
      <Select
        label={label}
        name={`rule-${name}`}
        options={metricOptions('rules')}
        value={value ?? unset}
        choose={set}
      />
    );
  }
  if (kind === 'direction') {
    const directions = ['any', 'up', 'down'].map((each) => ({ value: each, label: each }));
    return (
      <Select label={label} name={`rule-${name}`} options={directions} value={value ?? unset} choose={set} />
    );
  }
  return (
    <label class={kind === 'number' ? 'field narrow' : 'field'}>
      <span>{unit === null ? label : `${label}, ${unit}`}</span>
      <input
        name={`rule-${name}`}
        inputMode={kind === 'number' ? 'decimal' : 'text'}
        required
        value={value ?? unset}
        onInput={({ currentTarget }) => set(currentTarget.value)}
      />
    </label>
  );
}

function BudgetParam({
  app,
  label,
  value,
  set,
}: {
  app: App;
  label: string;
  value: string;
  set: (value: string) => void;
}) {
  const { data } = useAnswer(app, pathTo(listBudgets, {}));
  const options = (data?.items ?? []).map(({ id, label: of }) => ({ value: id, label: of ?? 'everything' }));
  return (
    <Select
      label={label}
      name="rule-budgetId"
      options={[
        { value: '', label: options.length === 0 ? 'None yet: add one under Spend' : 'Choose' },
        ...options,
      ]}
      value={value}
      choose={set}
    />
  );
}
