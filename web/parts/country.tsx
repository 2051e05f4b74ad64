const names = new Intl.DisplayNames(undefined, { type: 'region' });

/** A country by its two letters, its name on hover; null: not stated. */
export function Country({ code }: { code: string | null }) {
  return <span title={countryName(code)}>{code ?? '–'}</span>;
}

/** A country's name by its two letters, in the reader's language; null: not stated. */
export function countryName(code: string | null): string {
  if (code === null || !/^[A-Z]{2}$/.test(code)) return 'Not stated';
  return names.of(code) ?? code;
}
