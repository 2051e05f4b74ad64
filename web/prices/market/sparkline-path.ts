/** How far a price may be from the middle of its sparkline before it is drawn at the edge, as a share. */
export const sparklineReach = 0.5;

export const sparklineSize = { width: 100, height: 36 } as const;
const margin = 2;

/**
 * Returns the path of prices around their median, on a scale that all models share: the edges are 50 % above and below.
 * null: fewer than two prices.
 */
export function sparklinePath(values: readonly (number | null)[]): string | null {
  const known = values.filter((value) => value !== null).toSorted((a, b) => a - b);
  const middle = known[Math.floor(known.length / 2)];
  if (known.length < 2 || middle === undefined || middle <= 0) return null;
  const { width, height } = sparklineSize;
  const x = (index: number) => (margin + (index / (values.length - 1)) * (width - 2 * margin)).toFixed(1);
  const y = (value: number) => {
    const share = Math.max(-1, Math.min(1, (value / middle - 1) / sparklineReach));
    return (height / 2 - share * (height / 2 - margin)).toFixed(1);
  };
  let path = '';
  let pen = false;
  values.forEach((value, index) => {
    if (value !== null) path += `${pen ? 'L' : 'M'}${x(index)} ${y(value)}`;
    pen = value !== null;
  });
  return path;
}
