import { listBlocklist } from '../../../client/operations.js';
import type { BlockEntry, Listing } from '../../core/api.ts';
import type { App } from '../../core/app.ts';
import { pathTo } from '../../core/path-to.ts';
import { useAction } from '../../core/use-action.ts';
import { type Answer, useAnswer } from '../../core/use-answer.ts';
import type { Page } from '../../core/use-pages.ts';
import { Failure } from '../../parts/failure.tsx';

/** Blocks or prefers the machine or its host. */
export function Marking({ app, listing }: { app: App; listing: Listing }) {
  const { market } = listing;
  const entries = useAnswer(app, pathTo(listBlocklist, { limit: 1000, market }));
  const action = useAction(app);
  const mark = (kind: 'block' | 'prefer', what: 'machineId' | 'hostId') =>
    action.run(async () => {
      await app.api.addBlocklistEntry({ body: { kind, [what]: listing[what], market } });
      entries.reload();
      return kind === 'block' ? 'Blocked. Rankings now leave it out.' : 'Preferred. Rankings now mark it.';
    });
  const own = (entries.data?.items ?? []).filter(
    ({ machineId, hostId }) =>
      machineId === listing.machineId || (hostId !== null && hostId === listing.hostId),
  );
  return (
    <div class="choosers marking">
      {own.map((entry) => (
        <Marked key={entry.id} app={app} entry={entry} entries={entries} />
      ))}
      {own.length === 0 && (
        <>
          <button
            type="button"
            disabled={action.busy || entries.data === null}
            onClick={() => void mark('prefer', 'machineId')}
          >
            Prefer machine
          </button>
          <button
            type="button"
            disabled={action.busy || entries.data === null}
            onClick={() => void mark('block', 'machineId')}
          >
            Block machine
          </button>
          {listing.hostId !== null && (
            <button
              type="button"
              disabled={action.busy || entries.data === null}
              onClick={() => void mark('block', 'hostId')}
            >
              Block host
            </button>
          )}
        </>
      )}
      <Failure problem={action.problem} />
    </div>
  );
}

interface MarkedProps {
  app: App;
  entry: BlockEntry;
  entries: Answer<Page<BlockEntry>>;
}

function Marked({ app, entry, entries }: MarkedProps) {
  const action = useAction(app);
  const what = entry.machineId === null ? 'host' : 'machine';
  return (
    <button
      type="button"
      disabled={action.busy}
      onClick={() =>
        void action.run(async () => {
          await app.api.deleteBlocklistEntry({ id: entry.id });
          entries.reload();
          return `The ${what} is no longer ${entry.kind === 'block' ? 'blocked' : 'preferred'}.`;
        })
      }
    >
      {entry.kind === 'block' ? `Unblock ${what}` : `Stop preferring ${what}`}
    </button>
  );
}
