/** Formats are slow to create, so tables with thousands of cells share them. */
const numbers = new Map<string, Intl.NumberFormat>();
const dates = new Map<string, Intl.DateTimeFormat>();

/** Returns the reader's number format with these options. */
export function numberFormat(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = JSON.stringify(options);
  const format = numbers.get(key) ?? new Intl.NumberFormat(undefined, options);
  numbers.set(key, format);
  return format;
}

/** Returns the reader's date format with these options. */
export function dateFormat(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify(options);
  const format = dates.get(key) ?? new Intl.DateTimeFormat(undefined, options);
  dates.set(key, format);
  return format;
}
