import { createContext } from 'preact';
import type { Status } from './api.ts';

/** The moment that counts as now for what a recorded market holds: its newest book. null: the present. */
export const OwnTime = createContext<string | null>(null);

/** Returns the newest book of a recorded market; null: the market is not recorded, or has no book. */
export function ownTimeOf(status: Pick<Status, 'mode' | 'newestBooks'> | null): string | null {
  if (status?.mode !== 'replay') return null;
  const moments = status.newestBooks.map(({ observedAt }) => observedAt);
  return moments.toSorted().at(-1) ?? null;
}
