import type { AlertSubject } from '../core/alert-subject.ts';
import type { App } from '../core/app.ts';
import { BudgetAlert } from './budget-alert.tsx';
import { PriceAlert } from './price-alert.tsx';

interface Props {
  app: App;
  subject: AlertSubject;
  close: () => void;
}

/** Sets up an alert: its limit, what it would do, and whom it notifies. */
export const AlertForm = ({ app, subject, close }: Props) =>
  subject.kind === 'budget' ? (
    <BudgetAlert app={app} subject={subject} close={close} />
  ) : (
    <PriceAlert app={app} subject={subject} close={close} />
  );
