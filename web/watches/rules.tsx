import { useState } from 'preact/hooks';
import { listRules } from '../../client/operations.js';
import type { Channel, Rule, Watch } from '../core/api.ts';
import type { App } from '../core/app.ts';
import { pathTo } from '../core/path-to.ts';
import { reasonFor } from '../core/permission.ts';
import { useAction } from '../core/use-action.ts';
import { useAnswer } from '../core/use-answer.ts';
import { Reason } from '../parts/allowed.tsx';
import { Switch } from '../parts/choice.tsx';
import { DataTable } from '../parts/data-table.tsx';
import { Failure } from '../parts/failure.tsx';
import { Awaited } from '../parts/notice.tsx';
import { NotifiesNobody, notifiedChannels } from './notifies-nobody.tsx';
import { RuleAlerts } from './rule-alerts.tsx';
import { RuleForm } from './rule-form.tsx';
import { ruleInWords, triggerInWords } from './rule-kinds.ts';

interface Props {
  app: App;
  /** null: rules on events, without a watch. */
  watch: Watch | null;
  channels: readonly Channel[];
}

/** The rules of a watch or of the account: add, test on the past, switch on and off. */
export function Rules({ app, watch, channels }: Props) {
  const rules = useAnswer(app, pathTo(listRules, { watchId: watch?.id, limit: 1000 }));
  const action = useAction(app);
  const reason = reasonFor(app, { to: 'add rules' });
  const [shown, setShown] = useState<Rule | null>(null);
  const nameOf = (id: string) => channels.find((channel) => channel.id === id)?.name ?? id;
  return (
    <section class="card" aria-label="Alerts" id="rules">
      <h2>
        {watch === null ? 'Alerts on the account' : 'Alerts'}
        <small>
          {watch === null
            ? 'on instances, budgets, crawls and channels, checked every 30 seconds'
            : 'sent when a book makes a rule fire: to the rule’s channels, else to the watch’s'}
        </small>
      </h2>
      <Awaited answer={rules} what="the rules">
        {({ items: all }) => {
          const items = all.filter(({ watchId }) => watchId === (watch?.id ?? null));
          return items.length === 0 ? (
            <p class="caption">
              {watch === null ? 'No rules yet.' : 'No rules yet. Backtest one below, then add it.'}
            </p>
          ) : (
            <DataTable
              label="Rules"
              stacks
              rows={items}
              keyOf={({ id }) => id}
              columns={[
                { head: 'Rule', heads: true, cell: ruleInWords },
                {
                  head: 'Notifies',
                  cell: (rule: Rule) => {
                    const notified = notifiedChannels(rule, watch, channels);
                    return notified.length === 0 ? <NotifiesNobody /> : notified.map(nameOf).join(', ');
                  },
                },
                ...(watch === null
                  ? []
                  : [
                      {
                        head: 'Fires when met in',
                        cell: ({ of }: Rule) => triggerInWords(of),
                      },
                    ]),
                {
                  head: 'On',
                  field: 'enabled',
                  value: ({ enabled }) => enabled,
                  cell: ({ id, enabled }) =>
                    reason !== null ? (
                      enabled ? (
                        'yes'
                      ) : (
                        'no'
                      )
                    ) : (
                      <Switch
                        label="On"
                        name={`on-${id}`}
                        on={enabled}
                        change={(on) =>
                          void action.run(async () => {
                            await app.api.updateRule({ id, body: { enabled: on } });
                            rules.reload();
                            return on ? 'Rule on.' : 'Rule off.';
                          })
                        }
                      />
                    ),
                },
                {
                  head: 'Actions',
                  actions: true,
                  cell: (rule) => (
                    <span class="row nowrap">
                      <button
                        type="button"
                        class="small"
                        aria-expanded={shown?.id === rule.id}
                        onClick={() => setShown(shown?.id === rule.id ? null : rule)}
                      >
                        Alerts
                      </button>
                      {reason === null && (
                        <button
                          type="button"
                          class="small danger"
                          disabled={action.busy}
                          onClick={() =>
                            void action.run(async () => {
                              await app.api.deleteRule({ id: rule.id });
                              rules.reload();
                              return 'Rule deleted.';
                            })
                          }
                        >
                          Delete
                        </button>
                      )}
                    </span>
                  ),
                },
              ]}
            />
          );
        }}
      </Awaited>
      {shown !== null && (
        <div>
          <RuleAlerts key={shown.id} app={app} rule={shown} isPlural={(watch?.markets.length ?? 1) > 1} />
        </div>
      )}
      <Failure problem={action.problem} />
      {reason === null ? (
        <RuleForm app={app} watch={watch} channels={channels} added={rules.reload} />
      ) : (
        <Reason>{reason}</Reason>
      )}
    </section>
  );
}
