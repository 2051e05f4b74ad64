import type { Channel, Rule, Watch } from '../core/api.ts';
import type { App } from '../core/app.ts';
import { reasonFor } from '../core/permission.ts';
import type { Answer } from '../core/use-answer.ts';
import type { Page } from '../core/use-pages.ts';
import { Reason } from '../parts/allowed.tsx';
import { Awaited, Notice } from '../parts/notice.tsx';
import { AlertTable } from './alert-table.tsx';
import { eventKindsOf } from './event-kinds.ts';
import { PriceAlertOn } from './price-alert-on.tsx';
import { RuleForm } from './rule-form.tsx';
import { ruleKinds } from './rule-kinds.ts';

interface Props {
  app: App;
  /** null: all alerts, with a form for those that need no watch. */
  watch: Watch | null;
  watches: readonly Watch[];
  rules: Answer<Page<Rule>>;
  channels: readonly Channel[];
}

/** The alerts of a watch, or all: add, test on the past, change, switch on and off. */
export function Rules({ app, watch, watches, rules, channels }: Props) {
  const reason = reasonFor(app, { to: 'add alerts' });
  const added =
    watch === null ? eventKindsOf(app.status.state.value.data) : { title: null, kinds: ruleKinds };
  return (
    <section class="card" aria-label="Alerts" id="rules">
      <h2>
        Alerts
        {watch !== null && <small>each notifies its own channels, else those of the watch</small>}
      </h2>
      <Awaited answer={rules} what="the alerts">
        {({ items }) => {
          const listed = watch === null ? items : items.filter(({ watchId }) => watchId === watch.id);
          if (listed.length > 0) {
            return (
              <AlertTable
                app={app}
                rules={listed}
                watches={watches}
                channels={channels}
                ofOneWatch={watch !== null}
                mayChange={reason === null}
                reload={rules.reload}
              />
            );
          }
          return watch === null ? (
            <Notice title="No alerts yet">
              {reason === null && !('missing' in added) ? (
                <>
                  Add one below, or with the bell beside a model of <a href="/market">Market</a>.
                </>
              ) : undefined}
            </Notice>
          ) : (
            <p class="caption">No alerts yet.</p>
          );
        }}
      </Awaited>
      {reason !== null ? (
        <Reason>{reason}</Reason>
      ) : 'missing' in added ? (
        <Reason>{added.missing}</Reason>
      ) : (
        <>
          {added.title !== null && (
            <>
              <PriceAlertOn app={app} />
              <h3>{added.title}</h3>
            </>
          )}
          <RuleForm app={app} kinds={added.kinds} watch={watch} channels={channels} saved={rules.reload} />
        </>
      )}
    </section>
  );
}
