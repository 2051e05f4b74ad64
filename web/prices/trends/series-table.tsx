import type { SupplyPoint, TrendPoint } from '../../core/api.ts';
import { formatAtLeast, formatChange, formatCount, formatUsd } from '../../core/figures.ts';
import { sentenceCase } from '../../core/sentence-case.ts';
import { Explain } from '../../parts/explain.tsx';
import { supplyWords } from '../../parts/supply-words.ts';
import type { ShownSeries, ShownSupply } from './named-lines.ts';
import { LineName, QuotesTable } from './quotes-table.tsx';
import { trendStatistics } from './trend-statistics.ts';
import { togetherWords } from './trend-words.ts';

interface Props {
  series: readonly ShownSeries[];
  /** The point of each series whose figures are shown. */
  points: readonly (TrendPoint | undefined)[];
  supply: readonly ShownSupply[];
  together: readonly (SupplyPoint | undefined)[];
  newest: boolean;
  /** Which offers are drawn, `all offers`. */
  set: string;
}

/** The legend and the figures of one moment, one row per line, with its median over the range. */
export function SeriesTable({ series, points, supply, together, newest, set }: Props) {
  const first = points.find((point) => point !== undefined);
  const own = headsOf(set);
  const heads = [median, spread, own.lowest, overRange, own.offers, supplyWords.physicalGpus];
  return (
    <QuotesTable t={first?.t} bucket={series[0]?.bucket ?? 'book'} newest={newest} heads={heads}>
      {series.map((each, index) => (
        <Row key={each.label} series={each} point={points[index]} own={own} />
      ))}
      {supply.map((each, index) => (
        <SupplyRow
          key={each.label}
          supply={each}
          point={together[index]}
          words={togetherWords(each, together[index], series, points)}
        />
      ))}
    </QuotesTable>
  );
}

const median = { label: 'Median' };
const spread = { label: 'p10 – p90', title: '80% of the offers are in this range' };
const overRange = {
  label: 'Median over the range',
  title: 'Lowest, highest and mean median of the points shown, and the change from the first to the last',
};

/** Returns the heads of what depends on which offers are drawn. */
function headsOf(set: string) {
  const isAll = set === 'all offers';
  return {
    lowest: {
      label: `Lowest of ${set}, outliers too`,
      ...(isAll && { title: 'Those of unverified machines included' }),
    },
    offers: {
      label: sentenceCase(set),
      ...(isAll && { title: 'All that match, whatever their verification and reliability' }),
    },
  };
}

interface RowProps {
  series: ShownSeries;
  point: TrendPoint | undefined;
  own: ReturnType<typeof headsOf>;
}

function Row({ series, point, own }: RowProps) {
  const { lowest, mean, highest, change } = trendStatistics(series.points);
  const usd = (value: number | null | undefined) => formatUsd(value ?? null);
  const query = point === undefined ? null : series.explain(point.t);
  return (
    <tr>
      <LineName {...series} />
      <td class="number main" data-head={median.label}>
        <Explain query={query}>{usd(point?.median)}</Explain>
      </td>
      <td class="number" data-head={spread.label}>
        <Explain query={query}>
          {usd(point?.p10)} – {usd(point?.p90)}
        </Explain>
      </td>
      <td class="number" data-head={own.lowest.label}>
        <Explain query={query}>{usd(point?.min)}</Explain>
      </td>
      <td class="number soft" data-head={overRange.label}>
        <Explain query={series.range}>
          {usd(lowest)} – {usd(highest)}, mean {usd(mean)}, first to last {formatChange(change)}
        </Explain>
      </td>
      <td class="number" data-head={own.offers.label}>
        <Explain query={query}>{point === undefined ? '–' : formatCount(point.offers)}</Explain>
      </td>
      <PhysicalGpus point={point} query={query} />
    </tr>
  );
}

interface PhysicalProps {
  point: TrendPoint | SupplyPoint | undefined;
  /** null: it has no explanation. */
  query: string | null;
}

const PhysicalGpus = ({ point, query }: PhysicalProps) => (
  <td
    class="number"
    data-head={supplyWords.physicalGpus.label}
    data-field="physicalGpus"
    data-value={point?.physicalGpus ?? null}
  >
    <Explain query={query}>
      {formatAtLeast(point?.physicalGpus ?? null, point?.physicalGpusIsLowerBound ?? null)}
    </Explain>
  </td>
);

interface SupplyProps {
  supply: ShownSupply;
  point: SupplyPoint | undefined;
  /** What it is of. */
  words: string;
}

/** The types' combined supply, in the lower part of the chart, without a price. */
function SupplyRow({ supply: { label, color, isAwaited, explain }, point, words }: SupplyProps) {
  return (
    <tr class="supply" aria-busy={isAwaited}>
      <LineName label={label} color={color} />
      <td colSpan={5} class="soft number">
        {words}
      </td>
      <PhysicalGpus point={point} query={point === undefined ? null : explain(point.t)} />
    </tr>
  );
}
