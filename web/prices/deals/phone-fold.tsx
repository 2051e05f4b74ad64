import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';

interface Props {
  /** How many of what it holds are set. */
  count: number;
  /** Whether something in it must be seen: it opens, and stays open. */
  isNeeded: boolean;
  children: ComponentChildren;
}

/** What narrows and arranges the offers, folded on a phone so that the first of them is in view. */
export function PhoneFold({ count, isNeeded, children }: Props) {
  const [isOpen, setIsOpen] = useState(isNeeded);
  useEffect(() => {
    if (isNeeded) setIsOpen(true);
  }, [isNeeded]);
  return (
    <details
      class="fold narrowing"
      open={isOpen}
      onToggle={({ target, currentTarget }) => {
        // Folds inside it have toggles of their own.
        if (target === currentTarget) setIsOpen(currentTarget.open);
      }}
    >
      <summary>
        GPUs, type, filters, usage profile, columns{count > 0 && <span class="count">{count}</span>}
      </summary>
      {children}
    </details>
  );
}
