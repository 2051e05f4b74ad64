import type { Market } from '../core/api.ts';
import { countOf, formatPrice, formatSignedPercent } from '../core/figures.ts';
import type { Answer } from '../core/use-answer.ts';
import { Change } from '../parts/change.tsx';
import { DataTable } from '../parts/data-table.tsx';
import { Explain, explainQuery } from '../parts/explain.tsx';
import { Awaited, Notice } from '../parts/notice.tsx';
import { Term } from '../parts/term.tsx';
import { bestDrops, type Drop } from './best-drops.ts';

const maxShown = 5;

/** The models whose prices fell most, the same machines compared. */
export function PriceDrops({ market }: { market: Answer<Market> }) {
  return (
    <section class="card" aria-label="Price drops" id="drops">
      <Awaited answer={market} what="the price drops">
        {({ items, observedAt, type }) => {
          const { days, drops, compared } = bestDrops(items);
          return (
            <>
              <h2>
                <a href={`/market?sort=change${days}`}>Biggest price drops</a>
                <small>
                  of the same machines in {countOf(days, 'day')}: {drops.length} of{' '}
                  {countOf(compared, 'model')}
                </small>
              </h2>
              {drops.length === 0 ? (
                <Notice title={observedAt === null ? 'No book yet' : 'No clear drop'}>
                  {compared === 0
                    ? 'A change needs books of at least two days.'
                    : `No model’s prices have clearly fallen in ${countOf(days, 'day')}.`}
                </Notice>
              ) : (
                <>
                  <Drops drops={drops.slice(0, maxShown)} type={type} at={observedAt} />
                  {drops.length > maxShown && (
                    <p class="caption">
                      <a href={`/market?sort=change${days}`}>{drops.length - maxShown} more in Market</a>
                    </p>
                  )}
                </>
              )}
            </>
          );
        }}
      </Awaited>
    </section>
  );
}

interface DropsProps {
  drops: readonly Drop[];
  type: Market['type'];
  /** The moment of the newest book; null: the market has none. */
  at: string | null;
}

function Drops({ drops, type, at }: DropsProps) {
  return (
    <>
      <DataTable
        label="Price drops by model"
        rows={drops}
        keyOf={({ row }) => row.gpuName}
        columns={[
          {
            head: 'GPU',
            heads: true,
            cell: ({ row: { gpuName } }) => (
              <a href={`/trends?${new URLSearchParams({ gpuName })}`}>{gpuName}</a>
            ),
          },
          {
            head: 'Prices',
            title: 'Prices of the same machines, like for like, ± standard error',
            number: true,
            field: 'percent',
            value: ({ change }) => change.percent,
            cell: ({ row: { gpuName }, change }) => <Change change={change} of={{ gpuName, type }} />,
          },
          {
            head: 'Mix of machines',
            title: 'How far the day’s median moved with the mix of machines that are available, in points',
            number: true,
            field: 'mixPercent',
            value: ({ change }) => change.mixPercent,
            cell: ({ change: { mixPercent } }) => (
              <span class="soft">{mixPercent === null ? '–' : formatSignedPercent(mixPercent)}</span>
            ),
          },
          {
            head: 'Newest book’s median',
            title:
              'Median price of the newest book alone; the day’s median is of all prices of the day’s books',
            unit: '$/GPU-hour',
            number: true,
            field: 'median',
            value: ({ row }) => row.median,
            cell: ({ row: { gpuName, median, offers } }) => (
              <span title={countOf(offers, 'offer')}>
                <Explain query={explainQuery('book', { gpuName, type, at })}>{formatPrice(median)}</Explain>
              </span>
            ),
          },
        ]}
      />
      <p class="caption">
        Prices: of the same machines (<Term word="like for like" />
        ), which can fall while the lowest price rises, since its machine is gone.{' '}
        <Term word="mix">Mix of machines</Term>: how far the median of a day’s prices moved because other
        machines are available, in percentage points.
        <span class="day-median">
          {' '}
          The day’s median is of all prices of the day’s books, not of the newest book alone.
        </span>
      </p>
    </>
  );
}
