import { useEffect } from 'preact/hooks';
import { listChannels, listRules, listWatches } from '../../client/operations.js';
import type { Channel, Rule, Watch } from '../core/api.ts';
import type { App } from '../core/app.ts';
import { choosableMarkets, everyMarket } from '../core/market-choice.ts';
import { metricLabel } from '../core/metrics.ts';
import { pathTo } from '../core/path-to.ts';
import { reasonFor, savingWatches } from '../core/permission.ts';
import { scheduleInWords } from '../core/schedules.ts';
import { useAction } from '../core/use-action.ts';
import { type Answer, useAnswer } from '../core/use-answer.ts';
import type { Page } from '../core/use-pages.ts';
import { Allowed } from '../parts/allowed.tsx';
import { DataTable } from '../parts/data-table.tsx';
import { Failure } from '../parts/failure.tsx';
import { Missing } from '../parts/missing.tsx';
import { Awaited, Notice } from '../parts/notice.tsx';
import type { ViewProps } from '../parts/view.ts';
import { ViewHead } from '../parts/view-head.tsx';
import { Channels } from './channels.tsx';
import { Deliveries } from './deliveries.tsx';
import { channelNames, NotifiesNobody, someUnheard } from './notifies-nobody.tsx';
import { ruleInWords } from './rule-kinds.ts';
import { Rules } from './rules.tsx';
import { SendReport } from './send-report.tsx';
import { WatchEditor } from './watch-editor.tsx';
import { filtersInWords } from './watch-fields.ts';

/** Watches, channels and deliveries. */
export function WatchesView({ app, status }: ViewProps) {
  const { path, query } = app.address.place.value;
  const chosen = path.split('/')[2] ?? null;
  const watches = useAnswer(
    app,
    app.markets.value && pathTo(listWatches, { limit: 1000, market: everyMarket(app.markets.value) }),
  );
  const channels = useAnswer(app, pathTo(listChannels, { limit: 1000 }));
  // Read again whenever the list is opened, and after changes on a watch's own page.
  const rules = useAnswer(
    app,
    app.markets.value && pathTo(listRules, { limit: 1000, market: everyMarket(app.markets.value) }),
    `${chosen} ${app.said.value.text}`,
  );
  // Watches show channels and alerts, so all appear together.
  const isNamed = [channels, rules].every(({ data, problem }) => data !== null || problem !== null);
  const shown = isNamed ? watches : { ...watches, data: null };
  const isShown = shown.data !== null;
  const at = query.get('at');
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
              rules={rules.data?.items ?? []}
              saved={watches.reload}
            />
          );
        }}
      </Awaited>
    );
  }
  return (
    <>
      <ViewHead title="Watches and alerts">
        <Allowed app={app} permission={savingWatches}>
          <a class="button" href="/watches/new">
            New watch
          </a>
        </Allowed>
        <p class="row">
          <a href="#rules">Alerts on the account</a>
          <a href="#channels">Channels</a>
          <a href="#deliveries">Deliveries</a>
        </p>
      </ViewHead>
      <section class="card" aria-label="Watches" id="watches">
        <Awaited answer={shown} what="the watches">
          {({ items }) => (
            <WatchTable app={app} items={items} channels={channels} rules={rules.data?.items ?? []} />
          )}
        </Awaited>
      </section>
      <Rules app={app} watch={null} channels={channels.data?.items ?? []} />
      <Channels app={app} channels={channels} />
      <Deliveries app={app} />
    </>
  );
}

interface TableProps {
  app: App;
  items: readonly Watch[];
  channels: Answer<Page<Channel>>;
  rules: readonly Rule[];
}

function WatchTable({ app, items, channels, rules }: TableProps) {
  const action = useAction(app);
  if (items.length === 0) {
    return (
      <Notice title="No watches yet">
        {reasonFor(app, savingWatches) === null && (
          <>
            <a href="/watches/new">Create a watch</a>, or choose filters under <a href="/deals">Deals</a> and
            save them as a watch.
          </>
        )}
      </Notice>
    );
  }
  const isPlural = choosableMarkets(app.markets.value ?? []).length > 0;
  const rulesOf = (watch: Watch) => rules.filter(({ watchId }) => watchId === watch.id);
  return (
    <>
      <Failure problem={action.problem} />
      <DataTable
        label="List of watches"
        stacks
        rows={items}
        keyOf={({ id }) => id}
        columns={[
          {
            head: 'Name',
            heads: true,
            cell: watchLink,
          },
          ...(isPlural ? [{ head: 'Market', cell: ({ markets }: Watch) => markets.join(', ') }] : []),
          { head: 'Offers', cell: ({ filters }) => <span class="wrapped">{filtersInWords(filters)}</span> },
          {
            head: 'Alerts',
            cell: (watch) => <span class="wrapped">{rulesInWords(rulesOf(watch))}</span>,
          },
          {
            head: 'Channels',
            cell: (watch) => {
              const known = channels.data?.items ?? [];
              const notified = channelNames(watch, rulesOf(watch), known);
              const unheard = someUnheard(rulesOf(watch), watch, known);
              return notified.length === 0 ? (
                <NotifiesNobody />
              ) : (
                <span class="wrapped">
                  {notified.join(', ')}
                  {unheard !== null && (
                    <>
                      {'; '}
                      <span class="rose" data-notifies="some">
                        {unheard}
                      </span>
                    </>
                  )}
                </span>
              );
            },
          },
          {
            head: 'Report',
            cell: (watch) => (
              <>
                <span class="wrapped">
                  {watch.reportSchedule === null
                    ? 'on request'
                    : `${scheduleInWords(watch.reportSchedule.cron)}, ${watch.reportSchedule.timeZone}`}
                </span>{' '}
                <SendReport app={app} watch={watch} inList />
              </>
            ),
          },
          {
            head: 'Crawl schedule',
            cell: ({ filters, schedule }) =>
              filters.gpuName === undefined
                ? 'reads the whole market’s books'
                : scheduleInWords(schedule.cron),
          },
          {
            head: 'Report ranked by',
            field: 'rankBy',
            value: ({ rankBy }) => rankBy,
            cell: ({ rankBy }) => metricLabel(rankBy),
          },
        ]}
      />
    </>
  );
}

const watchLink = ({ id, name }: Watch) => (
  <a class="wrapped" href={`/watches/${id}`}>
    {name}
  </a>
);

/** The first rules of a watch, and how many more it has: its own page lists all. */
function rulesInWords(rules: readonly Rule[]): string {
  if (rules.length === 0) return 'none';
  const said = rules
    .slice(0, 3)
    .map((rule) => `${ruleInWords(rule)}${rule.enabled ? '' : ' (off)'}`)
    .join('; ');
  return rules.length > 3 ? `${said}; and ${rules.length - 3} more` : said;
}
