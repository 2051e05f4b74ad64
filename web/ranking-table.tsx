import type { RankedOffer, Rankings } from './api.ts';
import { formatFixed, formatShare, priceDecimals } from './figures.ts';
import { type View, viewQuery } from './view.ts';

interface Props {
  rankings: Rankings;
  view: View;
  change: (part: Partial<View>) => void;
}

const valueHeads: Record<string, string> = {
  usdPerDlperfHour: '$/dlperf·h',
  usdPerGpuHour: '$/GPU·h',
  usdPerGbVramHour: '$/GB·h',
  usdPerTflopHour: '$/TFLOP·h',
  allInUsdPerHour: 'all-in $/h',
};

/** The ranked offers, one a row; cells carry the API's own numbers in `data-value`. */
export function RankingTable({ rankings, view, change }: Props) {
  const { items, by } = rankings;
  const bid = view.type === 'bid';
  const decimals = {
    value: priceDecimals(items.map((item) => item.value)),
    usdPerHour: priceDecimals(items.map((item) => item.usdPerHour)),
    usdPerGpuHour: priceDecimals(items.map((item) => item.usdPerGpuHour)),
  };
  return (
    <section class="scroll" aria-label="Ranking">
      <table id="ranking">
        <thead>
          <tr>
            <th scope="col" class="number">
              <abbr title="Rank">#</abbr>
            </th>
            <th scope="col">GPU</th>
            <th scope="col" class="number" title={items[0]?.unit}>
              {valueHeads[by] ?? by}
            </th>
            <th scope="col" class="number" title="Whole offer, with 8 GB of storage">
              {bid ? 'min. bid $/h' : '$/h'}
            </th>
            {by !== 'usdPerGpuHour' && (
              <th scope="col" class="number">
                {bid ? 'min. bid $/GPU·h' : '$/GPU·h'}
              </th>
            )}
            <th scope="col" class="number">
              dlperf
            </th>
            <th scope="col" class="number">
              reliability
            </th>
            <th scope="col">verification</th>
            <th scope="col">country</th>
            <th scope="col" class="number">
              machine
            </th>
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr key={item.listingId} data-offer={item.offerId} data-rank={item.rank}>
              <td class="number soft">{item.rank}</td>
              <th scope="row">
                <Model item={item} view={view} change={change} />
              </th>
              <td class="number main" data-field="value" data-value={item.value}>
                {formatFixed(item.value, decimals.value)}
              </td>
              <td class="number" data-field="usdPerHour" data-value={item.usdPerHour}>
                {formatFixed(item.usdPerHour, decimals.usdPerHour)}
              </td>
              {by !== 'usdPerGpuHour' && (
                <td class="number" data-field="usdPerGpuHour" data-value={item.usdPerGpuHour}>
                  {formatFixed(item.usdPerGpuHour, decimals.usdPerGpuHour)}
                </td>
              )}
              <td class="number" data-field="dlperf" data-value={item.dlperf}>
                {formatFixed(item.dlperf, 1)}
              </td>
              <td class="number" data-field="reliability" data-value={item.reliability}>
                {formatShare(item.reliability)}
              </td>
              <td class={item.verification ?? 'soft'}>{item.verification ?? 'not stated'}</td>
              <td title={countryName(item.country)}>{item.country ?? '–'}</td>
              <td class="number soft">{item.machineId}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Model({ item, view, change }: { item: RankedOffer; view: View; change: Props['change'] }) {
  const { gpuName } = item;
  return (
    <>
      <a
        href={viewQuery({ ...view, gpuName })}
        title={`Show the price trend of ${gpuName}`}
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey) return;
          event.preventDefault();
          change({ gpuName });
        }}
      >
        {gpuName}
      </a>{' '}
      <span class="times">× {item.numGpus}</span>
      {item.joke && (
        <span class="joke" title="Below a quarter or above four times the 30-day median of its segment">
          joke price
        </span>
      )}
    </>
  );
}

function countryName(code: string | null): string {
  if (code === null || !/^[A-Z]{2}$/.test(code)) return 'Not stated';
  return new Intl.DisplayNames(undefined, { type: 'region' }).of(code) ?? code;
}
