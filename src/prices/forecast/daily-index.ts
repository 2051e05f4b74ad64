import type { Db } from '../../database/connection.ts';
import { readIndex } from '../index/read-index.ts';
import type { DailyQuery, DailyValue } from './daily-values.ts';

/** No book is older. */
const earliest = new Date('2015-01-01T00:00:00Z');
const dayMs = 86_400_000;

/** The like-for-like index of each UTC day since it last restarted; none over all models, which have no index. */
export async function readDailyIndex(
  db: Db,
  { scopeId, type, gpuName, before }: DailyQuery,
): Promise<DailyValue[]> {
  if (gpuName === null) return [];
  const { points } = await readIndex(db, { scopeId, type, gpuName, from: earliest, to: before }, before);
  const start = points.findLastIndex(({ restarted }) => restarted);
  return points.slice(Math.max(0, start)).map(({ t, index }) => ({ day: t.getTime() / dayMs, value: index }));
}
