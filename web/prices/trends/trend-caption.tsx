import type { Trends } from '../../core/api.ts';
import { countOf, formatUsd } from '../../core/figures.ts';
import { Term } from '../../parts/term.tsx';
import { maxBands } from './trend-datasets.ts';

const bucketNouns = { book: 'book', '1h': 'hour', '1d': 'day', '1w': 'week' } as const;

interface Props {
  trends: readonly Trends[];
  all: boolean;
  /** How many days earlier the faint lines are; null: there are none. */
  days: number | null;
  /** Whether the supply combines several types. */
  together: boolean;
  /** Number of drawn lines, without earlier ones. */
  lines: number;
  /** Which offers are drawn, `all offers`. */
  set: string;
  /** Drawn values beyond the axis. */
  outside: readonly number[];
  /** The market of the counted points if there are several; else null. */
  market: string | null;
}

/** What the points are computed from, and what the chart leaves out. */
export function TrendCaption(props: Props) {
  const { trends, all, days, together, lines, set, outside, market } = props;
  const [first] = trends;
  if (first === undefined) return null;
  const { books, complete, partial, failed, expected } = first.coverage;
  const points = first.series[0]?.points ?? [];
  const flaws = [
    partial > 0 ? `${partial} partial` : null,
    failed > 0 ? `${failed} failed` : null,
    expected !== null && expected > books
      ? `${expected - books} of ${expected} expected books missing`
      : null,
  ].filter((flaw) => flaw !== null);
  return (
    <p class="caption">
      {market !== null && `${market}: `}
      {countOf(points.length, 'point')}, one per {bucketNouns[first.bucket]}
      {first.bucket === '1d' || first.bucket === '1w' ? ' (UTC)' : ''}, from{' '}
      <Term word="book">{countOf(complete, 'complete book')}</Term>
      {flaws.length > 0 && `; ${flaws.join(', ')}`}. Lines break where complete books are missing.{' '}
      {drawnWords(lines, set)}
      {together && ' Below: physical GPUs of all selected types, each counted once.'}
      {outside.length > 0 && (
        <span data-outside={outside.length}>
          {' '}
          Cut off at the chart’s edge: {countOf(outside.length, 'value')} of {formatUsd(Math.min(...outside))}
          {outside.length > 1 && ` to ${formatUsd(Math.max(...outside))}`}; the log scale shows{' '}
          {outside.length > 1 ? 'them' : 'it'}.
        </span>
      )}
      {!all && beginsLate(first) && ' There are no books from the beginning of the range.'}
      {days !== null && ` Faint lines: ${countOf(days, 'day')} earlier.`}
    </p>
  );
}

/** Describes what is drawn beside the medians. */
function drawnWords(lines: number, set: string): string {
  if (lines === 1)
    return `The line is the median, the band is p10 to p90 (80% of offers), dots are the lowest of ${set}, outliers too.`;
  if (lines <= maxBands) return 'Lines are medians, bands are p10 to p90 (80% of offers).';
  return `Lines are medians. Bands (p10 to p90) are drawn for up to ${maxBands} lines.`;
}

// The chart covers only existing data, which must not be mistaken for the whole range.
function beginsLate({ from, to, series }: Trends): boolean {
  const first = series[0]?.points[0];
  if (first === undefined) return false;
  return Date.parse(first.t) - Date.parse(from) > 0.1 * (Date.parse(to) - Date.parse(from));
}
