/**
 * The prices of one model on one UTC day, one entry a machine, verification tier and price, by machine. Columns of
 * equal length. An entry's moments are those of the first and the last covering book that had it.
 */
export interface PoolPrices {
  machineIds: Float64Array;
  /** $/GPU/hour at the listed 8 GB, to a billionth. */
  usdPerGpuHour: Float64Array;
  /** Milliseconds of the day. */
  firstMs: Int32Array;
  lastMs: Int32Array;
  /** 0: unknown. */
  tierIds: Int16Array;
}

const bytesPerEntry = 2 * 8 + 2 * 4 + 2;
const perBillion = 1e9;

/** A price as pools compare it, so that equal prices of machines of different sizes are equal. */
export const pooledPrice = (usdPerGpuHour: number): number =>
  Math.round(usdPerGpuHour * perBillion) / perBillion;

/** Gathers the prices of one model on one day. */
export interface PoolDay {
  /** An entry: by machine, those of a machine the cheapest first. The price is one that `pooledPrice` gave. */
  add: (machineId: number, usdPerGpuHour: number, firstMs: number, lastMs: number, tierId: number) => void;
  prices: () => PoolPrices;
}

/** No prices yet. Entries that another of the machine makes useless are left out. */
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
          // A part of the day that counts begins with it or ends with it: what lies between does not matter.
          firsts[at] = Math.min(first, firstMs);
          lasts[at] = Math.max(last, lastMs);
          return;
        }
        // As cheap, seen as early and as late: whatever part of the day counts, this one never decides.
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

/** The columns one after the other, for the database. */
export function packPrices(prices: PoolPrices): Buffer {
  const { machineIds, usdPerGpuHour, firstMs, lastMs, tierIds } = prices;
  const columns = [machineIds, usdPerGpuHour, firstMs, lastMs, tierIds];
  return Buffer.concat(
    columns.map((column) => Buffer.from(column.buffer, column.byteOffset, column.byteLength)),
  );
}

/** What `packPrices` made. Throws for bytes of another form. */
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
