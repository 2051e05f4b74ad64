import type { Trends } from '../../core/api.ts';
import { countOf } from '../../core/figures.ts';
import { maxBands } from './trend-datasets.ts';

const bucketNouns = { book: 'book', '1h': 'hour', '1d': 'day', '1w': 'week' } as const;

interface Props {
  trends: readonly Trends[];
  all: boolean;
  /** How much earlier the faint lines lie; null: there are none. */
  days: number | null;
  /** Whether the supply is that of several types. */
  together: boolean;
  /** How many lines are drawn, those of an earlier time apart. */
  lines: number;
}

/** What the points are made of, and what the chart does not show. */
export function TrendCaption({ trends, all, days, together, lines }: Props) {
  const [first] = trends;
  if (first === undefined) return null;
  const { books, complete, partial, failed, expected } = first.coverage;
  const points = first.series[0]?.points ?? [];
  const flaws = [
    partial > 0 ? `${partial} partial` : null,
    failed > 0 ? `${failed} failed` : null,
    expected !== null && expected > books ? `${expected - books} of ${expected} expected missing` : null,
  ].filter((flaw) => flaw !== null);
  return (
    <p class="caption">
      {countOf(points.length, 'point')}, one a {bucketNouns[first.bucket]}
      {first.bucket === '1d' || first.bucket === '1w' ? ' (UTC)' : ''}, from{' '}
      {countOf(complete, 'complete book')}
      {flaws.length > 0 && `; ${flaws.join(', ')}`}. Only complete books count; where they are missing, the
      line breaks. {drawnWords(lines)} The lower part shows physical GPUs
      {together ? ' of all types drawn, each once' : ''}.
      {!all && beginsLate(first) && ' The range began earlier, without books.'}
      {days !== null && ` Faint: ${countOf(days, 'day')} earlier.`}
    </p>
  );
}

/** What is drawn beside the medians. */
function drawnWords(lines: number): string {
  if (lines === 1)
    return 'The line is the median, the band holds eight of ten offers (p10 – p90), dots are the minimum.';
  if (lines <= maxBands) return 'Lines are medians, each in the band of eight of ten offers (p10 – p90).';
  return `Lines are medians; bands (p10 – p90) are drawn with up to ${maxBands} of them.`;
}

// The chart spans what there is; a reader must not take that for the whole range.
function beginsLate({ from, to, series }: Trends): boolean {
  const first = series[0]?.points[0];
  if (first === undefined) return false;
  return Date.parse(first.t) - Date.parse(from) > 0.1 * (Date.parse(to) - Date.parse(from));
}
