import type { ComponentChildren } from 'preact';

/** A button that opens a list of links, and closes it when one is followed. */
export function Menu({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <details
      class="menu"
      onKeyDown={({ key, currentTarget }) => {
        if (key === 'Escape') close(currentTarget);
      }}
      onClick={({ target, currentTarget }) => {
        // A long list scrolls within what the window has below the button.
        const top = currentTarget.getBoundingClientRect().bottom;
        if (!currentTarget.open) currentTarget.style.setProperty('--list-top', `${top + 4}px`);
        if (target instanceof Element && target.closest('a') !== null) close(currentTarget);
      }}
    >
      <summary>{label}</summary>
      <ul>{children}</ul>
    </details>
  );
}

/** Closes the menu; the keyboard goes on from its button. */
function close(menu: HTMLDetailsElement): void {
  menu.open = false;
  menu.querySelector('summary')?.focus();
}
