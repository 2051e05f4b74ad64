/** Where a reader left a view: the link that they followed, and what they saw of the view. */
export interface LeftPlace {
  /** null: it was left in another way. */
  href: string | null;
  /** How far the page was scrolled, and the list of the link. */
  top: number;
  listTop: number;
  /** Rows that the view showed, which may have been loaded page by page. */
  rows: number;
}

/** How long a view has to show the link again, and then to show all else. */
const patienceMs = 10_000;
const settleMs = 2_000;

const listOf = (link: Element | null | undefined): Element | null => link?.closest('.scroll') ?? null;

const countRows = (document: Document): number => document.querySelectorAll('main tbody tr').length;

/** Returns where the reader is now. */
export function leftPlace({ document, scrollY }: Window): LeftPlace {
  const link = document.activeElement?.closest('main a');
  return {
    href: link?.getAttribute('href') ?? null,
    top: scrollY,
    listTop: listOf(link)?.scrollTop ?? 0,
    rows: countRows(document),
  };
}

/** Focuses the link that was followed once the view shows it again, and scrolls to where the view was left. */
export function returnTo(window: Window & typeof globalThis, { href, top, listTop, rows }: LeftPlace): void {
  const { document } = window;
  const selector = href === null ? 'main h1' : `main a[href="${CSS.escape(href)}"]`;
  const observer = new window.MutationObserver(tryNow);
  let timer = window.setTimeout(stop, patienceMs);
  let isFound = false;
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
    if (!isFound) {
      isFound = true;
      window.clearTimeout(timer);
      timer = window.setTimeout(stop, settleMs);
      if (href !== null) found.focus({ preventScroll: true });
    }
    // Again with whatever arrives above it.
    const list = listOf(found);
    if (list !== null) list.scrollTop = listTop;
    window.scrollTo(0, top);
    if (href !== null && !isSeen(found, list)) found.scrollIntoView({ block: 'center' });
  }

  function isSeen(link: Element, list: Element | null): boolean {
    const [{ top: above, bottom }, box] = [link.getBoundingClientRect(), list?.getBoundingClientRect()];
    return (
      above >= Math.max(0, box?.top ?? 0) && bottom <= Math.min(window.innerHeight, box?.bottom ?? bottom)
    );
  }

  // Whatever the reader does meanwhile matters more.
  for (const kind of began) window.addEventListener(kind, stop);
  observer.observe(document.body, { childList: true, subtree: true });
}
