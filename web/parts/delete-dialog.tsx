import type { ComponentChildren } from 'preact';
import type { App } from '../core/app.ts';
import { useAction } from '../core/use-action.ts';
import { Confirm } from './dialog.tsx';
import { Failure } from './failure.tsx';

interface Props {
  app: App;
  title: string;
  /** Label of the button. @default Delete it */
  action?: string;
  remove: () => Promise<unknown>;
  /** Announcement after deletion. */
  said: string;
  /** What is lost with it. */
  children: ComponentChildren;
  done: () => void;
  close: () => void;
}

/** Asks for confirmation, then deletes an object; shows errors in the dialog. */
export function DeleteDialog({
  app,
  title,
  action = 'Delete it',
  remove,
  said,
  children,
  done,
  close,
}: Props) {
  const { busy, problem, run } = useAction(app);
  return (
    <Confirm
      title={title}
      action={action}
      danger
      busy={busy}
      close={close}
      confirm={() =>
        void run(async () => {
          await remove();
          done();
          return said;
        })
      }
    >
      <p>{children}</p>
      <Failure problem={problem} />
    </Confirm>
  );
}
