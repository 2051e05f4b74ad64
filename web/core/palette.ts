/** Colors of the style sheet for the canvas, resolved, with an opacity. */
export interface Palette {
  /** Returns a line's color by index; further indexes start again. */
  series(place: number, opacity?: number): string;
  accent(opacity?: number): string;
  soft(): string;
  line(): string;
  /** Clears the cache after the theme has changed. */
  refresh(): void;
}

/** Number of line colors. */
const seriesColors = 6;

/** `light-dark()` of a style sheet can only be resolved by a drawn element. */
export function createPalette(near: HTMLElement): Palette {
  const known = new Map<string, string>();
  const resolve = (wanted: string): string => {
    const before = known.get(wanted);
    if (before !== undefined) return before;
    const probe = near.ownerDocument.createElement('i');
    probe.style.color = wanted;
    (near.parentElement ?? near).append(probe);
    const color = getComputedStyle(probe).color;
    probe.remove();
    known.set(wanted, color);
    return color;
  };
  const mix = (variable: string, opacity: number) =>
    resolve(`color-mix(in srgb, var(${variable}) ${opacity * 100}%, transparent)`);
  return {
    series: (place, opacity = 1) => mix(`--s${place % seriesColors}`, opacity),
    accent: (opacity = 1) => mix('--accent', opacity),
    soft: () => resolve('var(--soft)'),
    line: () => resolve('var(--line)'),
    refresh: () => known.clear(),
  };
}
