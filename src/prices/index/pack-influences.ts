import { createNumberReader, createNumberWriter } from './byte-numbers.ts';

/** By host (-1: unknown) what its prices contribute to the error of a movement. Source: docs/meaning.md#like-for-like-index. */
export type HostInfluences = ReadonlyMap<number, number>;

/** Influences are kept to 12 decimals, as movements are. */
const perUnit = 1e12;
const maxEntryBytes = 2 * 10;

/** Influences as bytes that depend on nothing but what they say, by host; those of 0 are left out. */
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

/** What `packInfluences` made. */
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
