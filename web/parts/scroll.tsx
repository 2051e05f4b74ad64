import type { ComponentChildren } from 'preact';

// Keyboard users scroll with the arrow keys, so the region must be focusable.
const reachable = { tabIndex: 0 };

interface Props {
  label: string;
  /** Whether it also scrolls vertically. */
  tall?: boolean;
  children: ComponentChildren;
}

/** Content that may be wider than the screen and scrolls by itself, so that the page does not. */
export function Scroll({ label, tall = false, children }: Props) {
  return (
    <section class={tall ? 'scroll tall' : 'scroll'} aria-label={label} {...reachable}>
      {children}
    </section>
  );
}
