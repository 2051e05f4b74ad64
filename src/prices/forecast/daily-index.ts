import type { Db } from '../../database/connection.ts';
import { readIndex } from '../index/read-index.ts';
import type { DailyQuery, DailyValue } from './daily-values.ts';

/** Earlier than any book. */
const earliest = new Date('2015-01-01T00:00:00Z');
const dayMs = 86_400_000;

/** Returns the like-for-like index of each UTC day since its last restart; empty for all models together. */
export async function readDailyIndex(
  db: Db,
  { scopeId, type, gpuName, before }: DailyQuery,
): Promise<DailyValue[]> {
  if (gpuName === null) return [];
  const { points } = await readIndex(db, { scopeId, type, gpuName, from: earliest, to: before }, before);
  const start = points.findLastIndex(({ restarted }) => restarted);
  return points.slice(Math.max(0, start)).map(({ t, index }) => ({ day: t.getTime() / dayMs, value: index }));
}
