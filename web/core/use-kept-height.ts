import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

/** Keeps the box around an element as high as it was at most, until `step` changes or the window's size does. */
export function useKeptHeight(within: RefObject<HTMLElement | null>, step: unknown): void {
  useLayoutEffect(() => {
    const box = within.current?.closest('dialog');
    if (box == null) return undefined;
    let highest = 0;
    const forget = () => {
      highest = 0;
      box.style.setProperty('--kept', '0px');
    };
    const observer = new ResizeObserver(() => {
      highest = Math.max(highest, box.offsetHeight);
      box.style.setProperty('--kept', `${highest}px`);
    });
    forget();
    box.classList.add('keeps-height');
    observer.observe(box);
    window.addEventListener('resize', forget);
    return () => {
      observer.disconnect();
      window.removeEventListener('resize', forget);
      box.classList.remove('keeps-height');
    };
  }, [step]);
}
