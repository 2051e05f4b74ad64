/** Below this, a number without a percent sign is more likely a slip than a percentage; the API decides likewise. */
const minPercent = 50;

/** Returns a share as the API takes it, `0.99` for `99` and `99 %`; other text as it is, for the API to refuse. */
export function shareText(text: string): string {
  const [, digits = '', sign] = /^(\d+(?:[.,]\d+)?)\s*(%)?$/.exec(text.trim()) ?? [];
  const number = Number(digits.replace(',', '.'));
  const isPercent = sign !== undefined || number >= minPercent;
  if (digits === '' || number > 100) return text.trim();
  return isPercent ? `${Number((number / 100).toPrecision(15))}` : `${number}`;
}

/** Returns a share as a percentage for a form field, `99` for `0.99`; other text as it is. */
export function percentText(share: string): string {
  const number = Number(share);
  return share === '' || Number.isNaN(number) || number > 1
    ? share
    : `${Number((number * 100).toPrecision(15))}`;
}

/** Returns a number as the API takes it, without its unit: `24` for `24 GB`; other text as it is. */
export function numberText(text: string, unit: string | undefined): string {
  const [, number, rest = ''] = /^\$?\s*(\d+(?:[.,]\d+)?)\s*(\D*)$/.exec(text.trim()) ?? [];
  const isPlain = rest === '' || plain(rest) === plain((unit ?? '').replace('$', ''));
  return number === undefined || !isPlain ? text.trim() : number.replace(',', '.');
}

/** Returns the codes of countries in a list of codes and names, `DE` for `Germany`; other text as it is. */
export function countryCodes(text: string): string[] {
  return text.split(/[,;]/).flatMap((part) => {
    const name = part.trim();
    const code = codeOf(name);
    if (code !== null) return [code];
    const words = name.split(/\s+/).filter((word) => word !== '');
    return words.every((word) => codeOf(word) !== null) ? words.map((word) => codeOf(word) ?? word) : [name];
  });
}

let codesByName: ReadonlyMap<string, string> | null = null;

function codeOf(name: string): string | null {
  codesByName ??= nameCountries();
  return codesByName.get(plain(name)) ?? (/^[a-z]{2}$/i.test(name) ? name.toUpperCase() : null);
}

const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ');

/** Names of countries in the reader's language and in English, short and long. */
function nameCountries(): Map<string, string> {
  const names = [undefined, 'en'].flatMap((language) =>
    (['long', 'short'] as const).map(
      (style) => new Intl.DisplayNames(language, { type: 'region', style, fallback: 'none' }),
    ),
  );
  const codes = letters.flatMap((first) => letters.map((second) => first + second));
  // A code that another replaced, such as that of East Germany, has the same name.
  const present = codes.filter((code) => new Intl.Locale(`und-${code}`).region === code);
  return new Map(
    names.flatMap((of) =>
      present.flatMap((code) => {
        const name = of.of(code);
        return name === undefined ? [] : [[plain(name), code] as const];
      }),
    ),
  );
}

const plain = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/[^\p{L}\p{N} ]/gu, '')
    .trim()
    .toLowerCase();
