import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import type { AlertSubject } from '../core/alert-subject.ts';
import type { Rule } from '../core/api.ts';
import type { App } from '../core/app.ts';
import { formatAmount, formatShare } from '../core/figures.ts';
import { AlertsContext } from '../parts/known-alerts.tsx';
import { alertsOn, withSaved } from './alerts-on.ts';
import { ExistingAlerts } from './existing-alerts.tsx';
import { SavedAlert } from './saved-alert.tsx';
import { priceOf } from './suggested-price.ts';

interface Props {
  app: App;
  subject: Extract<AlertSubject, { kind: 'budget' }>;
  close: () => void;
}

/** An alert when a share of a budget is spent. */
export function BudgetAlert({ app, subject, close }: Props) {
  const { name, budgetId, monthlyUsd, share, spentUsd } = subject;
  const [text, setText] = useState('80');
  const [saved, setSaved] = useState<Rule | null>(null);
  const known = useContext(AlertsContext);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.select(), []);
  const percent = priceOf(text.replace(/%$/, ''));
  const isUsable = percent !== null && percent <= 1_000;
  return (
    <>
      {known !== null && (
        <ExistingAlerts
          app={app}
          rules={withSaved(alertsOn(known, subject), saved)}
          own={saved?.id ?? null}
          known={known.rules}
          watches={known.watches}
          canChange={() => false}
          change={() => {}}
          switched={known.reload}
          deleted={() => {
            known.reload();
            setSaved(null);
          }}
          close={close}
        />
      )}
      <SavedAlert
        app={app}
        close={close}
        changed={null}
        rule={isUsable ? { kind: 'budget', params: { budgetId, share: percent / 100 } } : null}
        saved={setSaved}
        says={`${text.trim()}% of ${name} spent`}
        watch={null}
      >
        <label class="sentence">
          <span>When the month’s spend reaches</span>
          <span class="price">
            <input
              ref={input}
              name="alert-percent"
              inputMode="decimal"
              autocomplete="off"
              required
              size={5}
              aria-label="Share of the budget at which you are notified, percent"
              value={text}
              onInput={({ currentTarget }) => setText(currentTarget.value)}
            />
            % of {formatAmount(monthlyUsd)}
          </span>
        </label>
        <p class="caption" data-now={share}>
          Now <strong>{formatShare(share)}</strong> is spent
          {spentUsd === null ? '' : ` (${formatAmount(spentUsd)})`}. You are notified once a month; each month
          starts again.
        </p>
        {isUsable && share >= percent / 100 && (
          <p class="remark" role="status" data-warning="fires-at-once">
            That much is spent already: it fires at once.
          </p>
        )}
      </SavedAlert>
    </>
  );
}
