import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Actions, Instance, Instances } from '../core/acting-api.ts';
import type { App } from '../core/app.ts';
import { type Events, followEvents } from '../core/events.ts';
import { countOf, formatAmount, formatFixed } from '../core/figures.ts';
import { useAction } from '../core/use-action.ts';
import { useAnswer } from '../core/use-answer.ts';
import { DataTable } from '../parts/data-table.tsx';
import { Failure } from '../parts/failure.tsx';
import { Icon } from '../parts/icon.tsx';
import { Moment } from '../parts/moment.tsx';
import { Awaited, Notice } from '../parts/notice.tsx';
import type { ViewProps } from '../parts/view.ts';
import { ViewHead } from '../parts/view-head.tsx';
import { EndDialog, type Ending } from './end-dialog.tsx';
import { HoursDialog } from './hours-dialog.tsx';
import { possibleActions, stateWords } from './state-words.ts';

const pollMs = 15_000;

/** What the account has: live states, what each has cost, and the way to stop, start or destroy it. */
export function InstancesView({ app }: ViewProps) {
  const events = useMemo(() => followEvents(window), []);
  useEffect(() => () => events.close(), [events]);
  const changed = events.count('instance') + events.count('rental') + usePolls(events);
  const instances = useAnswer<Instances>(app, '/api/instances', changed);
  const [ending, setEnding] = useState<Ending | null>(null);
  const [timing, setTiming] = useState<Instance | null>(null);
  const done = () => {
    setEnding(null);
    setTiming(null);
    instances.reload();
  };
  return (
    <>
      <ViewHead title="Instances">
        <KillSwitch app={app} version={events.count('actions')} />
        <p class="soft" data-stream={events.open.value ? 'open' : 'closed'}>
          {events.open.value ? 'Live' : `Asked every ${pollMs / 1_000} s: the stream of events is closed`}
        </p>
      </ViewHead>
      <section class="card" aria-label="Instances" id="instances">
        <Awaited answer={instances} what="the instances">
          {({ items, totalUsdPerHour }) =>
            items.length === 0 ? (
              <Notice title="Nothing is rented">
                Choose an offer under <a href="/deals">deals</a> and rent it there.
              </Notice>
            ) : (
              <>
                <p class="figures-line">
                  <strong data-value={totalUsdPerHour}>{formatAmount(totalUsdPerHour, 4)}</strong> an hour in
                  all, {countOf(items.length, 'instance')}
                </p>
                <InstanceTable items={items} end={setEnding} time={setTiming} />
              </>
            )
          }
        </Awaited>
      </section>
      {ending !== null && <EndDialog app={app} ending={ending} done={done} close={() => setEnding(null)} />}
      {timing !== null && (
        <HoursDialog app={app} instance={timing} done={done} close={() => setTiming(null)} />
      )}
    </>
  );
}

/** Grows from time to time while the stream of events is closed. */
function usePolls(events: Events): number {
  const [polls, setPolls] = useState(0);
  const open = events.open.value;
  useEffect(() => {
    if (open) return;
    const timer = setInterval(() => setPolls((count) => count + 1), pollMs);
    return () => clearInterval(timer);
  }, [open]);
  return polls;
}

function KillSwitch({ app, version }: { app: App; version: number }) {
  const answer = useAnswer<Actions>(app, '/api/actions', version);
  const action = useAction(app);
  const actions = answer.data;
  if (actions === null) return null;
  if (!actions.setting) {
    return <p class="soft">Renting is off by the settings (ACTIONS).</p>;
  }
  const on = actions.enabled;
  return (
    <div class="choosers">
      <button
        type="button"
        class={on ? 'danger' : 'primary'}
        disabled={action.busy}
        title="New rents in every process; stopping and destroying stay allowed"
        onClick={() =>
          void action.run(async () => {
            await app.api.send('POST', '/api/actions', { enabled: !on });
            answer.reload();
            return on ? 'New rents are stopped everywhere.' : 'Rents are allowed again.';
          })
        }
      >
        {on ? 'Stop all new rents' : 'Allow rents again'}
      </button>
      {!on && actions.killSwitch !== null && (
        <span class="soft" data-kill>
          Stopped by {actions.killSwitch.changedBy}, <Moment t={actions.killSwitch.changedAt} />
        </span>
      )}
      <Failure problem={action.problem} />
    </div>
  );
}

