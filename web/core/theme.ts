import { effect, type ReadonlySignal, signal } from '@preact/signals';

export const themes = ['auto', 'light', 'dark'] as const;
export type ThemeName = (typeof themes)[number];

/** Light or dark: as the system has it, or as chosen here. */
export interface Theme {
  chosen: ReadonlySignal<ThemeName>;
  choose(name: ThemeName): void;
  /** Changes with the colours, whoever changed them. */
  version: ReadonlySignal<number>;
}

const key = 'offerbook-theme';

/** The theme of a window; the choice is kept in its local storage where that is allowed. */
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
        // Storage may be forbidden; the choice then lasts until the page is left.
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
