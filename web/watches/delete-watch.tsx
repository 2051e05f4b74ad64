import type { Watch } from '../core/api.ts';
import type { App } from '../core/app.ts';
import { DeleteDialog } from '../parts/delete-dialog.tsx';

interface Props {
  app: App;
  watch: Watch;
  done: () => void;
  close: () => void;
}

/** Asks whether a watch is to be deleted. */
export const DeleteWatch = ({ app, watch, done, close }: Props) => (
  <DeleteDialog
    app={app}
    title={`Delete the watch ${watch.name}?`}
    remove={() => app.api.deleteWatch({ id: watch.id })}
    said="Watch deleted; its books are kept."
    done={done}
    close={close}
  >
    Its alerts are deleted too. The books crawled for it are kept.
  </DeleteDialog>
);
