import { useState } from 'preact/hooks';

/** Returns whether the reader has dismissed something in this browser, and how to dismiss it. */
export function useDismissed(key: string): [isDismissed: boolean, dismiss: () => void] {
  const [isDismissed, setDismissed] = useState(() => read(key));
  return [
    isDismissed,
    () => {
      setDismissed(true);
      try {
        window.localStorage.setItem(key, '1');
      } catch {
        // Storage may be forbidden; then it lasts until the view is left.
      }
    },
  ];
}

function read(key: string): boolean {
  try {
    return window.localStorage.getItem(key) !== null;
  } catch {
    return false;
  }
}
