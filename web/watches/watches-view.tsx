import { useEffect, useMemo } from 'preact/hooks';
import { listChannels, listRules, listWatches } from '../../client/operations.js';
import { everyMarket } from '../core/market-choice.ts';
import { pathTo } from '../core/path-to.ts';
import { savingWatches } from '../core/permission.ts';
import { useAnswer } from '../core/use-answer.ts';
import { useLive } from '../core/use-live.ts';
import { Allowed } from '../parts/allowed.tsx';
import { Missing } from '../parts/missing.tsx';
import { Awaited } from '../parts/notice.tsx';
import type { ViewProps } from '../parts/view.ts';
import { ViewHead } from '../parts/view-head.tsx';
import { Channels } from './channels.tsx';
import { Deliveries } from './deliveries.tsx';
import { Rules } from './rules.tsx';
import { WatchEditor } from './watch-editor.tsx';
import { WatchTable } from './watch-table.tsx';

/** Watches, channels and deliveries. */
export function WatchesView({ app, status }: ViewProps) {
  const { path, query } = app.address.place.value;
  const chosen = path.split('/')[2] ?? null;
  // Read again whenever the list is opened, after changes on a watch's own page or in the box of an alert, and when
  // an alert fires or an attempt to deliver one ends. Nothing moves behind the box while it is open.
  const fired = useLive(['alert', 'delivery']).changed;
  const isBoxOpen = app.alertSubject.value !== null;
  const version = useMemo(
    () => ({}),
    [chosen, isBoxOpen || app.said.value.text, isBoxOpen || fired, isBoxOpen],
  );
  const watches = useAnswer(
    app,
    app.markets.value && pathTo(listWatches, { limit: 1000, market: everyMarket(app.markets.value) }),
    version,
  );
  const channels = useAnswer(app, pathTo(listChannels, { limit: 1000 }), version);
  const rules = useAnswer(
    app,
    app.markets.value && pathTo(listRules, { limit: 1000, market: everyMarket(app.markets.value) }),
    version,
  );
  // Watches show channels and alerts, so all appear together.
  const isNamed = [channels, rules].every(({ data, problem }) => data !== null || problem !== null);
  const shown = isNamed ? watches : { ...watches, data: null };
  const isShown = shown.data !== null;
  const at = query.get('at');
  // With an alert its watch may be deleted.
  const reload = () => {
    watches.reload();
    rules.reload();
  };
  useEffect(() => {
    if (isShown && at !== null) document.getElementById(at)?.scrollIntoView();
  }, [isShown, at]);
  if (chosen !== null) {
    return (
      <Awaited answer={shown} what="the watch">
        {({ items }) => {
          const watch = items.find(({ id }) => id === chosen) ?? null;
          return watch === null && chosen !== 'new' ? (
            <Missing title="Watch not found">
              It may have been deleted. See <a href="/watches">all watches</a>.
            </Missing>
          ) : (
            <WatchEditor
              key={chosen}
              app={app}
              status={status}
              watch={watch}
              channels={channels.data?.items ?? []}
              watches={items}
              rules={rules}
              saved={watches.reload}
            />
          );
        }}
      </Awaited>
    );
  }
  return (
    <>
      <ViewHead
        title="Watches and alerts"
        note="A watch follows the offers you choose. An alert sends a message once something happens, such as a watch’s lowest price falling below your limit."
      >
        <Allowed app={app} permission={savingWatches}>
          <a class="button" href="/watches/new">
            New watch
          </a>
        </Allowed>
        <p class="row">
          <a href="#rules">Alerts</a>
          <a href="#watches">Watches</a>
          <a href="#channels">Channels</a>
          <a href="#deliveries">Deliveries</a>
        </p>
      </ViewHead>
      <Rules
        app={app}
        watch={null}
        watches={shown.data?.items ?? []}
        rules={{ ...rules, ...(shown.data === null ? { data: null } : {}), reload }}
        channels={channels.data?.items ?? []}
      />
      <section class="card" aria-label="Watches" id="watches">
        <h2>Watches</h2>
        <Awaited answer={shown} what="the watches">
          {({ items }) => (
            <WatchTable
              app={app}
              items={items}
              channels={channels.data?.items ?? []}
              rules={rules.data?.items ?? []}
              reload={reload}
            />
          )}
        </Awaited>
      </section>
      <Channels app={app} channels={channels} />
      <Deliveries app={app} channels={channels.data?.items ?? []} version={version} />
    </>
  );
}
