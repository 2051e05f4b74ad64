import { useState } from 'preact/hooks';
import type { Backtest, Rule, Watch } from '../core/account-api.ts';
import type { App } from '../core/app.ts';
import { countOf, formatUsd } from '../core/figures.ts';
import { useAction } from '../core/use-action.ts';
import { useAnswer } from '../core/use-answer.ts';
import type { Page } from '../core/use-pages.ts';
import { Select, Switch } from '../parts/choice.tsx';
import { DataTable } from '../parts/data-table.tsx';
import { Failure } from '../parts/failure.tsx';
import { Moment } from '../parts/moment.tsx';
import { Awaited } from '../parts/notice.tsx';
import { RuleAlerts } from './rule-alerts.tsx';
import { ruleInWords, ruleKinds } from './rule-kinds.ts';

/** The rules of a watch: made here, tried on the past first, switched on and off. */
export function WatchRules({ app, watch }: { app: App; watch: Watch }) {
  const rules = useAnswer<Page<Rule>>(app, `/api/rules?watchId=${watch.id}&limit=1000`);
  const action = useAction(app);
  const [shown, setShown] = useState<string | null>(null);
  return (
    <section class="card" aria-label="Alerts" id="rules">
      <h2>
        Alerts<small>told to the watch’s channels when a book makes a rule fire</small>
      </h2>
      <Awaited answer={rules} what="the rules">
        {({ items }) =>
          items.length === 0 ? (
            <p class="caption">No rule yet. Try one on the past below, then add it.</p>
          ) : (
            <DataTable
              label="Rules"
              rows={items}
              keyOf={({ id }) => id}
              columns={[
                { head: 'rule', heads: true, cell: ruleInWords },
                { head: 'held in', cell: ({ of }) => `${of.m} of ${countOf(of.n, 'book')}` },
                {
                  head: 'on',
                  cell: ({ id, enabled }) => (
                    <Switch
                      label="on"
                      name={`on-${id}`}
                      on={enabled}
                      change={(on) =>
                        void action.run(async () => {
                          await app.api.send('PATCH', `/api/rules/${id}`, { enabled: on });
                          rules.reload();
                          return on ? 'The rule is on.' : 'The rule is off.';
                        })
                      }
                    />
                  ),
                },
                {
                  head: 'do',
                  cell: ({ id }) => (
                    <span class="row nowrap">
                      <button
                        type="button"
                        class="small"
                        aria-expanded={shown === id}
                        onClick={() => setShown(shown === id ? null : id)}
                      >
                        Alerts
                      </button>
                      <button
                        type="button"
                        class="small danger"
                        disabled={action.busy}
                        onClick={() =>
                          void action.run(async () => {
                            await app.api.send('DELETE', `/api/rules/${id}`);
                            rules.reload();
                            return 'The rule is ended.';
                          })
                        }
                      >
                        End
                      </button>
                    </span>
                  ),
                },
              ]}
            />
          )
        }
      </Awaited>
      {shown !== null && <RuleAlerts app={app} ruleId={shown} />}
      <Failure problem={action.problem} />
      <NewRule app={app} watch={watch} added={rules.reload} />
    </section>
  );
}

interface NewRuleProps {
  app: App;
  watch: Watch;
  added: () => void;
}

function NewRule({ app, watch, added }: NewRuleProps) {
  const [kind, setKind] = useState('priceBelow');
  const [params, setParams] = useState<Record<string, string>>({});
  const [perListing, setPerListing] = useState(false);
  const [of, setOf] = useState({ m: '1', n: '1' });
  const [cooldown, setCooldown] = useState('');
  const [tried, setTried] = useState<Backtest | null>(null);
  const action = useAction(app);
  const needed = ruleKinds[kind] ?? { label: kind, params: [], perListing: false };
  const rule = () => ({
    watchId: watch.id,
    kind,
    params: {
      ...Object.fromEntries(needed.params.map(({ name, unset }) => [name, Number(params[name] ?? unset)])),
      ...(needed.perListing && perListing ? { perListing: true } : {}),
    },
    of: { m: Number(of.m), n: Number(of.n) },
    ...(cooldown.trim() === '' ? {} : { cooldownMinutes: Number(cooldown) }),
  });
  return (
    <>
      <form
        class="fields"
        aria-label="New rule"
        onSubmit={(event) => {
          event.preventDefault();
          void action.run(async () => {
            await app.api.send('POST', '/api/rules', rule());
            added();
            return 'The rule is added.';
          });
        }}
      >
        <Select
          label="Tell me when"
          name="rule-kind"
          options={Object.entries(ruleKinds).map(([value, { label }]) => ({ value, label }))}
          value={kind}
          choose={(value) => {
            setKind(value);
            setParams({});
            setTried(null);
          }}
        />
        {needed.params.map(({ name, label, unset }) => (
          <label key={kind + name} class="field narrow">
            <span>{label}</span>
            <input
              name={`rule-${name}`}
              type="number"
              step="any"
              required
              value={params[name] ?? unset}
              onInput={({ currentTarget }) => setParams({ ...params, [name]: currentTarget.value })}
            />
          </label>
        ))}
        {(['m', 'n'] as const).map((name) => (
          <label key={name} class="field narrow">
            <span>{name === 'm' ? 'Held in' : 'of the last books'}</span>
            <input
              name={`rule-${name}`}
              type="number"
              min={1}
              required
              value={of[name]}
              onInput={({ currentTarget }) => setOf({ ...of, [name]: currentTarget.value })}
            />
          </label>
        ))}
        <label class="field narrow" title="A firing that would come sooner is put off">
          <span>Quiet after, min</span>
          <input
            name="cooldown"
            type="number"
            min={0}
            placeholder="none"
            value={cooldown}
            onInput={({ currentTarget }) => setCooldown(currentTarget.value)}
          />
        </label>
        {needed.perListing && (
          <Switch label="Each listing" name="per-listing" on={perListing} change={setPerListing} />
        )}
        <button
          type="button"
          disabled={action.busy}
          onClick={() =>
            void action.run(async () => {
              setTried(await app.api.send<Backtest>('POST', '/api/rules/backtest', rule()));
              return undefined;
            })
          }
        >
          Try on the past
        </button>
        <button type="submit" class="primary" disabled={action.busy}>
          Add rule
        </button>
      </form>
      <Failure problem={action.problem} />
      {tried !== null && <Tried backtest={tried} />}
    </>
  );
}

function Tried({ backtest: { from, to, books, count, firings } }: { backtest: Backtest }) {
  return (
    <div id="backtest" data-count={count}>
      <p class="caption" role="status">
        It would have fired {countOf(count, 'time')} over {countOf(books, 'book')} from <Moment t={from} /> to{' '}
        <Moment t={to} />.
      </p>
      {firings.length > 0 && (
        <DataTable
          label="When it would have fired"
          tall
          rows={firings.toReversed()}
          keyOf={({ at }) => at}
          columns={[
            { head: 'at', heads: true, cell: ({ at }) => <Moment t={at} /> },
            {
              head: 'value',
              number: true,
              field: 'value',
              value: ({ value }) => value,
              cell: ({ value }) => formatUsd(value),
            },
            { head: 'against', number: true, cell: ({ baseline }) => formatUsd(baseline) },
            { head: 'before', number: true, cell: ({ previous }) => formatUsd(previous) },
            { head: 'sent', cell: ({ capped }) => (capped ? 'no: daily cap' : 'yes') },
          ]}
        />
      )}
    </div>
  );
}
