import { useState } from 'preact/hooks';
import type { Instance } from '../../core/api.ts';
import type { App } from '../../core/app.ts';
import { type Action, useAction } from '../../core/use-action.ts';
import { BidDialog } from './bid-dialog.tsx';
import { EndDialog, type Ending } from './end-dialog.tsx';
import type { Acts, Asked } from './instance-actions.tsx';
import { nameOf } from './instance-rows.ts';
import { LimitsDialog } from './limits-dialog.tsx';
import { SettleDialog } from './settle-dialog.tsx';

interface Props {
  app: App;
  /** Everything in the account, as it is now. */
  instances: readonly Instance[];
  reload: () => void;
}

/** Returns what the buttons of instances do, the dialog that is open, and the action that needs none. */
export function useInstanceDialogs({ app, instances, reload }: Props): {
  acts: Acts;
  dialog: preact.JSX.Element | null;
  extension: Action;
} {
  const [ending, setEnding] = useState<Ending | null>(null);
  const [asked, setAsked] = useState<Asked | null>(null);
  const extension = useAction(app);
  const close = () => {
    setEnding(null);
    setAsked(null);
  };
  const done = () => {
    close();
    reload();
  };
  // A dialog shows the instance's current state, not the state when it was opened.
  const asOfNow = (shown: Instance): Instance =>
    instances.find(
      ({ instanceId, rentalId }) => instanceId === shown.instanceId && rentalId === shown.rentalId,
    ) ?? shown;
  const extend = (instance: Instance) =>
    void extension.run(async () => {
      await app.api.extendInstance({ id: Number(instance.instanceId) });
      reload();
      return `The end of ${nameOf(instance)} is put off.`;
    });
  const shared = { app, done, close };
  const dialogs = {
    limits: (instance: Instance) => <LimitsDialog {...shared} instance={instance} />,
    bid: (instance: Instance) => <BidDialog {...shared} instance={instance} />,
    settle: (instance: Instance) => <SettleDialog {...shared} rental={instance} instances={instances} />,
  };
  return {
    acts: { end: setEnding, ask: setAsked, extend },
    dialog:
      ending !== null ? (
        <EndDialog {...shared} ending={{ kind: ending.kind, instance: asOfNow(ending.instance) }} />
      ) : asked !== null ? (
        dialogs[asked.what](asOfNow(asked.instance))
      ) : null,
    extension,
  };
}
