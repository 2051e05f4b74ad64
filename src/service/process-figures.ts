import { createHistogram, type Histogram } from '../core/histogram.ts';

/** What one process has measured of its work since it started. */
export interface ProcessFigures {
  role: 'all' | 'api' | 'worker';
  /** By queue and how the attempt ended. */
  jobs: Histogram;
  /** How long the database took to store a book, from its last page, by market and type. */
  landings: Histogram;
  /** Offers of the books that were stored, by market and type. */
  landedRows: Map<string, { labels: Record<string, string>; rows: number }>;
  /** When the worker last looked for jobs; null: it has not, or there is none. */
  lookedAt: Date | null;
}

/** Returns the figures of a process that has not worked yet. */
export const createProcessFigures = (role: ProcessFigures['role']): ProcessFigures => ({
  role,
  jobs: createHistogram([0.1, 0.5, 1, 5, 15, 60, 300, 900, 3_600]),
  landings: createHistogram([0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120]),
  landedRows: new Map(),
  lookedAt: null,
});

/** Adds a stored book. */
export function recordLanding(
  { landings, landedRows }: ProcessFigures,
  labels: { market: string; type: string },
  { seconds, rows }: { seconds: number; rows: number },
): void {
  landings.observe(labels, seconds);
  const key = `${labels.market}\n${labels.type}`;
  landedRows.set(key, { labels, rows: rows + (landedRows.get(key)?.rows ?? 0) });
}
