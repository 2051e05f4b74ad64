import { z } from 'zod';
import type { Measurement } from './figure.ts';
import limitsFile from './limits.json' with { type: 'json' };

/** `plus` is added to `atMost` times the reference, in the value's unit. `atMost` null: shown only. */
const limits = z
  .record(
    z.string(),
    z.strictObject({
      of: z.enum(['ratio', 'value']),
      atMost: z.number().nullable(),
      plus: z.number().default(0),
    }),
  )
  .parse(limitsFile);

/** A row of `--json`; `ok` is null if the limit does not apply to a quick run. */
export interface JudgedFigure {
  name: string;
  value: number;
  unit: string;
  yardstick: number | null;
  ratio: number | null;
  /** Applied to the ratio if there is a reference, else to the value; null: information only. */
  limit: number | null;
  ok: boolean | null;
}

/** Compares a measurement with limits.json. Throws if it has no limit there. */
export function judgeFigure(measured: Measurement, quick: boolean): JudgedFigure {
  const { name, value, unit, yardstick, sizes } = measured;
  const limit = limits[name];
  if (limit === undefined) throw new Error(`limits.json has no limit for ${name}`);
  const ratio = yardstick === null ? null : value / yardstick;
  const judged = limit.of === 'ratio' ? ratio : value;
  if (judged === null) throw new Error(`${name} has a limit on its ratio and no yardstick`);
  const { atMost, plus } = limit;
  const allowed = atMost === null ? null : yardstick === null ? atMost : atMost + plus / yardstick;
  const bigEnough = sizes.length > 0 && sizes.every(({ count, atLeast }) => count >= atLeast);
  const ok = bigEnough && (allowed === null || judged <= allowed);
  const undecided = (quick && measured.onlyAtFullSize === true) || (allowed === null && bigEnough);
  return { name, value, unit, yardstick, ratio, limit: allowed, ok: undecided ? null : ok };
}

/** Returns the figure as readable lines. */
export function describeFigure(judged: JudgedFigure, measured: Measurement): string {
  const { name, value, unit, yardstick, ratio, limit, ok } = judged;
  const beside =
    yardstick === null
      ? ''
      : `, yardstick ${shortNumber(yardstick)} ${unit}, ratio ${shortNumber(ratio ?? 0)}`;
  const undecided = limit === null ? 'for information' : 'not judged at this size';
  const verdict = ok === null ? undecided : ok ? 'ok' : 'BEYOND ITS LIMIT OR TOO SMALL';
  const sizes = measured.sizes.map(({ what, count, atLeast }) => `  ${count} ${what} (at least ${atLeast})`);
  const details = measured.details.map((line) => `  ${line}`);
  return [
    `${name}: ${shortNumber(value)} ${unit}${beside}, ${limit === null ? '' : `limit ${shortNumber(limit)}: `}${verdict}`,
    ...sizes,
    ...details,
  ].join('\n');
}

/** Formats a number to four digits. */
export const shortNumber = (value: number): string => String(Number(value.toPrecision(4)));
