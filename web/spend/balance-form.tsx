import { useState } from 'preact/hooks';
import type { App } from '../core/app.ts';
import { useAction } from '../core/use-action.ts';
import { Failure } from '../parts/failure.tsx';

/** Records the balance currently shown by the market. */
export function BalanceForm({ app, entered }: { app: App; entered: () => void }) {
  const [amount, setAmount] = useState('');
  const action = useAction(app);
  return (
    <form
      class="fields"
      onSubmit={(event) => {
        event.preventDefault();
        void action.run(async () => {
          await app.api.enterBalance({ body: { amountUsd: amount.trim() } });
          setAmount('');
          entered();
          return 'Balance saved.';
        });
      }}
    >
      <label class="field">
        <span>Current balance at the market, $</span>
        <input
          name="balance"
          inputMode="decimal"
          required
          pattern="-?[0-9]+(\.[0-9]+)?"
          title="A plain number like 123.45"
          value={amount}
          onInput={({ currentTarget }) => setAmount(currentTarget.value)}
        />
      </label>
      <button type="submit" disabled={action.busy}>
        Record
      </button>
      <Failure problem={action.problem} />
    </form>
  );
}
