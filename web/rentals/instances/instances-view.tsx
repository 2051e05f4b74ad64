import { useState } from 'preact/hooks';
import { getActions, listInstances } from '../../../client/operations.js';
import type { Instance } from '../../core/api.ts';
import type { App } from '../../core/app.ts';
import { countOf, formatAmount } from '../../core/figures.ts';
import { pathTo } from '../../core/path-to.ts';
import { managing, reasonFor } from '../../core/permission.ts';
import { useAction } from '../../core/use-action.ts';
import { useAnswer } from '../../core/use-answer.ts';
import { useLive } from '../../core/use-live.ts';
import { AccountTabs } from '../../parts/account-tabs.tsx';
import { Reason } from '../../parts/allowed.tsx';
import { Explain, explainQuery } from '../../parts/explain.tsx';
import { Failure } from '../../parts/failure.tsx';
import { LiveState } from '../../parts/live-state.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Awaited, Notice } from '../../parts/notice.tsx';
import type { ViewProps } from '../../parts/view.ts';
import { ViewHead } from '../../parts/view-head.tsx';
import { BidDialog } from './bid-dialog.tsx';
import { EndDialog, type Ending } from './end-dialog.tsx';
import { type Asked, InstanceTable } from './instance-table.tsx';
import { LimitsDialog } from './limits-dialog.tsx';
import { SettleDialog } from './settle-dialog.tsx';

/** The account's instances: live states, costs, and actions to stop, start or destroy them. */
export function InstancesView({ app, status }: ViewProps) {
  const { events, changed, state } = useLive(['instance', 'rental']);
  const instances = useAnswer(app, pathTo(listInstances, {}), changed);
  const [ending, setEnding] = useState<Ending | null>(null);
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = () => {
    setEnding(null);
    setAsked(null);
  };
  const done = () => {
    close();
    instances.reload();
  };
  const reason = reasonFor(app, managing);
  const extension = useAction(app);
  const extend = ({ instanceId, label }: Instance) =>
    void extension.run(async () => {
      await app.api.extendInstance({ id: Number(instanceId) });
      instances.reload();
      return `The end of ${label ?? instanceId} is put off.`;
    });
  // A dialog shows the instance's current state, not the state when it was opened.
  const asOfNow = (shown: Instance): Instance =>
    instances.data?.items.find(
      ({ instanceId, rentalId }) => instanceId === shown.instanceId && rentalId === shown.rentalId,
    ) ?? shown;
  return (
    <>
      <ViewHead title="Instances">
        <AccountTabs path="/instances" />
        {reason === null ? (
          <KillSwitch app={app} version={events.count('actions')} />
        ) : (
          <Reason>{reason}</Reason>
        )}
        <LiveState state={state} />
      </ViewHead>
      <section class="card" aria-label="Instances" id="instances">
        <Awaited answer={instances} what="the instances">
          {({ items, totalUsdPerHour, unpriced }) =>
            items.length === 0 ? (
              status?.instances === null ? (
                <Notice title="Instances unknown">The account’s instances have not been listed yet.</Notice>
              ) : (
                <Notice title="No instances">
                  Choose an offer under <a href="/deals">Deals</a> and rent it.
                </Notice>
              )
            ) : (
              <>
                <p class="figures-line">
                  <strong data-value={totalUsdPerHour} data-unpriced={unpriced}>
                    <Explain query={explainQuery('instance', {})}>
                      {totalWords(totalUsdPerHour, items.length, unpriced)}
                    </Explain>
                  </strong>
                  , {countOf(items.length, 'instance')}
                </p>
                <InstanceTable
                  items={items}
                  actions={reason === null ? { end: setEnding, ask: setAsked, extend } : null}
                />
                <Failure problem={extension.problem} />
              </>
            )
          }
        </Awaited>
      </section>
      {ending !== null && (
        <EndDialog
          app={app}
          ending={{ kind: ending.kind, instance: asOfNow(ending.instance) }}
          done={done}
          close={close}
        />
      )}
      {asked?.what === 'limits' && (
        <LimitsDialog app={app} instance={asOfNow(asked.instance)} done={done} close={close} />
      )}
      {asked?.what === 'bid' && (
        <BidDialog app={app} instance={asOfNow(asked.instance)} done={done} close={close} />
      )}
      {asked?.what === 'settle' && (
        <SettleDialog
          app={app}
          rental={asked.instance}
          instances={instances.data?.items ?? []}
          done={done}
          close={close}
        />
      )}
    </>
  );
}

/** Formats the sum of known prices, with the number of unknown ones. */
function totalWords(usd: string, instances: number, unpriced: number): string {
  if (unpriced >= instances) return 'Total $/hour unknown';
  const missing = unpriced === 0 ? '' : ` and ${unpriced} with unknown price`;
  return `Total ${formatAmount(usd, 4)}/hour${missing}`;
}

function KillSwitch({ app, version }: { app: App; version: number }) {
  const answer = useAnswer(app, pathTo(getActions, {}), version);
  const action = useAction(app);
  const actions = answer.data;
  if (actions?.setting === false) {
    return <p class="soft">Renting is disabled in the settings (ACTIONS).</p>;
  }
  // Its space is reserved until it is known.
  const on = actions?.enabled ?? true;
  return (
    <div class="choosers">
      <button
        type="button"
        class={on ? 'danger' : 'primary'}
        disabled={action.busy || actions === null}
        title="Applies to every process. Stopping and destroying stay allowed"
        onClick={() =>
          void action.run(async () => {
            await app.api.switchActions({ body: { enabled: !on } });
            answer.reload();
            return on ? 'New rentals are disabled everywhere.' : 'New rentals are enabled.';
          })
        }
      >
        {on ? 'Disable new rentals' : 'Enable new rentals'}
      </button>
      {!on && actions != null && actions.killSwitch !== null && (
        <span class="soft" data-kill>
          Disabled by {actions.killSwitch.changedBy}, <Moment t={actions.killSwitch.changedAt} />
        </span>
      )}
      <Failure problem={action.problem} />
    </div>
  );
}
