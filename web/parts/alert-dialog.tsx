import type { AlertSubject } from '../core/alert-subject.ts';
import type { App } from '../core/app.ts';
import { Dialog } from './dialog.tsx';
import { lazyPart } from './lazy-view.tsx';

interface FormProps {
  app: App;
  subject: AlertSubject;
  close: () => void;
}

const AlertForm = lazyPart<FormProps>(
  'the alert',
  async () => (await import('../watches/alert-form.tsx')).AlertForm,
);

/** The dialog that `AlertMe` opens, above any view; nothing while it is closed. */
export function AlertDialog({ app }: { app: App }) {
  const subject = app.alertSubject.value;
  const close = () => {
    app.alertSubject.value = null;
  };
  return subject === null ? null : (
    <Dialog title={`Alert me: ${subject.name}`} close={close}>
      <AlertForm app={app} subject={subject} close={close} />
    </Dialog>
  );
}
