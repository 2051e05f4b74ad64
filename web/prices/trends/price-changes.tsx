import type { PriceIndex } from '../../core/api.ts';
import type { App } from '../../core/app.ts';
import { changeDays, hasLongest, noLongestWords } from '../../core/change-words.ts';
import { countOf } from '../../core/figures.ts';
import { useAnswer } from '../../core/use-answer.ts';
import { Change } from '../../parts/change.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Awaited } from '../../parts/notice.tsx';
import { Term } from '../../parts/term.tsx';
import { isOfLine } from './index-series.ts';
import { labelsOf } from './shown-series.ts';
import { indexPath, type TrendRequest } from './trend-request.ts';

interface Props {
  app: App;
  requests: readonly TrendRequest[];
}

type Row = PriceIndex['series'][number];

/** Returns a series' market, model and type; the key contains the type if there are several. */
function lineOf({ key, market }: Row, [first]: readonly TrendRequest[]) {
  const [gpuName = '', type = first?.type ?? ''] = key.split('|').toReversed();
  return { market: first?.market == null ? null : market, gpuName, type };
}

/** Returns a series' name: its key with one market, else its label in the chart. */
function nameOf(row: Row, requests: readonly TrendRequest[]): string {
  const [name = '', type, market] = row.key.split('|').toReversed();
  if (market !== undefined)
    return labelsOf(requests)[requests.findIndex((line) => isOfLine(row, line))] ?? '';
  return type === undefined ? name : `${name} ${type}`;
}

/** Like-for-like changes of the drawn models, beside their medians; empty for all models together. */
export function PriceChanges({ app, requests }: Props) {
  const path = indexPath(requests);
  const answer = useAnswer(app, path, app.landed.value);
  if (path === null) return null;
  return (
    <section id="price-changes" aria-label="Price changes">
      <Awaited answer={answer} what="the price changes">
        {({ series }) => (
          <DataTable
            label="Price changes"
            id="change-table"
            stacks
            caption={
              <>
                Up to the newest day, whatever the range: prices of the same machines, ± their{' '}
                <Term word="standard error" />{' '}
                <span class="nowrap">
                  (<Term word="like for like" />)
                </span>
                , and the day’s median, which also moves with the <Term word="mix" /> of machines that are
                available. {!hasLongest(series) && noLongestWords}
              </>
            }
            rows={series.filter((row) => nameOf(row, requests) !== '')}
            keyOf={({ key }) => key}
            columns={[
              {
                head: 'Like-for-like change',
                heads: true,
                cell: (row) => nameOf(row, requests),
              },
              ...changeDays.map((days) => {
                const changeOf = ({ changes }: Row) => changes.find((change) => change.days === days);
                return {
                  head: `In ${countOf(days, 'day')}`,
                  number: true,
                  field: `change${days}`,
                  value: (row: Row) => changeOf(row)?.percent,
                  cell: (row: Row) => {
                    const change = changeOf(row);
                    return change === undefined ? (
                      '–'
                    ) : (
                      <Change change={change} worded of={lineOf(row, requests)} />
                    );
                  },
                };
              }),
            ]}
          />
        )}
      </Awaited>
    </section>
  );
}
