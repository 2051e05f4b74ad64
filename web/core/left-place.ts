/** Where a reader left a view: the link that they followed, and how far the page was scrolled. */
export interface LeftPlace {
  /** null: it was left in another way. */
  href: string | null;
  top: number;
  /** Rows that its list showed, which may have been loaded page by page. */
  rows: number;
}

/** How long a view has to show the link again. */
const patienceMs = 10_000;

/** Returns where the reader is now. */
export function leftPlace({ document, scrollY }: Window): LeftPlace {
  const link = document.activeElement?.closest('main a');
  return { href: link?.getAttribute('href') ?? null, top: scrollY, rows: countRows(document) };
}

const countRows = (document: Document): number => document.querySelectorAll('main tbody tr').length;

/** Scrolls to where a view was left and focuses the link that was followed, once the view shows it again. */
export function returnTo(window: Window & typeof globalThis, { href, top, rows }: LeftPlace): void {
  const { document } = window;
  const selector = href === null ? 'main h1' : `main a[href="${CSS.escape(href)}"]`;
  const observer = new window.MutationObserver(tryNow);
  const timer = window.setTimeout(stop, patienceMs);
  const began = ['pointerdown', 'keydown', 'wheel', 'popstate'] as const;

  function stop(): void {
    observer.disconnect();
    window.clearTimeout(timer);
    for (const kind of began) window.removeEventListener(kind, stop);
  }

  function tryNow(): void {
    const found = document.querySelector<HTMLElement>(selector);
    if (found === null) {
      const more = document.querySelector<HTMLButtonElement>('main .more button:enabled');
      if (countRows(document) < rows) more?.click();
      return;
    }
    stop();
    window.scrollTo(0, top);
    if (href === null) return;
    const { top: above, bottom } = found.getBoundingClientRect();
    if (above < 0 || bottom > window.innerHeight) found.scrollIntoView({ block: 'center' });
    found.focus({ preventScroll: true });
  }

  // Whatever the reader does meanwhile matters more.
  for (const kind of began) window.addEventListener(kind, stop);
  observer.observe(document.body, { childList: true, subtree: true });
}
