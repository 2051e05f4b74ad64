import { isDiskFullError } from './disk-full.ts';
import { isServerFull, PoolBusyError, serverFullWords } from './server-full.ts';
import { isDatabaseUnreachable } from './unreachable.ts';

/** SQLSTATEs of values that no column of their kind can hold: text, numbers and times. */
const unstorable: ReadonlySet<string> = new Set(['22021', '22P05', '22003', '22008', '22007', '22P02']);

/** Whether a statement failed because of a value that the database cannot hold. */
export const isUnstorable = (error: unknown): boolean =>
  error instanceof Error &&
  error.name === 'PostgresError' &&
  'code' in error &&
  unstorable.has(String(error.code));

/**
 * One sentence for a person about an error of the database, with what to do; null: it was not the database's.
 */
export function explainDatabaseFailure(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return null;
  if (isDiskFullError(error)) {
    return 'The disk of the database is full: free some space there and try again. Stored data is intact.';
  }
  if (isServerFull(error)) return `${serverFullWords} Then try again. Stored data is intact.`;
  if (error instanceof PoolBusyError) return error.message;
  if (isDatabaseUnreachable(error)) {
    return `The database does not answer (${error.code}): start it and try again. Stored data is intact.`;
  }
  if (error.name !== 'PostgresError') return null;
  return `The database refused a statement (${error.code}: ${error.message}). Nothing was stored in part.`;
}
