/** The address that a reader wanted before the login, kept for a login link that opens the page elsewhere. */
export interface WantedAddress {
  keep(href: string): void;
  /** Returns it once; null: none was kept lately. */
  take(): string | null;
}

const key = 'offerbook-wanted';
/** A login link is valid for 10 minutes. */
const maxAgeMs = 15 * 60_000;

/** Returns the wanted address of a window's browser; it lasts for a quarter of an hour. */
export function createWantedAddress(window: Window, now: () => number = Date.now): WantedAddress {
  return {
    keep(href) {
      try {
        window.localStorage.setItem(key, JSON.stringify({ href, at: now() }));
      } catch {
        // Storage may be forbidden: then a login link opens the first view.
      }
    },
    take() {
      try {
        const kept: unknown = JSON.parse(window.localStorage.getItem(key) ?? 'null');
        window.localStorage.removeItem(key);
        if (typeof kept !== 'object' || kept === null) return null;
        const { href, at } = kept as { href?: unknown; at?: unknown };
        if (typeof href !== 'string' || typeof at !== 'number') return null;
        // Only a path of this page, whatever was stored.
        const isPath = /^\/(?![/\\])/.test(href);
        return isPath && now() - at < maxAgeMs ? href : null;
      } catch {
        return null;
      }
    },
  };
}
