/** The path below which the page lies, as the server wrote it into the document: empty, or like `/offerbook`. */
export const basePath =
  typeof document === 'undefined'
    ? ''
    : (document.querySelector<HTMLMetaElement>('meta[name="base-path"]')?.content ?? '');

/** Returns a path of the browser without the base path; null: it lies elsewhere on this host. */
export function pathInPage(pathname: string): string | null {
  if (!`${pathname}/`.startsWith(`${basePath}/`)) return null;
  return pathname.slice(basePath.length) || '/';
}
