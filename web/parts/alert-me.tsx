import { useContext } from 'preact/hooks';
import type { AlertSubject } from '../core/alert-subject.ts';
import type { Rule } from '../core/api.ts';
import type { App } from '../core/app.ts';
import { countOf } from '../core/figures.ts';
import { reasonFor, savingWatches } from '../core/permission.ts';
import { alertsOn, type KnownAlerts } from '../watches/alerts-on.ts';
import { reliableSubject } from '../watches/reliable-subject.ts';
import { Icon } from './icon.tsx';
import { AlertsContext } from './known-alerts.tsx';

interface Props {
  app: App;
  subject: AlertSubject;
  /** `icon`: with a word only on a wide screen, beside a name in a table. @default button */
  as?: 'button' | 'small' | 'icon';
}

/** Opens the dialog that sets up an alert; its bell is filled if there is one. Nothing for readers who may not act. */
export function AlertMe({ app, subject, as = 'button' }: Props) {
  const known = useContext(AlertsContext);
  if (reasonFor(app, savingWatches) !== null) return null;
  const on = known === null ? [] : alertsAround(app, known, subject).filter(({ enabled }) => enabled);
  const label = `Alert me: ${subject.name}${on.length === 0 ? '' : ` (${countOf(on.length, 'alert')} on)`}`;
  return (
    <button
      type="button"
      class={{ button: 'nowrap', small: 'small nowrap', icon: 'pin' }[as]}
      aria-haspopup="dialog"
      aria-label={label}
      title={as === 'icon' || on.length > 0 ? label : undefined}
      data-alerts={on.length}
      onClick={() => {
        app.alertSubject.value = subject;
      }}
    >
      <Icon name="bell" />
      {as === 'icon' ? <span class="with-room"> Alert</span> : ' Alert me'}
    </button>
  );
}

/** Returns the alerts on the offers of a subject, and on the reliable ones of them. */
function alertsAround(app: App, known: KnownAlerts, subject: AlertSubject): Rule[] {
  // Market asks for each of its rows.
  if (known.rules.length === 0) return [];
  const reliable = reliableSubject(app, subject);
  return [subject, ...(reliable === null ? [] : [reliable])].flatMap((each) => alertsOn(known, each));
}
