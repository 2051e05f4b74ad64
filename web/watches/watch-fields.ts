import type { StoredMarket, Watch } from '../core/api.ts';
import { percentText } from '../core/filter-words.ts';
import { choosableMarkets, shownMarkets } from '../core/market-choice.ts';
import { filterFields, profileFields } from '../parts/filter-fields.ts';

/** Filters that may have several values. */
const lists: readonly string[] = [
  'gpuName',
  'type',
  ...filterFields.filter(({ kind }) => !['number', 'share', 'flag'].includes(kind)).map(({ name }) => name),
];
const numbers: readonly string[] = filterFields
  .filter(({ kind }) => ['number', 'share', 'numbers'].includes(kind))
  .map(({ name }) => name);

/** Returns the markets, filters and profile of a watch as the query of an address. */
export function watchQuery({
  markets,
  filters,
  profile,
}: Pick<Watch, 'markets' | 'filters' | 'profile'>): URLSearchParams {
  const query = new URLSearchParams(markets.map((name) => ['market', name]));
  for (const [name, value] of Object.entries(filters)) {
    for (const each of [value].flat())
      if (each !== null && each !== undefined) query.append(name, String(each));
  }
  for (const [name, value] of Object.entries(profile)) query.set(name, String(value));
  return query;
}

/** Returns a query's filters and profile as the API takes them. */
export function watchFields(query: URLSearchParams): Pick<Watch, 'filters' | 'profile'> {
  const names = ['gpuName', 'type', ...filterFields.map(({ name }) => name)];
  const typed = (name: string, text: string) =>
    numbers.includes(name) ? Number(text) : text === 'true' || text === 'false' ? text === 'true' : text;
  const filters = names
    .filter((name) => query.has(name))
    .map((name) => {
      const values = query.getAll(name).map((text) => typed(name, text));
      return [name, lists.includes(name) ? values : values[0]];
    });
  const profile = profileFields
    .filter(({ name }) => query.has(name))
    .map(({ name }) => [name, Number(query.get(name))]);
  return { filters: Object.fromEntries(filters), profile: Object.fromEntries(profile) };
}

/** Returns a watch's markets as the API takes them; empty if there is no choice. */
export function watchMarkets(query: URLSearchParams, markets: readonly StoredMarket[]) {
  const shown = shownMarkets(query, choosableMarkets(markets));
  return shown.length === 0 ? {} : { market: shown.map(({ name }) => name) };
}

/** Describes filters in a short sentence. */
export function filtersInWords(filters: Watch['filters']): string {
  const { gpuName, type, ...others } = filters;
  const types = type?.join() === 'on-demand' ? {} : { type };
  const set = Object.entries({ gpuName, ...types, ...others }).filter(([, value]) => value !== undefined);
  const parts = set.map(([name, value]) => {
    const text = [value].flat().join(', ');
    const field = filterFields.find((each) => each.name === name);
    if (field === undefined || field.kind === 'choices') return text;
    if (field.kind === 'share') return `${field.label}: ${percentText(text)}%`;
    return `${field.label}: ${text}${field.unit === undefined ? '' : ` ${field.unit}`}`;
  });
  return parts.length === 0 ? 'all offers' : parts.join('; ');
}
