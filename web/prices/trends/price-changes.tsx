import type { PriceIndex } from '../../core/api.ts';
import type { App } from '../../core/app.ts';
import { changeDays } from '../../core/change-words.ts';
import { useAnswer } from '../../core/use-answer.ts';
import { Change } from '../../parts/change.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Awaited } from '../../parts/notice.tsx';
import { indexPath, type TrendRequest } from './trend-request.ts';

interface Props {
  app: App;
  requests: readonly TrendRequest[];
}

/** The model and type of a series' key, which names the type where there are several. */
function seriesOf(key: string, [first]: readonly TrendRequest[]): Record<'gpuName' | 'type', string> {
  const [type, gpuName] = key.split('|');
  return gpuName === undefined ? { gpuName: key, type: first?.type ?? '' } : { gpuName, type: type ?? '' };
}

/** How prices of the models drawn moved like for like, beside their medians; nothing of all models together. */
export function PriceChanges({ app, requests }: Props) {
  const path = indexPath(requests);
  const answer = useAnswer<PriceIndex>(app, path, app.landed.value);
  if (path === null) return null;
  return (
    <section id="price-changes" aria-label="Price changes">
      <Awaited answer={answer} what="the price changes">
        {({ series }) => (
          <DataTable
            label="Price changes"
            id="change-table"
            stacks
            caption="Change of prices up to the newest day, like for like: the same machines compared, ± the standard error. The median also moves with the mix of machines that are free."
            rows={series}
            keyOf={({ key }) => key}
            columns={[
              {
                head: 'Price changes',
                heads: true,
                cell: ({ key }) => key.split('|').toReversed().join(' '),
              },
              ...changeDays.map((days) => {
                const changeOf = ({ changes }: (typeof series)[number]) =>
                  changes.find((change) => change.days === days);
                return {
                  head: days === 1 ? '1 day' : `${days} days`,
                  number: true,
                  field: `change${days}`,
                  value: (row: (typeof series)[number]) => changeOf(row)?.percent,
                  cell: (row: (typeof series)[number]) => {
                    const change = changeOf(row);
                    return change === undefined ? (
                      '–'
                    ) : (
                      <Change change={change} worded of={seriesOf(row.key, requests)} />
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
