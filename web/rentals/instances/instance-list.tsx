import { useState } from 'preact/hooks';
import { listEndedInstances, listInstances } from '../../../client/operations.js';
import type { Instance, Instances } from '../../core/api.ts';
import type { App } from '../../core/app.ts';
import { countOf, formatHourly } from '../../core/figures.ts';
import { pathTo } from '../../core/path-to.ts';
import { useAnswer } from '../../core/use-answer.ts';
import { useLater } from '../../core/use-later.ts';
import type { Live } from '../../core/use-live.ts';
import { usePages } from '../../core/use-pages.ts';
import { useWide } from '../../core/use-wide.ts';
import { AccountTabs } from '../../parts/account-tabs.tsx';
import { Reason } from '../../parts/allowed.tsx';
import { Explain, explainQuery } from '../../parts/explain.tsx';
import { Failure } from '../../parts/failure.tsx';
import { LiveState } from '../../parts/live-state.tsx';
import { Ago } from '../../parts/moment.tsx';
import { MoreButton } from '../../parts/more-button.tsx';
import { Awaited, Notice } from '../../parts/notice.tsx';
import type { ViewProps } from '../../parts/view.ts';
import { ViewHead } from '../../parts/view-head.tsx';
import { BulkDialog, type BulkEnding } from './bulk-dialog.tsx';
import { useInstanceDialogs } from './instance-dialogs.tsx';
import {
  allRows,
  keyOf,
  matchesSearch,
  type ShownList,
  shownLists,
  sortedRows,
  sortingOf,
  startingWords,
} from './instance-rows.ts';
import { InstanceLink, InstanceTable, isTickable, nextSorting } from './instance-table.tsx';
import { KillSwitch } from './kill-switch.tsx';
import { BulkBar, ListTools } from './list-tools.tsx';
import { stateWords } from './state-words.ts';

interface Props extends ViewProps {
  live: Live;
  /** Why the reader may not stop, start and destroy; null: they may. */
  reason: string | null;
}

const pageSize = 200;
/** Not every letter is searched for. */
const waitMs = 250;

/** The list of instances: those of the account, those that ended, or both. */
export function InstanceList({ app, status, live, reason }: Props) {
  const { query } = app.address.place.value;
  const { changed } = live;
  const canAct = reason === null;
  const shown = shownLists.find((list) => list === query.get('show')) ?? 'active';
  const search = query.get('search') ?? '';
  const sorting = sortingOf(query);
  const active = useAnswer(app, pathTo(listInstances, {}), changed);
  const asked = useLater(search, waitMs);
  const endedPath = pathTo(listEndedInstances, {
    limit: pageSize,
    ...(asked === '' ? {} : { search: asked }),
  });
  const ended = useAnswer(app, shown === 'active' ? null : endedPath, changed);
  const endedPages = usePages(app, ended);
  const reload = () => {
    active.reload();
    ended.reload();
  };
  const items = active.data?.items ?? [];
  const { acts, dialog, extension } = useInstanceDialogs({ app, instances: items, reload });
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const [bulk, setBulk] = useState<BulkEnding | null>(null);
  const wide = useWide();

  const found = shown === 'ended' ? [] : items.filter((item) => matchesSearch(item, search));
  const rows = sortedRows(allRows(found, shown === 'active' ? [] : endedPages.items), sorting);
  const chosen = rows.filter((row) => isTickable(row) && ticked.has(keyOf(row)));
  // Below the list, so that no row moves when the last one runs.
  const starting = startingWords(items);
  const content = () => (
    <>
      {shown !== 'ended' && active.data !== null && items.length > 0 && <Total answer={active.data} />}
      {rows.length === 0 ? (
        <Empty
          app={app}
          shown={shown}
          search={search}
          changed={changed}
          isUnlisted={shown !== 'ended' && status?.instances === null}
          clear={() => app.address.change({ search: null })}
        />
      ) : (
        <>
          {canAct && shown !== 'ended' && <BulkBar chosen={chosen} end={setBulk} />}
          <InstanceTable
            app={app}
            items={rows}
            shown={shown}
            sorting={sorting}
            sortBy={(key) => app.address.change(nextSorting(sorting, key))}
            acts={canAct ? acts : null}
            ticks={{ ticked, set: setTicked }}
          />
        </>
      )}
      <Failure problem={extension.problem} />
      {shown !== 'active' && <MoreButton pages={endedPages} />}
      {starting !== null && shown !== 'ended' && (
        <p class="caption" data-starting>
          Billed: {starting}.
        </p>
      )}
    </>
  );
  const withEnded = () => (
    <Awaited answer={ended} what="the ended instances">
      {content}
    </Awaited>
  );
  return (
    <>
      <ViewHead title="Instances">
        <AccountTabs path="/instances" />
        {canAct ? <KillSwitch app={app} version={live.events.count('actions')} /> : <Reason>{reason}</Reason>}
        <LiveState state={live.state} />
      </ViewHead>
      <section class="card" aria-label="Instances" id="instances">
        <ListTools address={app.address} shown={shown} search={search} sorting={wide ? undefined : sorting} />
        {shown === 'ended' ? (
          withEnded()
        ) : (
          <Awaited answer={active} what="the instances">
            {shown === 'all' ? withEnded : content}
          </Awaited>
        )}
      </section>
      {dialog}
      {bulk !== null && (
        <BulkDialog
          app={app}
          {...bulk}
          changed={reload}
          close={(failed) => {
            setBulk(null);
            setTicked(new Set(failed.map(keyOf)));
          }}
        />
      )}
    </>
  );
}

