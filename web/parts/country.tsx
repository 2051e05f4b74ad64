const names = new Intl.DisplayNames(undefined, { type: 'region' });

/** A country by its two-letter code, its name in the tooltip; null: not stated. */
export function Country({ code }: { code: string | null }) {
  return <span title={countryName(code)}>{code ?? '–'}</span>;
}

/** Returns a country's name in the reader's language; null: not stated. */
export function countryName(code: string | null): string {
  if (code === null || !/^[A-Z]{2}$/.test(code)) return 'Not stated';
  return names.of(code) ?? code;
}
