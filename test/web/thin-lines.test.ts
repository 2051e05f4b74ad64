import { describe, expect, it } from 'vitest';
import { unbrokenParts } from '../../web/prices/trends/draw-lines.ts';
import { columnsOf, type Spot, thinBand, thinLine } from '../../web/prices/trends/thin-lines.ts';

const pixels = 100;
const spotsAMillisecond = 50;
const columns = { from: 1_000, to: 1_000 + pixels, count: pixels };
const count = pixels * spotsAMillisecond;
const xOf = (index: number) => columns.from + index / spotsAMillisecond;

/** As many spots as fifty times the pixels, at heights that no two neighbours share. */
const lineOf = (heightOf: (index: number) => number): Spot[] =>
  Array.from({ length: count }, (_, index) => ({ x: xOf(index), y: heightOf(index) }));
const wild = (index: number) => Math.sin(index * 7.3) + Math.sin(index / 300);

const momentsOf = (line: readonly Spot[]) => Float64Array.from(line, ({ x }) => x);
const heightsOf = (line: readonly Spot[]) => Float64Array.from(line, ({ y }) => y);

const thinned = (line: readonly Spot[], shown = columns) =>
  thinLine(momentsOf(line), heightsOf(line), columnsOf(momentsOf(line), shown));

/** The lowest and the highest of each column of pixels: what can be seen of a line. */
function seen(spots: readonly Spot[]): string[] {
  const byColumn = Map.groupBy(
    spots.filter(({ y }) => !Number.isNaN(y)),
    ({ x }) => Math.floor(x - columns.from),
  );
  return [...byColumn].map(([column, each]) => {
    const heights = each.map(({ y }) => y);
    return [column, Math.min(...heights), Math.max(...heights)].join(' ');
  });
}

describe('a line of more spots than pixels', () => {
  it('keeps what is seen of it with two spots a pixel and its ends, all of them its own and in order', () => {
    const line = lineOf(wild);
    const thin = thinned(line);
    expect(thin.length).toBeLessThanOrEqual(2 * pixels + 2);
    expect([thin[0], thin.at(-1)]).toEqual([line[0], line.at(-1)]);
    expect(seen(thin)).toEqual(seen(line));
    const kept = new Set(thin.map(({ x }) => x));
    expect(thin).toEqual(line.filter(({ x }) => kept.has(x)));
  });

  it('keeps a single peak and a single trough wherever they are', () => {
    for (const place of [0, 1, 777, 2_503, count - 1]) {
      for (const y of [9, -9]) {
        const line = lineOf((index) => (index === place ? y : 0));
        expect(thinned(line)).toContainEqual({ x: xOf(place), y });
      }
    }
  });

  it('keeps breaks as breaks, the spots beside them, and a spot alone between two', () => {
    const gaps = new Set([700, 701, 702, 1_410, 1_412, 4_999]);
    const line = lineOf((index) => (gaps.has(index) ? Number.NaN : wild(index)));
    const thin = thinned(line);
    const at = (index: number) => thin.findIndex(({ x }) => x === xOf(index));
    for (const index of [699, 703, 1_409, 1_411, 1_413, 4_998]) expect(at(index), `${index}`).not.toBe(-1);
    for (const [before, after] of [
      [699, 703],
      [1_409, 1_411],
      [1_411, 1_413],
    ] as const) {
      expect(thin.slice(at(before) + 1, at(after)).map(({ y }) => y)).toEqual([Number.NaN]);
    }
    const alone = unbrokenParts(thin).filter(({ first, last }) => first === last);
    expect(alone.map(({ first }) => thin[first]?.x)).toEqual([xOf(1_411)]);
  });

  it('stays as it is where it has no more spots than pixels, or no width', () => {
    const few = lineOf(wild).slice(0, pixels);
    expect(thinned(few)).toEqual(few);
    const all = lineOf(wild);
    expect(thinned(all, { ...columns, to: columns.from })).toEqual(all);
  });
});

it('a band keeps its highest above and its lowest below, both sides at the same moments', () => {
  const low = lineOf((index) => wild(index) - 1);
  const high = lineOf((index) => Math.cos(index * 3.1) + 4);
  const x = momentsOf(low);
  const thin = thinBand(x, heightsOf(low), heightsOf(high), columnsOf(x, columns));
  expect(thin.low.map(({ x }) => x)).toEqual(thin.high.map(({ x }) => x));
  expect(thin.low.length).toBeLessThanOrEqual(2 * pixels + 2);
  const extremes = (band: { low: readonly Spot[]; high: readonly Spot[] }) => [
    seen(band.low).map((column) => column.split(' ')[1]),
    seen(band.high).map((column) => column.split(' ')[2]),
  ];
  expect(extremes(thin)).toEqual(extremes({ low, high }));
});
