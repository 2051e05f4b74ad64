import type { ComponentChildren } from 'preact';

// Whoever has no pointer scrolls with the arrow keys, for which the region must be reachable.
const reachable = { tabIndex: 0 };

interface Props {
  label: string;
  /** Whether it also scrolls down. */
  tall?: boolean;
  children: ComponentChildren;
}

/** What may be wider than the screen, a table or code; it scrolls by itself, so that the page never does. */
export function Scroll({ label, tall = false, children }: Props) {
  return (
    <section class={tall ? 'scroll tall' : 'scroll'} aria-label={label} {...reachable}>
      {children}
    </section>
  );
}
