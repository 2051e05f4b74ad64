import { effect, type ReadonlySignal, signal } from '@preact/signals';

export const themes = ['auto', 'light', 'dark'] as const;
export type ThemeName = (typeof themes)[number];

/** Light or dark, by the system or by the reader's choice. */
export interface Theme {
  chosen: ReadonlySignal<ThemeName>;
  choose(name: ThemeName): void;
  /** Changes whenever the colors do. */
  version: ReadonlySignal<number>;
}

const key = 'offerbook-theme';

/** Returns the theme of a window; the choice is stored in its local storage if allowed. */
export function createTheme(window: Window): Theme {
  const chosen = signal<ThemeName>(readChoice(window));
  const version = signal(0);
  effect(() => {
    const root = window.document.documentElement;
    if (chosen.value === 'auto') delete root.dataset.theme;
    else root.dataset.theme = chosen.value;
    version.value = version.peek() + 1;
  });
  window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    version.value += 1;
  });
  return {
    chosen,
    version,
    choose(name) {
      chosen.value = name;
      try {
        window.localStorage.setItem(key, name);
      } catch {
        // Storage may be forbidden; then the choice lasts until the page is closed.
      }
    },
  };
}

function readChoice(window: Window): ThemeName {
  try {
    const kept = window.localStorage.getItem(key);
    return themes.find((name) => name === kept) ?? 'auto';
  } catch {
    return 'auto';
  }
}
