import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

// Keyboard users scroll with the arrow keys, so the region must be focusable.
const reachable = { tabIndex: 0 };

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
    // Always measured as if it fits: a wide table wraps more, so that it might fit, and would change for ever.
    const measure = () => {
      const { scrollLeft, scrollTop } = box;
      box.removeAttribute('data-wide');
      box.toggleAttribute('data-wide', box.scrollWidth > box.clientWidth);
      box.scrollTo(scrollLeft, scrollTop);
      mark();
    };
    // Where more of the table is, its edge fades.
    const mark = () => {
      const rest = box.scrollWidth - box.clientWidth - box.scrollLeft;
      box.toggleAttribute('data-more-right', box.hasAttribute('data-wide') && rest > 1);
      box.toggleAttribute('data-more-left', box.scrollLeft > 1);
    };
    measure();
    box.addEventListener('scroll', mark, { passive: true });
    const observer = new ResizeObserver(measure);
    for (const each of [box, ...box.children]) observer.observe(each);
    return () => {
      observer.disconnect();
      box.removeEventListener('scroll', mark);
    };
  }, []);
  return (
    <section ref={section} class={tall ? 'scroll tall' : 'scroll'} aria-label={label} {...reachable}>
      {children}
    </section>
  );
}
