import { ApiProblem } from '../../core/http/problem.ts';
import { serverFullWords } from '../../database/server-full.ts';

/** How long a caller waits for the database. */
const patienceMs = 1_500;

/**
 * Shares one read between concurrent callers, so that a hanging database does not get more and more requests. Throws a
 * 503 after 1.5 s, and what `read` throws before.
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
  // After the limit no caller waits for it.
  work.catch(() => {});
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the 503 of an unusable database: `how` it fails, and what to do. */
export const databaseAway = (how: string): ApiProblem =>
  new ApiProblem(
    503,
    'database-unreachable',
    `The database ${how}: start PostgreSQL or check DATABASE_URL. Offerbook keeps trying and resumes by itself.`,
    { retrySeconds: 2 },
  );

/** Returns the 503 of a server without a free connection. */
export const serverFull = (): ApiProblem =>
  new ApiProblem(503, 'too-many-connections', `${serverFullWords} Offerbook resumes by itself.`, {
    retrySeconds: 2,
  });
