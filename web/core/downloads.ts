import type { App } from './app.ts';

/** The name that a server gives a file that is saved. */
const namedFile = /filename="([^"]+)"/;

/** Says that a file is saved, and its name, for each link to a file of the server that is followed in a window. */
export function announceDownloads(window: Window & typeof globalThis, app: Pick<App, 'say'>): void {
  window.document.addEventListener('click', ({ target }) => {
    const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[download]') : null;
    if (link !== null) void announce(link);
  });

  /** The browser says nothing of a download to the page, so the server is asked for the file's name alone. */
  async function announce({ href, download }: HTMLAnchorElement): Promise<void> {
    const answer = await window.fetch(href, { method: 'HEAD' }).catch(() => null);
    const [, name = download] = namedFile.exec(answer?.headers.get('content-disposition') ?? '') ?? [];
    app.say(
      answer?.ok === true
        ? `Saved ${name} to your downloads.`
        : { warning: 'The file could not be made: see your browser’s downloads.' },
    );
  }
}
