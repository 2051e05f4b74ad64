import { useRef, useState } from 'preact/hooks';
import { changedQuery } from '../core/address.ts';
import type { Channel, Rankings, Rule, Watch } from '../core/api.ts';
import { listedBy } from '../core/market-choice.ts';
import { isLacking } from '../core/market-parts.ts';
import { defaultMetric, defaultRanking } from '../core/metrics.ts';
import type { TypedPath } from '../core/path-to.ts';
import { ordering, reasonFor, savingWatches } from '../core/permission.ts';
import { crawlSchedules, reportSchedules } from '../core/schedules.ts';
import { useAction } from '../core/use-action.ts';
import { type Answer, useAnswer } from '../core/use-answer.ts';
import type { Page } from '../core/use-pages.ts';
import { Allowed } from '../parts/allowed.tsx';
import { Select, SomeOf } from '../parts/choice.tsx';
import { Failure } from '../parts/failure.tsx';
import { FilterForm, ProfileForm } from '../parts/filter-form.tsx';
import { MarketChooser } from '../parts/market-chooser.tsx';
import { ModelPicker } from '../parts/model-picker.tsx';
import { Awaited, Notice } from '../parts/notice.tsx';
import { ScheduleChoice } from '../parts/schedule-choice.tsx';
import { TypeChooser } from '../parts/type-chooser.tsx';
import type { ViewProps } from '../parts/view.ts';
import { ViewHead } from '../parts/view-head.tsx';
import { rankingOptions, rankingPath } from '../prices/deals/ranking-request.ts';
import { RankingTable } from '../prices/deals/ranking-table.tsx';
import { channelOptions, firstChannels } from './chosen-channels.ts';
import { DeleteWatch } from './delete-watch.tsx';
import { amountInMetric } from './metric-words.ts';
import { addUnderWatches, unheardOfWatch } from './notifies-nobody.tsx';
import { PriceField, PriceProblem } from './price-field.tsx';
import { Rules } from './rules.tsx';
import { priceOf } from './suggested-price.ts';
import { watchFields, watchMarkets, watchQuery } from './watch-fields.ts';
import { WatchReport } from './watch-report.tsx';

interface Props extends ViewProps {
  /** null: a new one. */
  watch: Watch | null;
  channels: readonly Channel[];
  watches: readonly Watch[];
  /** Alerts of all watches. */
  rules: Answer<Page<Rule>>;
  saved: () => void;
}

