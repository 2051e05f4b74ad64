/** A path as logs may hold it: without the token of a sheet. */
export const loggedPath = (path: string): string => path.replace(/^\/sheets\/[^/]+/, '/sheets/-');