interface TableProps {
  items: readonly Instance[];
  end: (ending: Ending) => void;
  time: (instance: Instance) => void;
}

const nameOf = ({ instanceId, rentalId }: Instance) => String(instanceId ?? rentalId ?? 'unknown');

function InstanceTable({ items, end, time }: TableProps) {
  return (
    <DataTable
      label="List of instances"
      id="instance-table"
      rows={items}
      keyOf={nameOf}
      columns={[
        {
          head: 'instance',
          heads: true,
          cell: (instance) => (
            <>
              {instance.label ?? nameOf(instance)}
              <div class="soft">
                {instance.gpuName ?? 'GPU unknown'} × {instance.numGpus ?? '?'}
                {instance.type === 'bid' && <span class="tag">bid</span>}
              </div>
            </>
          ),
        },
        {
          head: 'state',
          class: ({ state }) => `outcome ${stateWords(state).grade}`,
          cell: (instance) => <State instance={instance} />,
        },
        {
          head: '$/h now',
          number: true,
          field: 'usdPerHour',
          value: ({ usdPerHour }) => usdPerHour,
          cell: ({ usdPerHour }) => formatAmount(usdPerHour, 4),
        },
        {
          head: 'so far',
          number: true,
          title: 'What was charged, and the estimate of the time after it',
          field: 'cost',
          value: ({ cost }) => cost.usd,
          cell: ({ cost }) => formatAmount(cost.usd),
        },
        {
          head: 'GPU busy',
          number: true,
          cell: ({ gpuUtilPercent, idle }) => (
            <>
              {gpuUtilPercent === null ? '–' : `${formatFixed(gpuUtilPercent, 0)} %`}
              {idle === true && <span class="tag warn">idle</span>}
            </>
          ),
        },
        {
          head: 'ends',
          cell: ({ endsAt, endAction, hostEndsAt }) =>
            endsAt !== null ? (
              <>
                {endAction === 'destroy' ? 'destroyed ' : 'stopped '}
                <Moment t={endsAt} />
              </>
            ) : (
              <span class="soft" title="Until then the host lets it run">
                {hostEndsAt === null ? 'open' : <Moment t={hostEndsAt} />}
              </span>
            ),
        },
        {
          head: 'ssh',
          cell: ({ sshHost, sshPort }) =>
            sshHost === null ? '–' : <code>{`ssh -p ${sshPort} root@${sshHost}`}</code>,
        },
        {
          head: 'do',
          cell: (instance) => (
            <span class="row nowrap">
              {possibleActions(instance.state).map((kind) => (
                <button
                  key={kind}
                  type="button"
                  class={kind === 'destroy' ? 'small danger' : 'small'}
                  aria-label={`${verbs[kind]} ${nameOf(instance)}`}
                  onClick={() => end({ kind, instance })}
                >
                  {verbs[kind]}
                </button>
              ))}
              {possibleActions(instance.state).length > 0 && (
                <button
                  type="button"
                  class="small quiet"
                  aria-label={`Hours of ${nameOf(instance)}`}
                  onClick={() => time(instance)}
                >
                  Hours
                </button>
              )}
            </span>
          ),
        },
      ]}
    />
  );
}

const verbs = { stop: 'Stop', start: 'Start', destroy: 'Destroy' } as const;

function State({ instance }: { instance: Instance }) {
  const { text, grade } = stateWords(instance.state);
  const more = [instance.reason, instance.wantedProblem, instance.statusMessage].filter(
    (part) => part !== null,
  );
  return (
    <span title={more.join('\n')}>
      <Icon name={grade} /> {text}
      {instance.cheaper !== null && (
        <div class="soft">an equal one saves {formatAmount(instance.cheaper.savesUsdPerDay)} a day</div>
      )}
    </span>
  );
}
