const names = new Intl.DisplayNames(['en'], { type: 'region' });
const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/** Two-letter codes of countries with their English names in lower case. */
const countryNames: ReadonlyMap<string, string> = new Map(
  letters
    .flatMap((first) => letters.map((second) => first + second))
    .map((code): [string, string] => [code, (names.of(code) ?? code).toLowerCase()])
    .filter(([code, name]) => name !== code.toLowerCase()),
);

/** Returns the words of a search, and for each the countries that it names, by code or by a part of the English name. */
export function readSearch(search: string): { words: string[]; countries: string[][] } {
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return {
    words,
    countries: words.map((word) =>
      [...countryNames]
        .filter(([code, name]) => code.toLowerCase() === word || name.includes(word))
        .map(([code]) => code),
    ),
  };
}
