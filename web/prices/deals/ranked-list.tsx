import type { ComponentChildren } from 'preact';
import type { Rankings, Status } from '../../core/api.ts';
import type { App } from '../../core/app.ts';
import { hoursUntilEnd } from '../../core/ending-words.ts';
import { formatCount } from '../../core/figures.ts';
import { defaultRanking, metricLabel } from '../../core/metrics.ts';
import { useOwnNow } from '../../core/own-time.ts';
import { programCommand } from '../../core/program-command.ts';
import type { Answer } from '../../core/use-answer.ts';
import { usePages } from '../../core/use-pages.ts';
import { useWide } from '../../core/use-wide.ts';
import { Reason } from '../../parts/allowed.tsx';
import { profileHours } from '../../parts/filter-fields.ts';
import { Icon } from '../../parts/icon.tsx';
import { Moment } from '../../parts/moment.tsx';
import { MoreButton } from '../../parts/more-button.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Term } from '../../parts/term.tsx';
import type { DealColumn } from './deal-columns.ts';
import { chosenSort, type DealSort, sortChanges } from './deal-sort.ts';
import { orderWords } from './order-words.ts';
import type { Picked } from './picked-offers.ts';
import { orderNames } from './ranking-request.ts';
import { RankingTable } from './ranking-table.tsx';
import type { OfferSet } from './reliable-query.ts';
import type { Renting } from './rent-link.tsx';

interface Props {
  app: App;
  status: Status | null;
  answer: Answer<Rankings>;
  rankings: Rankings;
  columns: readonly DealColumn[];
  picked: Picked;
  renting: Renting | null;
  /** Why nothing can be rented from here; null: it can. */
  noRent: string | null;
  storageGb: string;
  set: OfferSet;
  /** What to say if no offer matches. */
  none: ComponentChildren;
}

/** The offers of a ranking, page by page, with what they rest on. */
export function RankedList(props: Props) {
  const { app, status, answer, rankings, columns, picked, renting, noRent, storageGb, set, none } = props;
  const pages = usePages(app, answer);
  const wide = useWide();
  const now = useOwnNow();
  const { by, observedAt, bookVerdict, unranked, total } = rankings;
  if (observedAt === null || pages.items.length === 0) {
    return (
      <>
        {observedAt !== null && status?.seeding == null ? (
          none
        ) : (
          <Notice title="Nothing to rank">
            {status?.seeding != null
              ? 'Rankings appear when the first books arrive.'
              : `No book of this type yet. Run ${programCommand} crawl offers, or import one.`}
          </Notice>
        )}
        <p class="caption">
          <Unranked unranked={unranked} />
        </p>
      </>
    );
  }
  const { query } = app.address.place.value;
  const isEndingLast = query.get('endingLast') === 'true';
  const items = pages.items.map((item) => ({
    ...item,
    maxDurationHours: hoursUntilEnd(item.maxDurationHours, observedAt, now),
  }));
  const sort = (order: DealSort) => app.address.change(sortChanges(order));
  const order = orderWords(by, chosenSort(query), columns);
  const notes = (
    <>
      with {storageGb} GB of disk
      {query.get('outliersLast') !== 'false' && (
        <>
          , <Term word="outlier">outlier prices</Term> last
        </>
      )}
      {isEndingLast && (
        <>
          , those that end before {profileHours(query)} h last (
          <a href={app.address.with({ endingLast: null })}>undo</a>)
        </>
      )}
      {by === defaultRanking && chosenSort(query).name === 'rank' && (
        <>
          . Models compare by <Term word="DLPerf" />, the market’s score for deep learning; a single one by
          price
        </>
      )}
      {by === 'allInUsdPerHour' && ': rent, disk and the traffic of the usage profile'}. Verdicts say which
      machine is cheap beside others, not when to rent.
      {!isEndingLast && <EndingLast app={app} items={items} />}
    </>
  );
  return (
    <>
      {by !== explainedQuery(answer).get('by') && (
        <p class="remark" data-remark="by">
          This market does not publish DLPerf, so offers are ranked by {metricLabel(by)} instead.
        </p>
      )}
      {bookVerdict === 'partial' && (
        <p class="remark" data-remark="partial">
          The newest book is partial: offers may be missing.
        </p>
      )}
      {noRent !== null && (
        <p class="caption">
          <Reason>{noRent}</Reason>
        </p>
      )}
      <h2 data-order={chosenSort(query).name}>
        {order}
        {wide && <small>{notes}</small>}
      </h2>
      <RankingTable
        items={items}
        by={by}
        columns={columns}
        // On a phone the heads do not show.
        sorting={wide ? { now: chosenSort(query), choose: sort } : undefined}
        picks={picked}
        asked={explainedQuery(answer)}
        renting={renting}
      />
      <MoreButton pages={pages} />
      {/* On a phone they would push the first price out of sight. */}
      {!wide && (
        <p class="caption" data-notes>
          {order} {notes}
        </p>
      )}
      <p class="caption">
        {pages.more === null
          ? `All ${formatCount(total)} ranked`
          : `${formatCount(pages.items.length)} of ${formatCount(total)} ranked`}{' '}
        {set === 'all offers' ? '' : `${set} `}offers of the <Term word="book" /> of <Moment t={observedAt} />
        ; a watch of one model may have a newer one, by which its alerts go. Prices include {storageGb} GB of
        disk; bid prices are the minimum bid. <Term word="offers of one machine">Offers of one machine</Term>{' '}
        can share GPUs. <Unranked unranked={unranked} />
      </p>
      <p class="caption keys">
        {legend.map(([name, text]) => (
          <span key={name}>
            <Icon name={name} /> {text}
          </span>
        ))}
        <span>
          compared with the daily prices of machines of the same model, type and verification, whatever their
          reliability. They do not say whether it is a <Term word="good time" /> to rent: all machines may be
          dear now. Tap or click a verdict for how it compares over 7, 30 and 90 days.
        </span>
      </p>
    </>
  );
}

interface EndingProps extends Pick<Props, 'app'> {
  items: Rankings['items'];
}

/** A link that lists those offers last that end before the hours of the usage profile; nothing where no shown one does. */
function EndingLast({ app, items }: EndingProps) {
  const hours = profileHours(app.address.place.value.query);
  if (items.every(({ maxDurationHours }) => (maxDurationHours ?? hours) >= hours)) return null;
  return (
    <>
      {' '}
      <a href={app.address.with({ endingLast: 'true' })}>List those last that end before {hours} h</a>
    </>
  );
}

/** Returns the parameters that decide the ranks of an answer, whatever its order. */
export function explainedQuery({ dataPath }: Pick<Answer<Rankings>, 'dataPath'>): URLSearchParams {
  const query = new URLSearchParams(dataPath?.split('?')[1]);
  for (const name of orderNames) query.delete(name);
  return query;
}

const legend = [
  ['great', 'very low'],
  ['good', 'low'],
  ['usual', 'usual'],
  ['dear', 'high'],
  ['steep', 'very high'],
  ['unknown', 'not enough history'],
] as const;

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
