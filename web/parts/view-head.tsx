import type { ComponentChildren } from 'preact';

/** The title of a view, with its choosers. */
export function ViewHead({
  title,
  note,
  children,
}: {
  title: string;
  note?: string;
  children?: ComponentChildren;
}) {
  return (
    <div class="view-head">
      <h1>
        {title}
        {note !== undefined && <small>{note}</small>}
      </h1>
      {children}
    </div>
  );
}
