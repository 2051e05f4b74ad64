import type { Spot } from './thin-lines.ts';

/** Where moments and heights are on a canvas, CSS pixels. */
export interface Scales {
  x: (moment: number) => number;
  y: (height: number) => number;
}

/** A line in the context's own width, dashes and colours, broken where heights are missing (NaN). */
export function strokeLine(
  context: CanvasRenderingContext2D,
  spots: readonly Spot[],
  scales: Scales,
  stepped: boolean,
): void {
  context.beginPath();
  for (const part of unbrokenParts(spots)) trace(context, spots, part, scales, stepped);
  context.stroke();
  dotLonely(context, spots, scales);
}

/** What is between a line and a height below it. */
export function fillBelow(
  context: CanvasRenderingContext2D,
  spots: readonly Spot[],
  scales: Scales,
  stepped: boolean,
  base: number,
): void {
  context.beginPath();
  for (const part of unbrokenParts(spots)) {
    trace(context, spots, part, scales, stepped);
    context.lineTo(scales.x((spots[part.last] as Spot).x), base);
    context.lineTo(scales.x((spots[part.first] as Spot).x), base);
    context.closePath();
  }
  context.fill();
}

/** What is between two lines at the same moments. */
export function fillBetween(
  context: CanvasRenderingContext2D,
  low: readonly Spot[],
  high: readonly Spot[],
  scales: Scales,
): void {
  context.beginPath();
  for (const part of unbrokenParts(high)) {
    trace(context, high, part, scales, false);
    for (let index = part.last; index >= part.first; index -= 1) {
      const { x, y } = low[index] as Spot;
      context.lineTo(scales.x(x), scales.y(y));
    }
    context.closePath();
  }
  context.fill();
}

/** Indexes of the first and the last spot of a stretch without a break. */
export interface Part {
  first: number;
  last: number;
}

/** The stretches of a line between its breaks and ends. */
export function unbrokenParts(spots: readonly Spot[]): Part[] {
  const parts: Part[] = [];
  let first = -1;
  for (let index = 0; index <= spots.length; index += 1) {
    const isBreak = index === spots.length || Number.isNaN((spots[index] as Spot).y);
    if (!isBreak && first < 0) first = index;
    if (isBreak && first >= 0) {
      parts.push({ first, last: index - 1 });
      first = -1;
    }
  }
  return parts;
}

function trace(
  context: CanvasRenderingContext2D,
  spots: readonly Spot[],
  { first, last }: Part,
  scales: Scales,
  stepped: boolean,
): void {
  let [xBefore, yBefore] = [0, 0];
  for (let index = first; index <= last; index += 1) {
    const spot = spots[index] as Spot;
    const x = scales.x(spot.x);
    const y = scales.y(spot.y);
    if (index === first) context.moveTo(x, y);
    else if (stepped) {
      const middle = (xBefore + x) / 2;
      context.lineTo(middle, yBefore);
      context.lineTo(middle, y);
    }
    if (index > first) context.lineTo(x, y);
    xBefore = x;
    yBefore = y;
  }
}

const dotRadius = 2.5;

/** A spot between two breaks or ends: as a line it would be invisible. */
function dotLonely(context: CanvasRenderingContext2D, spots: readonly Spot[], scales: Scales): void {
  for (const { first, last } of unbrokenParts(spots)) {
    if (first !== last) continue;
    const { x, y } = spots[first] as Spot;
    context.beginPath();
    context.arc(scales.x(x), scales.y(y), dotRadius, 0, 2 * Math.PI);
    context.fill();
  }
}
