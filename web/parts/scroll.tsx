import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

// Keyboard users scroll with the arrow keys, so the region must be focusable.
const reachable = { tabIndex: 0 };

/** Labels of the tables that were wide when last measured: they begin wide, because finding it out costs a layout. */
const wide = new Set<string>();

interface Props {
  label: string;
  /** Whether it also scrolls vertically. */
  tall?: boolean;
  children: ComponentChildren;
}

/**
 * A table that may be wider than the screen. Where it fits, its heads stay at the top of the screen; where it does not,
 * it scrolls by itself in both directions, so that the page does not scroll sideways and the heads stay in sight too.
 */
export function Scroll({ label, tall = false, children }: Props) {
  const section = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const box = section.current;
    if (box === null) return;
    const overflows = () => box.scrollWidth > box.clientWidth;
    // Only found to fit without the mark: a wide table wraps more, so that it might fit, and would change for ever.
    const measure = () => {
      const wasWide = box.hasAttribute('data-wide');
      if (wasWide && overflows()) return;
      const { scrollLeft, scrollTop } = box;
      box.removeAttribute('data-wide');
      const isWide = overflows();
      wide[isWide ? 'add' : 'delete'](label);
      if (!isWide) return;
      box.setAttribute('data-wide', '');
      if (wasWide) box.scrollTo(scrollLeft, scrollTop);
    };
    // Where more of the table is, its edge fades.
    const mark = () => {
      const rest = box.scrollWidth - box.clientWidth - box.scrollLeft;
      box.toggleAttribute('data-more-right', box.hasAttribute('data-wide') && rest > 1);
      box.toggleAttribute('data-more-left', box.scrollLeft > 1);
    };
    // The edges wait for the observer, which begins with a call: to read them now would cost another layout.
    box.toggleAttribute('data-wide', wide.has(label));
    measure();
    box.addEventListener('scroll', mark, { passive: true });
    const observer = new ResizeObserver(() => {
      measure();
      mark();
    });
    for (const each of [box, ...box.children]) observer.observe(each);
    return () => {
      observer.disconnect();
      box.removeEventListener('scroll', mark);
    };
  }, [label]);
  return (
    <section ref={section} class={tall ? 'scroll tall' : 'scroll'} aria-label={label} {...reachable}>
      {children}
    </section>
  );
}
