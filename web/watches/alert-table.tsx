import { useState } from 'preact/hooks';
import type { Channel, Rule, Watch } from '../core/api.ts';
import type { App } from '../core/app.ts';
import { useAction } from '../core/use-action.ts';
import { DataTable } from '../parts/data-table.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Failure } from '../parts/failure.tsx';
import { Ago } from '../parts/moment.tsx';
import { AlertSwitch } from './alert-switch.tsx';
import { DeleteAlert, DeleteAlertButton } from './delete-alert.tsx';
import { Notified } from './notifies-nobody.tsx';
import { RuleAlerts } from './rule-alerts.tsx';
import { RuleForm } from './rule-form.tsx';
import { formToChange, ruleInWords, triggerInWords } from './rule-kinds.ts';
import { arrivedWords, deliveriesHref, endsOf, undeliveredWords } from './sent-words.ts';
import { subjectToChange } from './subject-to-change.ts';

interface Props {
  app: App;
  rules: readonly Rule[];
  watches: readonly Watch[];
  channels: readonly Channel[];
  /** Whether all are of one watch, whose name would only repeat. */
  ofOneWatch: boolean;
  /** Whether the reader may change them. */
  mayChange: boolean;
  reload: () => void;
}

/** Alerts, one a row: when, whom it notifies, and its buttons. */
export function AlertTable({ app, rules, watches, channels, ofOneWatch, mayChange, reload }: Props) {
  const action = useAction(app);
  const [shown, setShown] = useState<Rule | null>(null);
  const [ending, setEnding] = useState<Rule | null>(null);
  const [changing, setChanging] = useState<Rule | null>(null);
  const changedForm = changing === null ? null : formToChange(changing);
  const watchOf = ({ watchId }: Rule) => watches.find(({ id }) => id === watchId) ?? null;
  return (
    <>
      <DataTable
        label="List of alerts"
        stacks
        rows={rules}
        keyOf={({ id }) => id}
        columns={[
          {
            head: 'Alert',
            heads: true,
            cell: (rule: Rule) => <span class="wrapped long">{ruleInWords(rule)}</span>,
          },
          ...(ofOneWatch
            ? []
            : [{ head: 'Watch', cell: (rule: Rule) => <WatchName watch={watchOf(rule)} /> }]),
          {
            head: 'Notifies',
            cell: (rule) => (
              <span class="wrapped">
                <Notified rule={rule} watch={watchOf(rule)} channels={channels} />
              </span>
            ),
          },
          {
            head: 'Last fired',
            field: 'lastFiredAt',
            value: ({ lastFiredAt }) => lastFiredAt,
            cell: ({ lastFiredAt, lastDeliveries }) => {
              const { arrived, failed } = endsOf(lastDeliveries);
              return (
                <>
                  <span class="fired">
                    <Ago t={lastFiredAt} />
                  </span>
                  {arrived.length > 0 && <span class="soft below">{arrivedWords(arrived, channels)}</span>}
                  {failed.length > 0 && (
                    <a class="rose below" href={deliveriesHref}>
                      {undeliveredWords(failed)}
                    </a>
                  )}
                </>
              );
            },
          },
          ...(ofOneWatch ? [{ head: 'Fires when met in', cell: ({ of }: Rule) => triggerInWords(of) }] : []),
          {
            head: 'Actions',
            actions: true,
            field: 'enabled',
            value: ({ enabled }) => enabled,
            cell: (rule) => {
              const subject = subjectToChange(rule, watches);
              return (
                <span class="row nowrap">
                  {mayChange ? (
                    <AlertSwitch app={app} action={action} rule={rule} done={reload} />
                  ) : (
                    !rule.enabled && 'off'
                  )}
                  {mayChange && (subject !== null || formToChange(rule) !== null) && (
                    <button
                      type="button"
                      class="small"
                      aria-haspopup="dialog"
                      onClick={() => {
                        if (subject === null) setChanging(rule);
                        else app.alertSubject.value = subject;
                      }}
                    >
                      Change…
                    </button>
                  )}
                  <button type="button" class="small" aria-haspopup="dialog" onClick={() => setShown(rule)}>
                    History
                  </button>
                  {mayChange && <DeleteAlertButton rule={rule} open={() => setEnding(rule)} />}
                </span>
              );
            },
          },
        ]}
      />
      <Failure problem={action.problem} />
      {changing !== null && changedForm !== null && (
        <Dialog title={`Change: ${changedForm.label}`} close={() => setChanging(null)}>
          <RuleForm
            app={app}
            kinds={{ [changing.kind]: changedForm }}
            watch={watchOf(changing)}
            channels={channels}
            changed={changing}
            saved={() => {
              setChanging(null);
              reload();
            }}
            close={() => setChanging(null)}
          />
        </Dialog>
      )}
      {ending !== null && (
        <DeleteAlert
          app={app}
          rule={ending}
          rules={rules}
          watches={ofOneWatch ? [] : watches}
          done={() => {
            setEnding(null);
            reload();
          }}
          close={() => setEnding(null)}
        />
      )}
      {shown !== null && (
        <Dialog
          title={['History', watchOf(shown)?.name, ruleInWords(shown)].filter(Boolean).join(': ')}
          wide
          close={() => setShown(null)}
        >
          <RuleAlerts app={app} rule={shown} isPlural={(watchOf(shown)?.markets.length ?? 1) > 1} />
        </Dialog>
      )}
    </>
  );
}

const WatchName = ({ watch }: { watch: Watch | null }) =>
  watch === null ? (
    'none'
  ) : (
    <a class="wrapped" href={`/watches/${watch.id}`}>
      {watch.name}
    </a>
  );
