const kinds = [
  { ending: 'csv', label: 'CSV' },
  { ending: 'xlsx', label: 'Excel' },
  { ending: 'parquet', label: 'Parquet' },
  { ending: 'json', label: 'JSON' },
  { ending: 'ndjson', label: 'NDJSON' },
] as const;

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
        {kinds.map(({ ending, label: kind }) => (
          <li key={ending}>
            <a href={`/api/exports/${name}.${ending}?${asked}`} download={`${name}.${ending}`}>
              {kind}
            </a>
          </li>
        ))}
      </ul>
    </details>
  );
}
