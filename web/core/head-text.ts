/** Returns what the server wrote into the document's head under a name; empty: nothing. */
export const headText = (name: string): string =>
  typeof document === 'undefined'
    ? ''
    : (document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? '');
