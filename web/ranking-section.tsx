import type { Rankings, Status } from './api.ts';
import { formatCount } from './figures.ts';
import { Notice, ProblemNotice } from './notice.tsx';
import type { PageState } from './page-state.ts';
import { RankingTable } from './ranking-table.tsx';
import { formatMoment, formatUtc } from './times.ts';
import { askedRanking, type View } from './view.ts';

/** The best offers of the newest book, or why there are none and what to do. */
export function RankingSection({ state, status }: { state: PageState; status: Status | null }) {
  const view = state.view.value;
  const { data, problem, loading, path, dataPath } = state.rankings.state.value;
  return (
    <section class="card" aria-labelledby="ranking-title" aria-busy={loading}>
      <div class="heading">
        <h2 id="ranking-title">
          Best value now
          <small>{data === null ? 'cost per dlperf' : (figureNames[data.by] ?? data.by)}, lowest first</small>
        </h2>
        {view.gpuName !== null && (
          <label class="switch">
            <input
              type="checkbox"
              name="rank"
              checked={view.rankChosenOnly}
              onChange={({ currentTarget }) => state.change({ rankChosenOnly: currentTarget.checked })}
            />
            Only {view.gpuName}
          </label>
        )}
      </div>
      {problem !== null && <ProblemNotice problem={problem} retry={state.rankings.reload} />}
      {problem === null && data === null && <Notice title="Loading the ranking …" />}
      {problem === null && data !== null && (
        <div class={path === dataPath ? 'content' : 'content stale'} data-path={dataPath}>
          <RankingBody rankings={data} view={view} seeding={status?.seeding != null} state={state} />
        </div>
      )}
    </section>
  );
}

const figureNames: Record<string, string> = {
  usdPerDlperfHour: 'cost per dlperf',
  usdPerGpuHour: 'price per GPU-hour',
  allInUsdPerHour: 'all-in price',
  usdPerGbVramHour: 'price per GB of VRAM',
  usdPerTflopHour: 'price per TFLOP',
};

interface BodyProps {
  rankings: Rankings;
  view: View;
  seeding: boolean;
  state: PageState;
}

function RankingBody({ rankings, view, seeding, state }: BodyProps) {
  const { by, items, observedAt, bookVerdict, unranked } = rankings;
  if (observedAt === null || items.length === 0) {
    return (
      <>
        <Notice title="Nothing to rank">
          {seeding
            ? 'The ranking appears with the first books.'
            : observedAt === null
              ? 'There is no book of this type yet. Record one with npx offerbook crawl offers or import.'
              : 'The newest book holds no offer of this choice that can be ranked. Choose another model or type.'}
        </Notice>
        <Unranked unranked={unranked} />
      </>
    );
  }
  return (
    <>
      {by !== askedRanking && (
        <p class="remark" data-remark="by">
          This market gives no dlperf, so offers are ranked by {figureNames[by] ?? by} instead.
        </p>
      )}
      {bookVerdict === 'partial' && (
        <p class="remark" data-remark="partial">
          The newest book is partial: offers may be missing.
        </p>
      )}
      <RankingTable rankings={rankings} view={view} change={state.change} />
      <p class="caption">
        {rankings.nextCursor === null ? 'All ranked offers' : `The first ${items.length} offers`} of the book
        of{' '}
        <time dateTime={observedAt} title={formatUtc(observedAt)}>
          {formatMoment(observedAt)}
        </time>
        . Prices include 8 GB of storage
        {view.type === 'bid' ? ' and start from the minimum bid, a floor' : ''}; dlperf is the market's
        predicted deep-learning score. <Unranked unranked={unranked} />
      </p>
    </>
  );
}

function Unranked({ unranked }: Pick<Rankings, 'unranked'>) {
  const total = unranked.reduce((sum, { offers }) => sum + offers, 0);
  if (total === 0) return null;
  const reasons = unranked.map(({ reason, offers }) => `${reason}: ${formatCount(offers)}`).join('; ');
  return (
    <span data-unranked={total}>
      Not ranked: {formatCount(total)} ({reasons}).
    </span>
  );
}
