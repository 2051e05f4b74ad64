import { useState } from 'preact/hooks';
import type { StandingOrder } from '../core/api.ts';
import type { App } from '../core/app.ts';
import { ordering, reasonFor } from '../core/permission.ts';
import { useAction } from '../core/use-action.ts';
import { Reason } from '../parts/allowed.tsx';
import { DeleteDialog } from '../parts/delete-dialog.tsx';
import { Failure } from '../parts/failure.tsx';
import { ArmDialog } from './arm-dialog.tsx';
import { armObstacle } from './order-words.ts';

interface Props {
  app: App;
  order: StandingOrder;
  /** Whether to offer only what is needed often, in a small size. @default false */
  small?: boolean;
  done: () => void;
}

/** The buttons of an order in its state, or why there are none. */
export function OrderButtons(props: Props) {
  const reason = reasonFor(props.app, ordering);
  if (reason === null) return <Buttons {...props} />;
  return props.small === true ? null : <Reason>{reason}</Reason>;
}

function Buttons({ app, order, small = false, done }: Props) {
  const { id, name, state } = order;
  const [asked, setAsked] = useState<'arm' | 'remove' | null>(null);
  const action = useAction(app);
  const isArmed = state === 'armed';
  const obstacle = armObstacle(order);
  const size = small ? ' small' : '';
  const pause = () =>
    void action.run(async () => {
      await app.api.pauseOrder({ id });
      done();
      return `${name} is paused: it rents nothing more.`;
    });
  return (
    <>
      <span class={small ? 'row nowrap' : 'row'}>
        {/* One button, so that it keeps the focus when it becomes the other. */}
        <button
          type="button"
          class={isArmed ? size : `primary${size}`}
          aria-label={`${isArmed ? 'Pause' : 'Arm'} ${name}`}
          disabled={obstacle !== null}
          title={obstacle ?? undefined}
          onClick={() => (isArmed ? pause() : setAsked('arm'))}
        >
          {isArmed ? 'Pause' : 'Arm…'}
        </button>
        <a class={`button${size}`} href={`/orders/${id}/edit`} aria-label={`Edit ${name}`}>
          Edit
        </a>
        {!small && (
          <button
            type="button"
            class="danger"
            disabled={isArmed}
            title={isArmed ? 'Pause it first' : undefined}
            onClick={() => setAsked('remove')}
          >
            Remove…
          </button>
        )}
        {!small && obstacle !== null && <span class="soft">{obstacle}</span>}
      </span>
      <Failure problem={action.problem} />
      {asked === 'arm' && <ArmDialog app={app} order={order} done={done} close={() => setAsked(null)} />}
      {asked === 'remove' && (
        <DeleteDialog
          app={app}
          title={`Remove the order ${name}?`}
          action="Remove it"
          remove={() => app.api.deleteOrder({ id })}
          said={`${name} removed.`}
          done={() => {
            setAsked(null);
            app.address.go('/orders');
          }}
          close={() => setAsked(null)}
        >
          Machines that it has rented keep running: they stay under Instances, and you end them there.
        </DeleteDialog>
      )}
    </>
  );
}
