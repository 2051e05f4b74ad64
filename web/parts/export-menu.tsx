import definitions from '../core/definitions.json' with { type: 'json' };
import { Menu } from './menu.tsx';

interface Props {
  /** Name of the export in `/api/exports`: `trends`. */
  name: string;
  /** The parameters of the current screen. */
  query: URLSearchParams;
}

/** Menu of files with everything on the screen, with the same selection. */
export function ExportMenu({ name, query }: Props) {
  return (
    <Menu label="Export">
      {exportFiles(name, query).map(({ href, download, format }) => (
        <li key={href}>
          <a href={href} download={download}>
            {format}
          </a>
        </li>
      ))}
    </Menu>
  );
}

/** Returns the files of an export: one of each format, and one for spreadsheets that read decimal commas. */
export function exportFiles(name: string, query: URLSearchParams) {
  const asked = new URLSearchParams(query);
  for (const paging of ['limit', 'cursor']) asked.delete(paging);
  const language = commaLanguage();
  const files = definitions.exportFormats.map(({ value, label }) => ({
    href: `/api/exports/${name}.${value}?${asked}`,
    download: `${name}.${value}`,
    format: label,
  }));
  if (language === null) return files;
  const href = `/api/exports/${name}.csv?${asked}&locale=${language}`;
  return [...files, { href, download: `${name}.csv`, format: 'CSV with decimal commas' }];
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
