import type { ComponentChildren } from 'preact';
import type { App } from '../core/app.ts';
import { useAction } from '../core/use-action.ts';
import { Confirm } from './dialog.tsx';
import { Failure } from './failure.tsx';

interface Props {
  app: App;
  title: string;
  /** The word on the button that does it. @default Delete it */
  action?: string;
  /** What is deleted, as a path of the API. */
  path: string;
  /** What is said afterwards. */
  said: string;
  /** What is lost with it. */
  children: ComponentChildren;
  done: () => void;
  close: () => void;
}

/** Asks once more, then deletes something for good; what went wrong is said where it was asked. */
export function DeleteDialog({ app, title, action = 'Delete it', path, said, children, done, close }: Props) {
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
          await app.api.send('DELETE', path);
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
