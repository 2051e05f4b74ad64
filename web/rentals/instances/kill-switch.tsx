import { getActions } from '../../../client/operations.js';
import { byWords } from '../../core/actor-words.ts';
import type { App } from '../../core/app.ts';
import { pathTo } from '../../core/path-to.ts';
import { useAction } from '../../core/use-action.ts';
import { useAnswer } from '../../core/use-answer.ts';
import { Confirm } from '../../parts/dialog.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Moment } from '../../parts/moment.tsx';

/** The parameter of the address that opens the question. */
const asked = 'rentals';

/** Disables new rentals in every process, or enables them again. `version` grows when it was used somewhere. */
export function KillSwitch({ app, version }: { app: App; version: number }) {
  const answer = useAnswer(app, pathTo(getActions, {}), version);
  const action = useAction(app);
  const actions = answer.data;
  if (actions?.setting === false) {
    return <p class="soft">Renting is disabled in the settings (ACTIONS).</p>;
  }
  // Its space is reserved until it is known.
  const on = actions?.enabled ?? true;
  const isAsked = actions?.enabled === true && app.address.place.value.query.get(asked) === 'disable';
  const close = () => app.address.close({ [asked]: null });
  const turn = () =>
    void action.run(async () => {
      await app.api.switchActions({ body: { enabled: !on } });
      if (on) close();
      answer.reload();
      return on ? 'New rentals are disabled everywhere.' : 'New rentals are enabled.';
    });
  return (
    <div class="choosers kill">
      <button
        type="button"
        class={on ? 'danger' : 'primary'}
        disabled={action.busy || actions === null}
        title="Applies to every process. Stopping and destroying stay allowed"
        onClick={() => (on ? app.address.open({ [asked]: 'disable' }) : turn())}
      >
        {on ? 'Disable new rentals…' : 'Enable new rentals again'}
      </button>
      {!on && actions != null && actions.killSwitch !== null && (
        <span class="soft" data-kill>
          Disabled {byWords(actions.killSwitch.changedBy)}, <Moment t={actions.killSwitch.changedAt} />
        </span>
      )}
      {!isAsked && <Failure problem={action.problem} />}
      {isAsked && (
        <Confirm
          title="Disable new rentals?"
          action="Disable new rentals"
          danger
          busy={action.busy}
          confirm={turn}
          close={close}
        >
          <p>
            Nothing can be rented or started any more, by anyone: page, commands, agents and standing orders.
            What runs keeps running and is charged; stopping and destroying stay allowed. You can enable new
            rentals again at any time.
          </p>
          <Failure problem={action.problem} />
        </Confirm>
      )}
    </div>
  );
}
