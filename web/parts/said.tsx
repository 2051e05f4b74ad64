import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { App } from '../core/app.ts';

/** What an action makes: rows, lines and boxes with something to copy. */
const madeParts = 'tr, li, .made, .banner';

/** The latest announcement, over the page at the edge where it covers neither what was just made or used nor the navigation. */
export function Said({ app }: { app: App }) {
  const box = useRef<HTMLParagraphElement>(null);
  const used = useRef<HTMLFormElement | null>(null);
  const given = app.said.value;
  const { text, isWarning } = given;
  useEffect(() => {
    const remember = ({ target }: Event) => {
      used.current = target instanceof Element ? target.closest('form') : null;
    };
    document.addEventListener('focusin', remember);
    return () => document.removeEventListener('focusin', remember);
  }, []);
  useLayoutEffect(() => {
    const said = box.current;
    const main = document.querySelector('main');
    if (said === null || main === null || text === '') return;
    // An open dialog lies above all that is not in the top layer, whose last element is in front.
    const isOverBox = document.querySelector('dialog[open]') !== null;
    if (isOverBox) {
      if (said.matches(':popover-open')) said.hidePopover();
      said.popover = 'manual';
      said.showPopover();
    }
    const made = new Set<Element>([
      ...main.querySelectorAll('.made, .banner[role=status]'),
      ...document.querySelectorAll('dialog[open] .stays'),
    ]);
    if (used.current !== null) made.add(used.current);
    const coveredAt = (edge: 'bottom' | 'top'): number => {
      said.dataset.edge = edge;
      const head = document.querySelector('.masthead')?.getBoundingClientRect().bottom ?? 0;
      // Navigation stays free: an announcement is often followed by a look elsewhere.
      said.style.top = edge === 'top' ? `${Math.max(18, head + 8)}px` : '';
      const place = said.getBoundingClientRect();
      return [...made].filter((each) => isOver(place, each.getBoundingClientRect())).length;
    };
    // As wide as a phone it would hide figures; where a view begins, at the upper edge, it hides the title alone.
    const isNarrow = window.matchMedia('(max-width: 640px)').matches;
    let edge: 'bottom' | 'top' = 'bottom';
    const choose = () => {
      // On a wide screen it stays where it is, so that it never jumps onto what was scrolled to.
      const isAtStart = isNarrow && !isOverBox && window.scrollY === 0;
      const usual = isNarrow ? (isAtStart ? 'top' : 'bottom') : edge;
      const covered = coveredAt(usual);
      const other = usual === 'top' ? 'bottom' : 'top';
      edge = covered <= coveredAt(other) ? usual : other;
      coveredAt(edge);
    };
    choose();
    // A list shows what was made once it is read again.
    const observer = new MutationObserver((changes) => {
      for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
        if (!(node instanceof Element)) continue;
        if (node.matches(madeParts)) made.add(node);
        // The first row of all comes with its table.
        const rows = node.querySelectorAll('tbody > tr');
        if (rows.length === 1) made.add(rows[0] as Element);
      }
      choose();
    });
    observer.observe(main, { childList: true, subtree: true });
    // Elsewhere in the view the other edge may be the better one.
    window.addEventListener('scroll', choose, { passive: true });
    return () => {
      observer.disconnect();
      window.removeEventListener('scroll', choose);
    };
  }, [given]);
  return (
    <p ref={box} class={isWarning ? 'said warning' : 'said'} role="status" aria-live="polite">
      {text}
    </p>
  );
}

const isOver = (a: DOMRect, b: DOMRect): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
