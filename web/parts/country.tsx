import { useWide } from '../core/use-wide.ts';

const names = new Intl.DisplayNames(undefined, { type: 'region' });

/** A country by its two-letter code, its name in the tooltip; on a phone, which has no tooltip, by its name; null: not stated. */
export function Country({ code }: { code: string | null }) {
  const wide = useWide();
  const name = countryName(code);
  return <span title={name}>{code === null ? '–' : wide ? code : name}</span>;
}

/** Returns a country's name in the reader's language; null: not stated. */
export function countryName(code: string | null): string {
  if (code === null || !/^[A-Z]{2}$/.test(code)) return 'Not stated';
  return names.of(code) ?? code;
}
