import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface Props {
  class: string;
  /** What a pointer that rests on it is told. @default nothing */
  title?: string;
  /** The term that it is. @default none */
  term?: string;
  /** What it says when it is tapped, clicked or pressed. */
  more: ComponentChildren;
  children: ComponentChildren;
}

/** What says more when it is tapped, clicked or pressed; Escape or a tap elsewhere closes that. */
export function SaysMore({ class: looks, title, term, more, children }: Props) {
  const id = useId();
  return (
    <>
      <button type="button" class={looks} title={title} popovertarget={id} data-term={term}>
        {children}
      </button>
      <span id={id} popover="auto" role="note" class="meaning">
        {more}
      </span>
    </>
  );
}
