import type { DailyValue } from '../../src/prices/forecast/daily-values.ts';

/** mulberry32: numbers from 0 to below 1. */
export function createUniform(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Numbers of a standard normal distribution. */
export function createNormal(seed: number): () => number {
  const uniform = createUniform(seed);
  return () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
}

/** Returns that many days of values; `logOf` gives the log of each from a normal draw. */
export function drawSeries(
  days: number,
  seed: number,
  logOf: (day: number, draw: () => number) => number,
): DailyValue[] {
  const draw = createNormal(seed);
  return Array.from({ length: days }, (_, day) => ({ day: 20_000 + day, value: Math.exp(logOf(day, draw)) }));
}

/** A random walk of 3% a day. */
export function drawWalk(days: number, seed: number): DailyValue[] {
  let log = 0;
  return drawSeries(days, seed, (_, draw) => {
    log += 0.03 * draw();
    return log;
  });
}
