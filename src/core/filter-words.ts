/** Below this, a number without a percent sign is more likely a slip than a percentage. */
const minPercent = 50;

/**
 * Returns the share that a text states, 0 to 1: `0.99`, `99`, `99%` and `99 %` are all 0.99; null: it states none. Without
 * a percent sign only numbers from 50 on are percentages.
 */
export function readShare(text: string): number | null {
  const [, digits, sign] =
    /^((?:\d{1,15}(?:\.\d{0,15})?|\.\d{1,15})(?:e[+-]?\d{1,2})?)\s*(%)?$/i.exec(text.trim()) ?? [];
  if (digits === undefined) return null;
  const number = Number(digits);
  if (sign === undefined && number <= 1) return number;
  if (number > 100 || (sign === undefined && number < minPercent)) return null;
  // 99.9 / 100 would be 0.9990000000000001.
  return Number((number / 100).toPrecision(15));
}

let codesByName: ReadonlyMap<string, string> | null = null;

/** Returns the two-letter code of a country: `DE` for `Germany`, `germany`, `DE` and `de`; null: there is none. */
export function readCountry(text: string): string | null {
  codesByName ??= nameCountries();
  const name = plainName(text);
  return codesByName.get(name) ?? (/^[a-z]{2}$/.test(name) ? name.toUpperCase() : null);
}

const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ');

/** Returns the codes of countries by their English names, short and long. Takes a few milliseconds. */
function nameCountries(): Map<string, string> {
  const codes = letters.flatMap((first) => letters.map((second) => first + second));
  const styles = (['long', 'short'] as const).map(
    (style) => new Intl.DisplayNames('en', { type: 'region', style, fallback: 'none' }),
  );
  // A code that another replaced, such as that of East Germany, has the same name.
  const present = codes.filter((code) => new Intl.Locale(`und-${code}`).region === code);
  return new Map(
    present.flatMap((code) =>
      styles.flatMap((style) => {
        const name = style.of(code);
        return name === undefined ? [] : [[plainName(name), code] as const];
      }),
    ),
  );
}

/** Returns a name without accents, marks and capitals. */
const plainName = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/[^\p{L}\p{N} ]/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
