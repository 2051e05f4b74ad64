import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Status } from './api.ts';
import { getNow } from './server-time.ts';

/** The moment that counts as now for what a recorded market holds: its newest book. null: the present. */
export const OwnTime = createContext<string | null>(null);

/** Returns that moment in milliseconds. */
export function useOwnNow(): number {
  const newest = useContext(OwnTime);
  return newest === null ? getNow() : Date.parse(newest);
}

/** Returns the newest book of a recorded market; null: the market is not recorded, or has no book. */
export function ownTimeOf(status: Pick<Status, 'mode' | 'newestBooks'> | null): string | null {
  if (status?.mode !== 'replay') return null;
  const moments = status.newestBooks.map(({ observedAt }) => observedAt);
  return moments.toSorted().at(-1) ?? null;
}
