const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
  'CONNECT_TIMEOUT',
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'CONNECTION_ENDED',
  'POOL_BUSY',
]);
/** Connection exceptions, shutdowns, no free connection, refused login, missing database. */
const serverStates = /^(08|57P0|53300|53400|28|3D000)/;

/** Whether a failed query means that the database cannot be used now, not that the query was wrong. */
export function isDatabaseUnreachable(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return false;
  if (error.name === 'PostgresError') return serverStates.test(error.code);
  return networkCodes.has(error.code) && !('path' in error);
}
