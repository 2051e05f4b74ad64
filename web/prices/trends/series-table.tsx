import type { SupplyPoint, TrendPoint } from '../../core/api.ts';
import { formatAtLeast, formatChange, formatCount, formatUsd, priceDecimals } from '../../core/figures.ts';
import { bucketTitle, formatBucket } from '../../core/times.ts';
import { Scroll } from '../../parts/scroll.tsx';
import { supplyWords } from '../../parts/supply-words.ts';
import type { ShownSeries, ShownSupply } from './named-lines.ts';
import { trendStatistics } from './trend-statistics.ts';

interface Props {
  series: readonly ShownSeries[];
  /** The point of each that the figures are of. */
  points: readonly (TrendPoint | undefined)[];
  supply: readonly ShownSupply[];
  together: readonly (SupplyPoint | undefined)[];
  newest: boolean;
}

/** The legend and the figures of one moment, a line of the chart a row, with what its median did over the range. */
export function SeriesTable({ series, points, supply, together, newest }: Props) {
  const first = points.find((point) => point !== undefined);
  const bucket = series[0]?.bucket ?? 'book';
  return (
    <Scroll label="Chart values">
      <table class="quotes" data-point={first?.t}>
        <thead>
          <tr>
            <th scope="col">
              {first === undefined ? (
                'No data'
              ) : (
                <>
                  {newest && <span class="wide">Newest: </span>}
                  <time dateTime={first.t} title={bucketTitle(first.t, bucket)}>
                    {formatBucket(first.t, bucket)}
                  </time>
                </>
              )}
            </th>
            <th scope="col" class="number">
              Median
            </th>
            <th scope="col" class="number" title="Change from the first to the last median in the range">
              Median change
            </th>
            <th scope="col" class="number" title="80 % of the offers are in this range">
              p10 – p90
            </th>
            <th scope="col" class="number" title="Cheapest offer, outliers included">
              Minimum
            </th>
            <th scope="col" class="number" title="Lowest, mean and highest median of the points shown">
              Median low · mean · high
            </th>
            <th scope="col" class="number">
              Offers
            </th>
            <th scope="col" class="number" title={supplyWords.physicalGpus.title}>
              {supplyWords.physicalGpus.label}
            </th>
          </tr>
        </thead>
        <tbody>
          {series.map((each, index) => (
            <Row key={each.label} series={each} point={points[index]} />
          ))}
          {supply.map((each, index) => (
            <SupplyRow key={each.label} supply={each} point={together[index]} />
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

function Row({ series, point }: { series: ShownSeries; point: TrendPoint | undefined }) {
  const { lowest, mean, highest, change } = trendStatistics(series.points);
  const decimals = priceDecimals([point?.median ?? null]);
  const usd = (value: number | null | undefined) => formatUsd(value ?? null, decimals);
  return (
    <tr>
      <th scope="row">
        <i class={`swatch s${series.colour % 6}${series.dashed ? ' dashed' : ''}`} />
        {series.label}
      </th>
      <td class="number main">{usd(point?.median)}</td>
      <td class="number">{formatChange(change)}</td>
      <td class="number">
        {usd(point?.p10)} – {usd(point?.p90)}
      </td>
      <td class="number">{formatUsd(point?.min ?? null)}</td>
      <td class="number soft">
        {usd(lowest)} · {usd(mean)} · {usd(highest)}
      </td>
      <td class="number">{point === undefined ? '–' : formatCount(point.offers)}</td>
      <PhysicalGpus point={point} />
    </tr>
  );
}

const PhysicalGpus = ({ point }: { point: TrendPoint | SupplyPoint | undefined }) => (
  <td class="number" data-field="physicalGpus" data-value={point?.physicalGpus ?? null}>
    {formatAtLeast(point?.physicalGpus ?? null, point?.physicalGpusIsLowerBound ?? null)}
  </td>
);

interface SupplyProps {
  supply: ShownSupply;
  point: SupplyPoint | undefined;
}

/** What the types offer together: the lower part of the chart, which has no price. */
function SupplyRow({ supply: { label, colour, isAwaited }, point }: SupplyProps) {
  return (
    <tr class="supply" aria-busy={isAwaited}>
      <th scope="row">
        <i class={`swatch s${colour % 6}`} />
        {label}
      </th>
      <td colSpan={6} class="soft number">
        each GPU counted once across types
      </td>
      <PhysicalGpus point={point} />
    </tr>
  );
}
