/** A line without axes that shows the shape, with gaps; the numbers are beside it. */
export function Sparkline({ values }: { values: readonly (number | null)[] }) {
  const known = values.filter((value) => value !== null);
  if (known.length < 2) return <span class="soft">–</span>;
  const [lowest, highest] = [Math.min(...known), Math.max(...known)];
  const x = (index: number) => ((index / (values.length - 1)) * 96 + 2).toFixed(1);
  const y = (value: number) =>
    (highest === lowest ? 12 : 22 - ((value - lowest) / (highest - lowest)) * 20).toFixed(1);
  let path = '';
  let pen = false;
  values.forEach((value, index) => {
    if (value !== null) path += `${pen ? 'L' : 'M'}${x(index)} ${y(value)}`;
    pen = value !== null;
  });
  return (
    <svg class="sparkline" viewBox="0 0 100 24" width="100" height="24" aria-hidden="true">
      <path d={path} />
    </svg>
  );
}
