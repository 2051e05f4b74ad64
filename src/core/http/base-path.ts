/** Returns the path below which browsers reach a service, from its address: empty, or like `/offerbook`. */
export const basePathOf = (publicUrl: string): string => new URL(publicUrl).pathname.replace(/\/+$/, '');

/** Returns a path as routes have it, whether or not a proxy has taken off the base path. */
export const withoutBase = (path: string, basePath: string): string => {
  if (basePath === '' || !`${path}/`.startsWith(`${basePath}/`)) return path;
  return path.slice(basePath.length) || '/';
};
