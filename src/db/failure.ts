import { isDatabaseUnreachable } from './unreachable.ts';

/** SQLSTATE of a full disk. */
const diskFull = '53100';

/**
 * One sentence for a person about an error of the database, with what to do; null: it was not the database's.
 */
export function explainDatabaseFailure(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return null;
  if (error.code === diskFull || error.code === 'ENOSPC') {
    return 'The disk of the database is full: free space there and try again; what was stored is whole.';
  }
  if (isDatabaseUnreachable(error)) {
    return `The database does not answer (${error.code}): start it and try again; what was stored is whole.`;
  }
  if (error.name !== 'PostgresError') return null;
  return `The database refused a statement (${error.code}: ${error.message}); nothing was half stored.`;
}
