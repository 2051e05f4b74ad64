/** Colours of the style sheet as the canvas needs them: resolved, with a share of opacity. */
export interface Palette {
  /** Of a line by its place; places beyond the last begin again. */
  series(place: number, opacity?: number): string;
  accent(opacity?: number): string;
  soft(): string;
  line(): string;
  /** Forgets what was resolved, after light changed to dark. */
  refresh(): void;
}

/** How many colours of lines there are. */
const seriesColours = 6;

/** Style sheets say `light-dark()`, which only an element that is drawn can resolve. */
export function createPalette(near: HTMLElement): Palette {
  const known = new Map<string, string>();
  const resolve = (wanted: string): string => {
    const before = known.get(wanted);
    if (before !== undefined) return before;
    const probe = near.ownerDocument.createElement('i');
    probe.style.color = wanted;
    (near.parentElement ?? near).append(probe);
    const colour = getComputedStyle(probe).color;
    probe.remove();
    known.set(wanted, colour);
    return colour;
  };
  const mix = (variable: string, opacity: number) =>
    resolve(`color-mix(in srgb, var(${variable}) ${opacity * 100}%, transparent)`);
  return {
    series: (place, opacity = 1) => mix(`--s${place % seriesColours}`, opacity),
    accent: (opacity = 1) => mix('--accent', opacity),
    soft: () => resolve('var(--soft)'),
    line: () => resolve('var(--line)'),
    refresh: () => known.clear(),
  };
}
