/** Returns a path for the log: without the token of a sheet. */
export const loggedPath = (path: string): string => path.replace(/^\/sheets\/[^/]+/, '/sheets/-');
