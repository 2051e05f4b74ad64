import { formatCount, formatFixed, formatPercent, formatSignedPercent } from '../../core/figures.ts';
import { formatBucket } from '../../core/times.ts';
import { Explain } from '../../parts/explain.tsx';
import type { IndexPoint } from './index-series.ts';
import { type MomentColumn, MomentTable } from './moment-table.tsx';
import type { ShownSeries } from './named-lines.ts';
import { LineName, QuotesTable } from './quotes-table.tsx';
import type { PointsShown } from './trend-chart.tsx';

const level = (value: number | null | undefined) => formatFixed(value ?? null, 2);
const movement = ({ movementPercent }: IndexPoint) =>
  movementPercent === null ? 'restarted' : formatSignedPercent(movementPercent);
const error = ({ stderrPercent }: IndexPoint) => formatPercent(stderrPercent, 2);
const bandTitle = 'Two standard errors below and above; – where the error is unknown';

interface Props {
  series: readonly ShownSeries<IndexPoint>[];
  shown: PointsShown<IndexPoint>;
}

/** The legend and the levels of one day, one row per line of the chart. */
export function IndexFigures({ series, shown: { points, newest } }: Props) {
  const first = points.find((point) => point !== undefined);
  return (
    <QuotesTable t={first?.t} bucket="1d" newest={newest} heads={Object.values(head)}>
      {series.map(({ label, color, dashed, explain }, place) => {
        const point = points[place];
        const query = point === undefined ? null : explain(point.t);
        return (
          <tr key={label}>
            <LineName label={label} color={color} dashed={dashed} />
            <td
              class="number main"
              data-head={head.index.label}
              data-field="rebased"
              data-value={point?.rebased}
            >
              <Explain query={query}>{level(point?.rebased)}</Explain>
            </td>
            <td class="number" data-head={head.band.label}>
              {level(point?.rebasedLow)} – {level(point?.rebasedHigh)}
            </td>
            <td class="number" data-head={head.movement.label}>
              <Explain query={query}>
                {point === undefined ? '–' : `${movement(point)} ± ${error(point)}`}
              </Explain>
            </td>
            <td class="number" data-head={head.listings.label}>
              <Explain query={query}>{point === undefined ? '–' : formatCount(point.listings)}</Explain>
            </td>
          </tr>
        );
      })}
    </QuotesTable>
  );
}

const head = {
  index: { label: 'Index' },
  band: { label: 'Band', title: bandTitle },
  movement: { label: 'Movement', title: 'Since the last comparable day, ± standard error' },
  listings: { label: 'Listings', title: 'Seen on two or more of the last 28 days' },
};

/** Describes the levels of a day. */
export function indexWords({ series, shown: { points } }: Props): string {
  const said = series.flatMap(({ label }, place) => {
    const point = points[place];
    if (point === undefined) return [];
    const { t, rebased, rebasedLow, rebasedHigh } = point;
    const band = rebasedLow === null ? '' : `, ${level(rebasedLow)} to ${level(rebasedHigh)}`;
    const state = point.sign === 'rectRot' ? ', restarted' : point.open ? ', day not over' : '';
    return [`${label}, ${formatBucket(t, '1d')}: index ${level(rebased)}${band}${state}`];
  });
  return said.length === 0 ? 'no data' : said.join('; ');
}

const columns: readonly MomentColumn<IndexPoint>[] = [
  { field: 'rebased', head: 'Index', format: ({ rebased }) => level(rebased) },
  { field: 'rebasedLow', head: 'Low', title: bandTitle, format: ({ rebasedLow }) => level(rebasedLow) },
  { field: 'rebasedHigh', head: 'High', title: bandTitle, format: ({ rebasedHigh }) => level(rebasedHigh) },
  { field: 'movementPercent', head: 'Movement', format: movement },
  { field: 'stderrPercent', head: 'Standard error', title: 'Of the movement', format: error },
  { field: 'listings', head: 'Listings', format: ({ listings }) => formatCount(listings) },
  { field: 'observations', head: 'Observations', format: ({ observations }) => formatCount(observations) },
];

/** Returns the tables of the index, one per line of the chart. */
export const indexTables = (series: readonly ShownSeries<IndexPoint>[]) =>
  series.map(({ label, points, explain }) => ({
    label,
    table: () => (
      <MomentTable
        caption={`${label}: prices like for like; the band is two standard errors below and above.`}
        moment="Day"
        bucket="1d"
        points={points}
        explain={explain}
        columns={columns}
      />
    ),
  }));
