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

export interface PoolEntry {
  machineId: number;
  usdPerGpuHour: number;
  firstMs: number;
  lastMs: number;
  tierId: number | null;
}

const bytesPerEntry = 2 * 8 + 2 * 4 + 2;
const perBillion = 1e9;

/** A price as pools compare it, so that equal prices of machines of different sizes are equal. */
export const pooledPrice = (usdPerGpuHour: number): number =>
  Math.round(usdPerGpuHour * perBillion) / perBillion;

/** The entries as columns, by machine and price; those that another of the machine makes useless are left out. */
export function poolPrices(entries: readonly PoolEntry[]): PoolPrices {
  const sorted = entries
    .map((entry) => ({ ...entry, usdPerGpuHour: pooledPrice(entry.usdPerGpuHour) }))
    .sort((a, b) => a.machineId - b.machineId || a.usdPerGpuHour - b.usdPerGpuHour);
  const kept: PoolEntry[] = [];
  for (const entry of sorted) {
    let useless = false;
    for (let at = kept.length - 1; at >= 0; at -= 1) {
      const other = kept[at];
      if (other === undefined || other.machineId !== entry.machineId) break;
      if (other.tierId === entry.tierId && other.usdPerGpuHour === entry.usdPerGpuHour) {
        // A part of the day that counts begins with it or ends with it: what lies between does not matter.
        other.firstMs = Math.min(other.firstMs, entry.firstMs);
        other.lastMs = Math.max(other.lastMs, entry.lastMs);
        useless = true;
        break;
      }
      // As cheap, seen as early and as late: whatever part of the day counts, this one never decides.
      if (other.tierId === entry.tierId && other.firstMs <= entry.firstMs && other.lastMs >= entry.lastMs) {
        useless = true;
        break;
      }
    }
    if (!useless) kept.push(entry);
  }
  return {
    machineIds: Float64Array.from(kept, ({ machineId }) => machineId),
    usdPerGpuHour: Float64Array.from(kept, ({ usdPerGpuHour }) => usdPerGpuHour),
    firstMs: Int32Array.from(kept, ({ firstMs }) => firstMs),
    lastMs: Int32Array.from(kept, ({ lastMs }) => lastMs),
    tierIds: Int16Array.from(kept, ({ tierId }) => tierId ?? 0),
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
