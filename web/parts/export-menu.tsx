import definitions from '../core/definitions.json' with { type: 'json' };

interface Props {
  /** What of `/api/exports`: `trends`. */
  name: string;
  /** The parameters of what is on the screen. */
  query: URLSearchParams;
  label?: string;
}

/** The files of what is on the screen, complete, with the same choices. */
export function ExportMenu({ name, query, label = 'Export' }: Props) {
  const asked = new URLSearchParams(query);
  for (const paging of ['limit', 'cursor']) asked.delete(paging);
  const language = commaLanguage();
  return (
    <details
      class="menu"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.currentTarget.open = false;
        event.currentTarget.querySelector('summary')?.focus();
      }}
    >
      <summary>{label}</summary>
      <ul>
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

/**
 * The reader's language where it writes 1,5: its spreadsheets do not read 1.5 as a number. null: it writes 1.5. As the
 * formats of the page have it: what the browser calls its language may be no language tag.
 */
function commaLanguage(): string | null {
  const format = new Intl.NumberFormat();
  const decimal = format.formatToParts(1.5).find(({ type }) => type === 'decimal');
  return decimal?.value === ',' ? format.resolvedOptions().locale : null;
}
