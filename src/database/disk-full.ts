/** Whether a query failed because the database's disk is full. */
export function isDiskFullError(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  return error.code === diskFull || error.code === 'ENOSPC';
}

/** SQLSTATE of a full disk. */
const diskFull = '53100';