function Total({ answer: { items, totalUsdPerHour, unpriced } }: { answer: Instances }) {
  return (
    <p class="figures-line">
      <strong data-value={totalUsdPerHour} data-unpriced={unpriced}>
        <Explain query={explainQuery('instance', {})}>{totalWords(totalUsdPerHour, items, unpriced)}</Explain>
      </strong>
      , {countOf(items.length, 'instance')}
    </p>
  );
}

/** Formats the sum of known prices, with the number of unknown ones; what starts counts as running. */
function totalWords(usd: string, items: readonly Instance[], unpriced: number): string {
  if (unpriced >= items.length) return 'Total $/hour unknown';
  const missing = unpriced === 0 ? '' : ` and ${unpriced} with unknown price`;
  const what = startingWords(items) === null ? 'Total' : 'Once running';
  return `${what} ${formatHourly(usd)}${missing}`;
}

interface EmptyProps {
  app: App;
  shown: ShownList;
  search: string;
  /** Changes with the instances. */
  changed: Live['changed'];
  /** The account was never listed. */
  isUnlisted: boolean;
  clear: () => void;
}

/** Why the list is empty, and what to do. */
function Empty({ app, shown, search, changed, isUnlisted, clear }: EmptyProps) {
  if (search.trim() !== '') {
    return (
      <div class="notice" role="status">
        <strong>Nothing matches “{search}”</strong>
        <p>Searched: label, number, model, machine, host and country.</p>
        <button type="button" onClick={clear}>
          Clear the search
        </button>
      </div>
    );
  }
  if (isUnlisted) {
    return <Notice title="Instances unknown">The account’s instances have not been listed yet.</Notice>;
  }
  if (shown === 'ended') {
    return (
      <Notice title="Nothing has ended yet">
        Instances that are destroyed are listed here with what they cost.{' '}
        <a href="/instances">See active ones</a>.
      </Notice>
    );
  }
  return (
    <Notice title="No instances">
      Choose an offer under <a href="/deals">Deals</a> and rent it.
      {shown === 'active' && <SomeEnded app={app} changed={changed} />}
    </Notice>
  );
}

/** Which one ended last, and where all are that ended, if any did. */
function SomeEnded({ app, changed }: Pick<EmptyProps, 'app' | 'changed'>) {
  const { data } = useAnswer(app, pathTo(listEndedInstances, { limit: 1 }), changed);
  const [last] = data?.items ?? [];
  if (last === undefined) return null;
  return (
    <>
      {' '}
      Those that ended, with what they cost, are under <a href="/instances?show=ended">Ended</a>; the last was{' '}
      <InstanceLink instance={last} />, {stateWords(last.state).text} <Ago t={last.endedAt} />.
    </>
  );
}
