import { ApiProblem } from '../../core/http/problem.ts';
import { serverFullWords } from '../../database/server-full.ts';

/** How long whoever asks waits for the database. */
const patienceMs = 1_500;

/**
 * One reading at a time, shared by all who ask meanwhile: a database that hangs is not asked more and more.
 * Throws a 503 after 1.5 s, and what `read` throws before.
 */
export function createSharedProbe<T>(read: () => Promise<T>): () => Promise<T> {
  let current: Promise<T> | null = null;
  return async () => {
    current ??= read().finally(() => {
      current = null;
    });
    return await within(patienceMs, current);
  };
}

async function within<T>(limitMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(databaseAway(`did not answer within ${limitMs} ms`)), limitMs);
  });
  // After the limit nobody waits for it any more.
  work.catch(() => {});
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}

/** The 503 of a database that cannot be used: `how` it shows, and what to do. */
export const databaseAway = (how: string): ApiProblem =>
  new ApiProblem(
    503,
    'database-unreachable',
    `The database ${how}: start PostgreSQL or check DATABASE_URL. Offerbook keeps trying and goes on by itself.`,
  );

/** The 503 of a server that has no connection left. */
export const serverFull = (): ApiProblem =>
  new ApiProblem(503, 'too-many-connections', `${serverFullWords} Offerbook goes on by itself.`, {
    retrySeconds: 2,
  });
