import { type ReadonlySignal, signal } from '@preact/signals';
import { basePath, pathInPage } from './base-path.ts';
import { type LeftPlace, leftPlace, returnTo } from './left-place.ts';

/** A view's path and its state as API parameters. */
export interface Place {
  path: string;
  query: URLSearchParams;
}

/** A change of the query: one value, several, or null to remove it. */
export type Changes = Record<string, string | readonly string[] | null>;

/** The page's address, which contains the whole state, so that it can be shared. */
export interface Address {
  place: ReadonlySignal<Place>;
  /** Goes to an address of this page; the browser's back button goes back. */
  go(href: string): void;
  change(changes: Changes): void;
  /** Opens what lies over the view, such as a dialog; the browser's back button closes it. */
  open(changes: Changes): void;
  /** Closes it: goes back over the step that opened it, so that the next one leaves the view; else without a step. */
  close(changes: Changes): void;
  /** Completes the query without a step back: for what the reader did not choose. */
  complete(changes: Changes): void;
  /** Goes to another address in place of this one, to which no step leads back. */
  replace(href: string): void;
  /** Returns the address of the view that led to this one; null: it was opened by itself. */
  cameFrom(): string | null;
  /** Goes back to that view: to the row and the scroll position where the reader left it. */
  back(): void;
  /** Returns the query that a view had when the reader left it, without what lay over it; empty: it was not open yet. */
  leftQuery(path: string): URLSearchParams;
  /** Returns the current view's address with these changes, for links. */
  with(changes: Changes): string;
}

/** What the browser's history keeps of an address. */
interface Entry {
  /** The address of the view before, and how many steps back it is. */
  from?: string;
  steps?: number;
  /** Whether it is of something that was opened over the view of the entry before. */
  isOver?: boolean;
  /** Where the reader left the view. */
  left?: LeftPlace;
}

/** Returns the query with changes, without empty values. */
export function changedQuery(query: URLSearchParams, changes: Changes): URLSearchParams {
  const changed = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changes)) {
    changed.delete(name);
    for (const each of [value].flat()) if (each !== null && each !== '') changed.append(name, each);
  }
  return changed;
}

/** Returns path and query as one address. */
export function hrefOf(path: string, query: URLSearchParams): string {
  const text = query.toString();
  return text === '' ? path : `${path}?${text}`;
}

/**
 * Returns the address of a window. Links to views of this page are followed without a reload; links to the server's
 * files (`download`, `/api/…`, `/sheets/…`) are left to the browser.
 */
export function createAddress(window: Window & typeof globalThis): Address {
  const read = (): Place => ({
    path: (pathInPage(window.location.pathname) ?? '/').replace(/(.)\/$/, '$1'),
    query: new URLSearchParams(window.location.search),
  });
  const place = signal(read());
  const changed = (changes: Changes): string =>
    hrefOf(place.value.path, changedQuery(place.value.query, changes));
  const entry = (): Entry => (window.history.state as Entry | null) ?? {};
  const leftQueries = new Map<string, URLSearchParams>();
  const go = (href: string): void => {
    const { path, query } = place.value;
    const here = entry();
    if (here.isOver !== true) leftQueries.set(path, query);
    window.history.replaceState({ ...here, left: leftPlace(window) }, '');
    window.history.pushState(null, '', basePath + href);
    place.value = read();
    const isSame = place.value.path === path;
    const next = isSame
      ? { ...here, left: undefined, isOver: undefined, steps: (here.steps ?? 0) + 1 }
      : { from: hrefOf(path, query), steps: 1 };
    window.history.replaceState(next, '');
    if (!isSame) window.scrollTo(0, 0);
  };
  const replace = (href: string): void => {
    window.history.replaceState(window.history.state, '', basePath + href);
    place.value = read();
  };
  window.addEventListener('popstate', () => {
    const before = place.value;
    place.value = read();
    if (place.value.path === before.path) return;
    leftQueries.set(before.path, before.query);
    const { left } = entry();
    if (left !== undefined) returnTo(window, left);
  });
  window.document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (link === null || link.target !== '' || link.hasAttribute('download')) return;
    const { origin, pathname, search } = new URL(link.href);
    const path = pathInPage(pathname);
    if (origin !== window.location.origin || path === null) return;
    if (/^\/(api|sheets|login|metrics)\b/.test(path)) return;
    if (link.getAttribute('href')?.startsWith('#')) return;
    event.preventDefault();
    go(path + search);
  });
  return {
    place,
    go,
    change: (changes) => go(changed(changes)),
    open(changes) {
      go(changed(changes));
      window.history.replaceState({ ...entry(), isOver: true }, '');
    },
    close(changes) {
      if (entry().isOver !== true) return replace(changed(changes));
      // Going back takes a moment: closed twice meanwhile, it goes back once.
      window.history.replaceState({ ...entry(), isOver: undefined }, '');
      window.history.back();
    },
    complete: (changes) => replace(changed(changes)),
    replace,
    cameFrom: () => entry().from ?? null,
    back: () => window.history.go(-(entry().steps ?? 1)),
    leftQuery: (path) => leftQueries.get(path) ?? new URLSearchParams(),
    with: changed,
  };
}
