import type { App } from '../core/app.ts';
import { useAction } from '../core/use-action.ts';
import { Allowed } from '../parts/allowed.tsx';
import { ProblemNotice } from '../parts/notice.tsx';

const syncing = { to: 'sync bills', done: 'synced' };

/** A button that reads the market's bills now, ahead of the schedule. */
export function SyncBills({ app }: { app: App }) {
  const action = useAction(app);
  const sync = async (): Promise<string> => {
    for (const kind of ['charges', 'invoices'] as const) {
      await app.api.startCrawl({ body: { kind } });
    }
    return 'Syncing bills. They appear here when they are read; Crawls shows how far it is.';
  };
  return (
    <Allowed app={app} permission={syncing}>
      <button type="button" disabled={action.busy} onClick={() => void action.run(sync)}>
        Sync bills now
      </button>
      {action.problem !== null && <ProblemNotice problem={action.problem} />}
    </Allowed>
  );
}
