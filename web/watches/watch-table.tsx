import { useState } from 'preact/hooks';
import type { Channel, Rule, Watch } from '../core/api.ts';
import type { App } from '../core/app.ts';
import { countOf } from '../core/figures.ts';
import { choosableMarkets } from '../core/market-choice.ts';
import { reasonFor, savingWatches } from '../core/permission.ts';
import { scheduleInWords } from '../core/schedules.ts';
import { DataTable } from '../parts/data-table.tsx';
import { Notice } from '../parts/notice.tsx';
import { DeleteWatch } from './delete-watch.tsx';
import { channelNames, NotifiesNobody, onlyOn } from './notifies-nobody.tsx';
import { SendReport } from './send-report.tsx';
import { filtersInWords } from './watch-fields.ts';

interface Props {
  app: App;
  items: readonly Watch[];
  channels: readonly Channel[];
  /** Alerts of all watches. */
  rules: readonly Rule[];
  reload: () => void;
}

/** The watches, with the buttons of each. */
export function WatchTable({ app, items, channels, rules, reload }: Props) {
  const [ending, setEnding] = useState<Watch | null>(null);
  const mayChange = reasonFor(app, savingWatches) === null;
  if (items.length === 0) {
    return (
      <Notice title="No watches yet">
        {mayChange && (
          <>
            <a href="/watches/new">Create a watch</a>, or choose filters under <a href="/deals">Deals</a> and
            save them as a watch.
          </>
        )}
      </Notice>
    );
  }
  const isPlural = choosableMarkets(app.markets.value ?? []).length > 0;
  const alertsOf = ({ id }: Watch) => rules.filter(({ watchId }) => watchId === id).length;
  return (
    <>
      <DataTable
        label="List of watches"
        stacks
        rows={items}
        keyOf={({ id }) => id}
        columns={[
          {
            head: 'Name',
            heads: true,
            field: 'name',
            value: ({ name }) => name,
            cell: ({ id, name }) => (
              <a class="wrapped" href={`/watches/${id}`}>
                {name}
              </a>
            ),
          },
          ...(isPlural ? [{ head: 'Market', cell: ({ markets }: Watch) => markets.join(', ') }] : []),
          {
            head: 'Offers',
            cell: ({ filters }) => <span class="wrapped">{filtersInWords(filters)}</span>,
          },
          {
            head: 'Alerts',
            cell: (watch) => (alertsOf(watch) === 0 ? 'none' : countOf(alertsOf(watch), 'alert')),
          },
          { head: 'Report', cell: (watch) => <ReportCell watch={watch} channels={channels} /> },
          {
            head: 'Crawled',
            cell: ({ filters, schedule }) =>
              filters.gpuName === undefined
                ? 'with the market'
                : scheduleInWords(schedule.cron, schedule.timeZone),
          },
          {
            head: 'Actions',
            actions: true,
            cell: (watch) =>
              mayChange && (
                <span class="row nowrap">
                  {watch.channelIds.length > 0 && <SendReport app={app} watch={watch} inList />}
                  <a class="button small" href={`/watches/${watch.id}`} aria-label={`Edit ${watch.name}`}>
                    Edit
                  </a>
                  <button
                    type="button"
                    class="small danger"
                    aria-label={`Delete… ${watch.name}`}
                    onClick={() => setEnding(watch)}
                  >
                    Delete…
                  </button>
                </span>
              ),
          },
        ]}
      />
      {ending !== null && (
        <DeleteWatch
          app={app}
          watch={ending}
          done={() => {
            setEnding(null);
            reload();
          }}
          close={() => setEnding(null)}
        />
      )}
    </>
  );
}

function ReportCell({ watch, channels }: { watch: Watch; channels: readonly Channel[] }) {
  const { reportSchedule: sent, channelIds } = watch;
  if (sent === null) return channelIds.length === 0 ? 'none' : 'on request';
  const ids = onlyOn(channelIds, channels);
  return (
    <span class="wrapped">
      {scheduleInWords(sent.cron, sent.timeZone)}
      {ids.length === 0 ? (
        <>
          : <NotifiesNobody off={channels.filter(({ id }) => channelIds.includes(id))} />
        </>
      ) : (
        `, to ${channelNames(ids, channels)}`
      )}
    </span>
  );
}
