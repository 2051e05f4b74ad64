import { createNumberReader, createNumberWriter } from './byte-numbers.ts';

/** Each host's (-1: unknown) contribution to a movement's error. Source: docs/meaning.md#like-for-like-index. */
export type HostInfluences = ReadonlyMap<number, number>;

/** Influences have 12 decimals, as movements do. */
const perUnit = 1e12;
const maxEntryBytes = 2 * 10;

/** Returns influences by host as bytes that depend only on their values; leaves out zeros. */
export function packInfluences(influences: HostInfluences): Buffer {
  const entries = [...influences]
    .map(([hostId, influence]) => [hostId, Math.round(influence * perUnit)] as const)
    .filter(([, units]) => units !== 0)
    .sort(([a], [b]) => a - b);
  const { put, take } = createNumberWriter(entries.length * maxEntryBytes);
  let before = -1;
  for (const [hostId, units] of entries) {
    put(hostId - before);
    put(2 * Math.abs(units) + (units < 0 ? 1 : 0));
    before = hostId;
  }
  return take();
}

/** Reads the result of `packInfluences`. */
export function unpackInfluences(bytes: Buffer): HostInfluences {
  const reader = createNumberReader(bytes);
  const influences = new Map<number, number>();
  let hostId = -1;
  while (!reader.isAtEnd()) {
    hostId += reader.take();
    const units = reader.take();
    influences.set(hostId, ((units % 2 === 0 ? 1 : -1) * Math.floor(units / 2)) / perUnit);
  }
  return influences;
}
