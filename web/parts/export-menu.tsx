import definitions from '../core/definitions.json' with { type: 'json' };

interface Props {
  /** Name of the export in `/api/exports`: `trends`. */
  name: string;
  /** The parameters of the current screen. */
  query: URLSearchParams;
  label?: string;
  /** What the files are for, in a few words. */
  use?: string;
}

/** Menu of files with everything on the screen, with the same selection. */
export function ExportMenu({ name, query, label = 'Export', use }: Props) {
  const asked = new URLSearchParams(query);
  for (const paging of ['limit', 'cursor']) asked.delete(paging);
  const language = commaLanguage();
  return (
    <details
      class="menu"
      onKeyDown={({ key, currentTarget }) => {
        if (key === 'Escape') close(currentTarget);
      }}
      onClick={({ target, currentTarget }) => {
        if (target instanceof Element && target.closest('a') !== null) close(currentTarget);
      }}
    >
      <summary>{label}</summary>
      <ul>
        {use !== undefined && <li class="use">{use}</li>}
        {definitions.exportFormats.map(({ value: ending, label: format }) => (
          <li key={ending}>
            <a href={`/api/exports/${name}.${ending}?${asked}`} download={`${name}.${ending}`}>
              {format}
            </a>
          </li>
        ))}
        {language !== null && (
          <li>
            <a href={`/api/exports/${name}.csv?${asked}&locale=${language}`} download={`${name}.csv`}>
              CSV with decimal commas
            </a>
          </li>
        )}
      </ul>
    </details>
  );
}

/** Closes the menu; the keyboard goes on from its button. */
function close(menu: HTMLDetailsElement): void {
  menu.open = false;
  menu.querySelector('summary')?.focus();
}

/**
 * Returns the reader's language if it uses decimal commas, because spreadsheets in that language do not read 1.5 as a
 * number; null: it uses decimal points. Taken from the page's formats, because a browser's language setting may not be
 * a language tag.
 */
function commaLanguage(): string | null {
  const format = new Intl.NumberFormat();
  const decimal = format.formatToParts(1.5).find(({ type }) => type === 'decimal');
  return decimal?.value === ',' ? format.resolvedOptions().locale : null;
}
