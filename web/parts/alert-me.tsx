import type { AlertSubject } from '../core/alert-subject.ts';
import type { App } from '../core/app.ts';
import { reasonFor, savingWatches } from '../core/permission.ts';
import { Icon } from './icon.tsx';

interface Props {
  app: App;
  subject: AlertSubject;
  /** `icon`: without words, beside a name in a table. @default button */
  as?: 'button' | 'small' | 'icon';
}

/** Opens the dialog that sets up an alert; nothing for readers who may not act. */
export function AlertMe({ app, subject, as = 'button' }: Props) {
  if (reasonFor(app, savingWatches) !== null) return null;
  const label = `Alert me: ${subject.name}`;
  return (
    <button
      type="button"
      class={{ button: 'nowrap', small: 'small nowrap', icon: 'pin' }[as]}
      aria-haspopup="dialog"
      aria-label={label}
      title={as === 'icon' ? label : undefined}
      onClick={() => {
        app.alertSubject.value = subject;
      }}
    >
      <Icon name="bell" />
      {as !== 'icon' && ' Alert me'}
    </button>
  );
}
