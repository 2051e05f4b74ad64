/**
 * The prices of one model on one UTC day, one entry per machine, verification tier and price, by machine. Columns have
 * equal length. An entry's moments are those of the first and last covering books that had it.
 */
export interface PoolPrices {
  machineIds: Float64Array;
  /** $/GPU/hour at the listed 8 GB, to a billionth. */
  usdPerGpuHour: Float64Array;
  /** Milliseconds of the day. */
  firstMs: Int32Array;
  lastMs: Int32Array;
  /** `unknownTier`: the market stated none. */
  tierIds: Int16Array;
}

/** Tier of pool entries whose tier is unknown. Statistics of points use -1, and 0 for all tiers. */
export const unknownTier = 0;
const bytesPerEntry = 2 * 8 + 2 * 4 + 2;
const perBillion = 1e9;

/** Rounds a price for comparison in pools, so that equal prices of machines of different sizes are equal. */
export const pooledPrice = (usdPerGpuHour: number): number =>
  Math.round(usdPerGpuHour * perBillion) / perBillion;

/** Gathers the prices of one model on one day. */
export interface PoolDay {
  /** Adds an entry: by machine, cheapest first within one. The price must come from `pooledPrice`. */
  add: (machineId: number, usdPerGpuHour: number, firstMs: number, lastMs: number, tierId: number) => void;
  prices: () => PoolPrices;
}

/** Creates an empty day. Leaves out entries made redundant by another of the machine. */
export function createPoolDay(): PoolDay {
  const machineIds: number[] = [];
  const usdPerGpuHours: number[] = [];
  const firsts: number[] = [];
  const lasts: number[] = [];
  const tierIds: number[] = [];
  return {
    add: (machineId, usdPerGpuHour, firstMs, lastMs, tierId) => {
      for (let at = machineIds.length - 1; at >= 0 && machineIds[at] === machineId; at -= 1) {
        if (tierIds[at] !== tierId) continue;
        const [first, last] = [firsts[at] as number, lasts[at] as number];
        if (usdPerGpuHours[at] === usdPerGpuHour) {
          // A counted part of the day starts or ends with it, so what lies between does not matter.
          firsts[at] = Math.min(first, firstMs);
          lasts[at] = Math.max(last, lastMs);
          return;
        }
        // Another entry was as cheap, as early and as late, so this one never decides for any part of the day.
        if (first <= firstMs && last >= lastMs) return;
      }
      machineIds.push(machineId);
      usdPerGpuHours.push(usdPerGpuHour);
      firsts.push(firstMs);
      lasts.push(lastMs);
      tierIds.push(tierId);
    },
    prices: () => ({
      machineIds: Float64Array.from(machineIds),
      usdPerGpuHour: Float64Array.from(usdPerGpuHours),
      firstMs: Int32Array.from(firsts),
      lastMs: Int32Array.from(lasts),
      tierIds: Int16Array.from(tierIds),
    }),
  };
}

/** Concatenates the columns for the database. */
export function packPrices(prices: PoolPrices): Buffer {
  const { machineIds, usdPerGpuHour, firstMs, lastMs, tierIds } = prices;
  const columns = [machineIds, usdPerGpuHour, firstMs, lastMs, tierIds];
  return Buffer.concat(
    columns.map((column) => Buffer.from(column.buffer, column.byteOffset, column.byteLength)),
  );
}

/** Reads the result of `packPrices`. Throws for bytes in another form. */
export function unpackPrices(bytes: Uint8Array): PoolPrices {
  const count = bytes.byteLength / bytesPerEntry;
  if (!Number.isInteger(count)) throw new Error('a stored day of prices is damaged: run `offerbook rebuild`');
  const { buffer } = Uint8Array.from(bytes);
  return {
    machineIds: new Float64Array(buffer, 0, count),
    usdPerGpuHour: new Float64Array(buffer, 8 * count, count),
    firstMs: new Int32Array(buffer, 16 * count, count),
    lastMs: new Int32Array(buffer, 20 * count, count),
    tierIds: new Int16Array(buffer, 24 * count, count),
  };
}
