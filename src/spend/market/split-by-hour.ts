import type { Decimal } from 'decimal.js';
import { Exact } from '../exact-sums.ts';
import type { TouchingEntry } from '../explained-entries.sql.ts';
import type { SpendScope } from '../spend-grouping.ts';

const hourMs = 3_600_000;
const decimals = 12;

/** What an instance's GPUs and disk cost in an hour in which its GPUs were charged. */
export interface SplitHour {
  /** The hour's beginning, milliseconds. */
  t: number;
  /** Seconds charged for its GPUs, and from when until when within the hour, microseconds. */
  seconds: number;
  gpuFrom: number;
  gpuUntil: number;
  paid: Decimal;
}

/** Returns the cost of an instance's GPUs and disk in each hour in which its GPUs were charged. */
export function splitByHour(
  entries: readonly TouchingEntry[],
  { from, to }: SpendScope,
  source: string | null,
): SplitHour[] {
  const own = entries.filter(
    (entry) =>
      entry.source === source &&
      entry.type === 'instance' &&
      entry.kind === 'consumption' &&
      entry.basis === 'charged' &&
      !entry.disappeared &&
      (entry.service === 'gpu' || entry.service === 'disk'),
  );
  const none = { seconds: 0, paid: new Exact(0), gpuFrom: Number.MAX_VALUE, gpuUntil: 0 };
  const hours = new Map<number, Omit<SplitHour, 't'>>();
  for (const { service, amountUsd, startMicros: start, untilMicros: until } of own) {
    const spentBy = (at: number): Decimal =>
      at === until
        ? new Exact(amountUsd)
        : new Exact(amountUsd)
            .times(at - start)
            .dividedBy(until - start)
            .toDecimalPlaces(decimals, Exact.ROUND_HALF_UP);
    const [begin, end] = [Math.max(start, from.getTime() * 1000), Math.min(until, to.getTime() * 1000)];
    const hourMicros = hourMs * 1000;
    for (let at = begin; at < end; ) {
      const t = Math.floor(at / hourMicros) * hourMicros;
      const next = Math.min(end, t + hourMicros);
      const hour = hours.get(t) ?? none;
      const isGpu = service === 'gpu';
      hours.set(t, {
        seconds: hour.seconds + (isGpu ? (next - at) / 1_000_000 : 0),
        gpuFrom: isGpu ? Math.min(hour.gpuFrom, at) : hour.gpuFrom,
        gpuUntil: isGpu ? Math.max(hour.gpuUntil, next) : hour.gpuUntil,
        paid: hour.paid.plus(spentBy(next)).minus(spentBy(at)),
      });
      at = next;
    }
  }
  return [...hours]
    .filter(([, { seconds }]) => seconds > 0)
    .sort(([a], [b]) => a - b)
    .map(([t, hour]) => ({ t: t / 1000, ...hour }));
}
