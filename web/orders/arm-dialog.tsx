import type { StandingOrder } from '../core/api.ts';
import type { App } from '../core/app.ts';
import { useAction } from '../core/use-action.ts';
import { Confirm } from '../parts/dialog.tsx';
import { Failure } from '../parts/failure.tsx';
import { Moment } from '../parts/moment.tsx';
import { dryRunWords } from './dry-run-result.tsx';
import { maxSpendWords } from './spend-words.ts';

interface Props {
  app: App;
  order: StandingOrder;
  done: () => void;
  close: () => void;
}

/** Says what an order may spend and what it would have done, then arms it. */
export function ArmDialog({ app, order, done, close }: Props) {
  const action = useAction(app);
  const { id, name, endsAt, dryRun } = order;
  return (
    <Confirm
      title={`Arm ${name}?`}
      action="Arm it"
      busy={action.busy}
      close={close}
      confirm={() =>
        void action.run(async () => {
          await app.api.armOrder({ id });
          close();
          done();
          return `${name} is armed.`;
        })
      }
    >
      <ul class="sentences" aria-label="What it may spend">
        {maxSpendWords(order).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <p>
        It rents by itself, without asking, until <Moment t={endsAt} /> or until you pause it. Your limits on
        rentals and your budgets apply to it too.
      </p>
      {dryRun !== null && <p class="soft">{dryRunWords(dryRun)}</p>}
      <Failure problem={action.problem} />
    </Confirm>
  );
}