/** Creates or edits a watch, with its current matches below. */
export function WatchEditor({ app, status, watch, channels, watches, rules, saved }: Props) {
  const [query, setQuery] = useState(() =>
    watch === null ? new URLSearchParams(app.address.place.value.query) : watchQuery(watch),
  );
  const [name, setName] = useState(watch?.name ?? '');
  const [cron, setCron] = useState(watch?.schedule.cron ?? '*/10 * * * *');
  const [report, setReport] = useState(watch?.reportSchedule?.cron ?? '');
  const [channelIds, setChannelIds] = useState(watch?.channelIds ?? firstChannels(window, channels));
  const [below, setBelow] = useState('');
  const [ending, setEnding] = useState(false);
  // New times of day are the reader's; saved ones stay in their zone.
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const crawlZone = watch?.schedule.timeZone ?? timeZone;
  const reportZone = watch?.reportSchedule?.timeZone ?? timeZone;
  const action = useAction(app);
  const change = (changes: Parameters<typeof changedQuery>[1]) => setQuery(changedQuery(query, changes));
  const by = query.get('by') ?? watch?.rankBy ?? defaultRanking;
  const preview = changedQuery(query, { by });
  const listed = listedBy(query, app.markets.value, status);
  const usd = priceOf(below);
  // Made by an earlier try, whose alert was refused.
  const made = useRef<Pick<Watch, 'id'> | null>(null);
  const own = watch === null ? [] : (rules.data?.items ?? []).filter(({ watchId }) => watchId === watch.id);
  const unheard = unheardOfWatch(
    usd === null ? own : [...own, { channelIds: [] }],
    { channelIds, hasReport: report.trim() !== '' },
    channels,
  );

  async function save(): Promise<string> {
    const body = {
      name: name.trim(),
      ...watchFields(query),
      ...watchMarkets(query, app.markets.value ?? []),
      rankBy: by as Watch['rankBy'],
      schedule: { cron, timeZone: crawlZone },
      channelIds,
      reportSchedule: report.trim() === '' ? null : { cron: report.trim(), timeZone: reportZone },
    };
    const kept = watch ?? made.current;
    const { id } = await (kept === null
      ? app.api.createWatch({ body })
      : app.api.updateWatch({ id: kept.id, body }));
    made.current = { id };
    if (usd !== null)
      await app.api.createRule({
        body: { watchId: id, kind: 'priceBelow', params: { metric: defaultMetric, usd } },
      });
    saved();
    rules.reload();
    app.address.go('/watches');
    return `${name.trim()} saved${usd === null ? '' : `, with an alert below ${amountInMetric(usd, defaultMetric)}`}.`;
  }

  return (
    <>
      <ViewHead title={watch === null ? 'New watch' : watch.name} />
      <section class="card" aria-label="Watch" id="watch-editor">
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (usd !== null || below.trim() === '') void action.run(save);
          }}
        >
          <div class="fields">
            <label class="field">
              <span>Name</span>
              <input
                name="watch-name"
                required
                maxLength={200}
                value={name}
                onInput={({ currentTarget }) => setName(currentTarget.value)}
              />
            </label>
            <MarketChooser app={app} query={query} change={change} />
            <ModelPicker
              names={listed.gpuNames}
              chosen={query.getAll('gpuName')}
              choose={(gpuName) => change({ gpuName })}
            />
            <TypeChooser listed={listed.types} query={query} choose={(type) => change({ type })} />
            <Select
              label="Rank the report by"
              name="by"
              options={rankingOptions}
              value={by}
              choose={(value) => change({ by: value })}
            />
            {query.has('gpuName') && (
              <ScheduleChoice
                label="Crawl its own books"
                name="cron"
                options={crawlSchedules}
                cron={cron}
                timeZone={crawlZone}
                set={setCron}
              />
            )}
            <ScheduleChoice
              label="Send the report"
              name="report-cron"
              options={reportSchedules}
              cron={report}
              timeZone={reportZone}
              set={setReport}
            />
            {channels.length > 0 && (
              <SomeOf
                legend="Notify of its report, and of alerts without channels of their own"
                name="channel"
                options={channelOptions(channels)}
                chosen={channelIds}
                choose={setChannelIds}
              />
            )}
          </div>
          {watch === null && (
            <>
              <PriceField
                begins="Alert me when the lowest"
                metric={defaultMetric}
                text={below}
                set={setBelow}
                unset="No alert"
              />
              <PriceProblem text={below} usd={usd} />
            </>
          )}
          {unheard !== null && (
            <p class="remark" role="status" data-notifies="nobody">
              {channels.length === 0 ? <>Notifies nobody: {addUnderWatches}.</> : unheard}
            </p>
          )}
          {own.length > 0 && (
            <p class="caption">
              Other filters start its alerts again: what they wait for fires once more if it holds already.
            </p>
          )}
          <p class="row">
            <Allowed app={app} permission={savingWatches}>
              <button type="submit" class="primary" disabled={action.busy}>
                {watch === null ? 'Create watch' : 'Save'}
              </button>
            </Allowed>
            <a class="button" href="/watches">
              Back
            </a>
            {watch !== null && !isLacking('account', status) && reasonFor(app, ordering) === null && (
              <a class="button" href={`/orders/new?watch=${watch.id}`}>
                Order…
              </a>
            )}
            {watch !== null && reasonFor(app, savingWatches) === null && (
              <button type="button" class="danger" onClick={() => setEnding(true)}>
                Delete watch…
              </button>
            )}
          </p>
          <Failure problem={action.problem} />
        </form>
        <div class="folds">
          <FilterForm query={query} change={change} />
          <ProfileForm query={query} change={change} />
        </div>
      </section>
      <Preview app={app} status={status} path={rankingPath(preview, 10)} />
      {watch !== null && <WatchReport app={app} watch={watch} />}
      {watch !== null && (
        <Rules app={app} watch={watch} watches={watches} rules={rules} channels={channels} />
      )}
      {ending && watch !== null && (
        <DeleteWatch
          app={app}
          watch={watch}
          done={() => {
            saved();
            app.address.go('/watches');
          }}
          close={() => setEnding(false)}
        />
      )}
    </>
  );
}

function Preview({ app, path }: ViewProps & { path: TypedPath<Rankings> }) {
  const answer = useAnswer(app, path, app.landed.value);
  return (
    <section class="card" aria-label="Preview" id="watch-preview">
      <h2>
        Preview<small>the first ten matching offers now</small>
      </h2>
      <Awaited answer={answer} what="the preview">
        {({ items, by }) =>
          items.length === 0 ? (
            <Notice title="No matching offer now">
              The watch may find some later; or use fewer filters.
            </Notice>
          ) : (
            <RankingTable items={items} by={by} asked={new URLSearchParams(path.split('?')[1])} />
          )
        }
      </Awaited>
    </section>
  );
}
