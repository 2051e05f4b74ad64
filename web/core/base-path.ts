import { headText } from './head-text.ts';

/** The path below which the page lies, as the server wrote it into the document: empty, or like `/offerbook`. */
export const basePath = headText('base-path');

/** Returns a path of the browser without the base path; null: it lies elsewhere on this host. */
export function pathInPage(pathname: string): string | null {
  if (!`${pathname}/`.startsWith(`${basePath}/`)) return null;
  return pathname.slice(basePath.length) || '/';
}
