import { type ReadonlySignal, signal } from '@preact/signals';

/** A choice of the reader that the browser keeps. */
export interface Stored<T> {
  value: ReadonlySignal<T>;
  set(value: T): void;
}

/**
 * Returns what a window's local storage has under a key, as `read` understands it, null for nothing; it follows the other
 * tabs. Where storage is forbidden or full, it lasts until the page is closed.
 */
export function createStored<T>(window: Window, key: string, read: (kept: unknown) => T): Stored<T> {
  const load = (): T => {
    try {
      return read(JSON.parse(window.localStorage.getItem(key) ?? 'null'));
    } catch {
      return read(null);
    }
  };
  const value = signal(load());
  window.addEventListener('storage', (event) => {
    if (event.key === key || event.key === null) value.value = load();
  });
  return {
    value,
    set(next) {
      value.value = next;
      try {
        window.localStorage.setItem(key, JSON.stringify(next));
      } catch {
        // It lasts until the page is closed.
      }
    },
  };
}

/** Returns a list of names; null: it is none. */
export const readNames = (kept: unknown): readonly string[] | null =>
  Array.isArray(kept) ? kept.filter((name) => typeof name === 'string') : null;

/** Returns the lists of an object of lists by name, each item as `readItem` understands it; null: it is left out. */
export function readLists<T>(
  kept: unknown,
  readItem: (item: unknown) => T | null,
): Record<string, readonly T[] | undefined> {
  if (typeof kept !== 'object' || kept === null) return {};
  const lists = Object.entries(kept).filter(([, items]) => Array.isArray(items));
  return Object.fromEntries(
    lists.map(([name, items]) => [name, (items as unknown[]).map(readItem).filter((item) => item !== null)]),
  );
}
