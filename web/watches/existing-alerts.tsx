import { useState } from 'preact/hooks';
import { listChannels, listRuleAlerts } from '../../client/operations.js';
import type { Channel, Rule, Watch } from '../core/api.ts';
import type { App } from '../core/app.ts';
import { pathTo } from '../core/path-to.ts';
import { useAction } from '../core/use-action.ts';
import { useAnswer } from '../core/use-answer.ts';
import { useLive } from '../core/use-live.ts';
import { Failure } from '../parts/failure.tsx';
import { Moment } from '../parts/moment.tsx';
import { AlertSwitch } from './alert-switch.tsx';
import { DeleteAlert, DeleteAlertButton } from './delete-alert.tsx';
import { Notified } from './notifies-nobody.tsx';
import { ruleInWords } from './rule-kinds.ts';
import { deliveriesHref, sentWords, withoutOff } from './sent-words.ts';

interface Props {
  app: App;
  rules: readonly Rule[];
  /** Id of the rule that the box has just saved, or changes; null: none. */
  own: string | null;
  /** All rules that exist. */
  known: readonly Rule[];
  watches: readonly Watch[];
  /** Whether a rule's limit can be changed here, and how. */
  canChange: (rule: Rule) => boolean;
  change: (rule: Rule) => void;
  /** Called after one was switched on or off. */
  switched: () => void;
  /** Called after a deletion. */
  deleted: (rule: Rule) => void;
  close: () => void;
}

/** The alerts that exist on something: their limit, when they last fired, whom they notify, and their buttons. */
export function ExistingAlerts(props: Props) {
  const { app, rules, own, known, watches, canChange, change, switched, deleted, close } = props;
  // A channel may be new, and what fired before goes to it.
  const notified = rules.map(({ channelIds }) => channelIds.join()).join();
  const version = `${useLive(['alert', 'delivery']).changed} ${notified}`;
  const channels = useAnswer(app, pathTo(listChannels, { limit: 1000 }), version);
  const action = useAction(app);
  const [ending, setEnding] = useState<Rule | null>(null);
  if (rules.length === 0) return null;
  return (
    <section aria-label="Existing alerts" id="existing-alerts">
      <h3>{existingWords(rules, own)}</h3>
      <ul class="lines">
        {rules.map((rule) => (
          <li key={rule.id} data-rule={rule.id} data-own={rule.id === own ? '' : undefined}>
            <p>
              <strong>{ruleInWords(rule)}</strong>
              <small class="soft">
                <LastFired
                  app={app}
                  rule={rule}
                  channels={channels.data?.items ?? []}
                  version={version}
                  close={close}
                />
                {channels.data !== null && (
                  <Notified
                    rule={rule}
                    watch={watches.find(({ id }) => id === rule.watchId) ?? null}
                    channels={channels.data.items}
                    lead="Notifies "
                  />
                )}
              </small>
            </p>
            <span class="row">
              <AlertSwitch app={app} action={action} rule={rule} done={switched} />
              {canChange(rule) && (
                <button type="button" class="small" onClick={() => change(rule)}>
                  Change…
                </button>
              )}
              <a
                class="button small"
                href={rule.watchId === null ? '/watches' : `/watches/${rule.watchId}`}
                onClick={close}
              >
                {rule.watchId === null ? 'Watches' : 'Its watch'}
              </a>
              <DeleteAlertButton rule={rule} open={() => setEnding(rule)} />
            </span>
          </li>
        ))}
      </ul>
      <Failure problem={action.problem} />
      {ending !== null && (
        <DeleteAlert
          app={app}
          rule={ending}
          rules={known}
          watches={watches}
          done={() => {
            setEnding(null);
            deleted(ending);
          }}
          close={() => setEnding(null)}
        />
      )}
    </section>
  );
}

function existingWords(rules: readonly Rule[], own: string | null): string {
  if (rules.some(({ id }) => id === own)) return rules.length === 1 ? 'Your alert' : 'Your alerts';
  return rules.length === 1 ? 'There is an alert already' : `There are ${rules.length} alerts already`;
}

interface LastProps {
  app: App;
  rule: Rule;
  channels: readonly Channel[];
  /** Changes when a rule may have fired, and when its message may have arrived. */
  version: string;
  close: () => void;
}

function LastFired({ app, rule: { id }, channels, version, close }: LastProps) {
  const path = pathTo(listRuleAlerts, { id, limit: 1 });
  const [last] = useAnswer(app, path, version).data?.items ?? [null];
  // Its room, so that nothing below moves once it is known.
  if (last === null) return <span aria-hidden="true">{'\u00a0'}</span>;
  const words = last && sentWords({ ...last, deliveries: withoutOff(last.deliveries, channels) });
  return (
    <span data-last-fired={last?.at ?? ''}>
      {last === undefined ? (
        'Has not fired yet'
      ) : (
        <>
          Last fired <Moment t={last.at} />,{' '}
          {last.undeliveredTo.length > 0 ? (
            <a class="rose" href={deliveriesHref} onClick={close}>
              {words}
            </a>
          ) : (
            words
          )}
          {last.suppressed === 'no-channel' && ' (a channel added while its condition holds gets it)'}
        </>
      )}
    </span>
  );
}
