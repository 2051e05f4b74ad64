import { sparklinePath, sparklineSize } from './sparkline-path.ts';

/** A line without axes that shows how far prices moved, with gaps; the numbers are beside it. */
export function Sparkline({ values }: { values: readonly (number | null)[] }) {
  const path = sparklinePath(values);
  if (path === null) return <span class="soft">–</span>;
  const { width, height } = sparklineSize;
  return (
    <svg
      class="sparkline"
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      aria-hidden="true"
    >
      <line x1="0" x2={width} y1={height / 2} y2={height / 2} />
      <path d={path} />
    </svg>
  );
}
