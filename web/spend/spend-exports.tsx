import { exportFiles } from '../parts/export-menu.tsx';
import { Menu } from '../parts/menu.tsx';
import { spendFiles } from './spend-files.ts';

interface Props {
  query: URLSearchParams;
  /** null: not known yet. */
  period: string | null;
  group: string;
}

/** Every way into a spreadsheet, each with what it holds; `query`: range and time zone, `period`: the range in words. */
export function SpendExports({ query, period, group }: Props) {
  const totals = new URLSearchParams([...query, ['groupBy', group]]);
  return (
    <Menu label="Export">
      {period !== null && <li class="file soft" data-period>{`Files of ${period}`}</li>}
      {spendFiles.map(({ name, label, holds }) => (
        <li key={name} class="file">
          <strong>{label}</strong> <span class="soft">{holds}</span>
          <span class="formats">
            {exportFiles(name, name === 'spend-summary' ? totals : query)
              // Cost tools read the FOCUS format as CSV.
              .filter(({ download }) => name !== 'focus' || download === 'focus.csv')
              // Excel first: it is asked for as a spreadsheet.
              .toSorted((a, b) => Number(b.format === 'Excel') - Number(a.format === 'Excel'))
              .map(({ href, download, format }) => (
                <a
                  key={href}
                  href={href}
                  download={download}
                  aria-label={`${format}, ${label.toLowerCase()}`}
                >
                  {format}
                </a>
              ))}
          </span>
        </li>
      ))}
      <li class="file">
        <strong>Live sheet</strong> <span class="soft">A link that a spreadsheet reloads by itself.</span>
        <span class="formats">
          <a href="#sheets">Create a link</a>
        </span>
      </li>
      <li class="file soft">Each Excel workbook says on its sheet “Columns” what its columns are.</li>
    </Menu>
  );
}
