import type { StoredMarket, Watch } from '../core/api.ts';
import { formatLimit } from '../core/figures.ts';
import { percentText } from '../core/filter-words.ts';
import { choosableMarkets, shownMarkets } from '../core/market-choice.ts';
import { type FilterField, filterFields, profileFields } from '../parts/filter-fields.ts';

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

/** Describes filters as the API names a watch that is made for them: `H100 SXM; reliable`. */
export function filtersInWords({ gpuName = [], type = [], ...others }: Watch['filters']): string {
  const types = type.length === 0 || type.join() === 'on-demand' ? [] : [type.join(', ')];
  const models = gpuName.length === 0 ? 'All models' : gpuName.join(', ');
  return [models, ...types, ...inShort(conditionsInWords(others))].join('; ');
}

const reliable = ['verified', 'min reliability 98%'];

const inShort = (conditions: readonly string[]): readonly string[] =>
  reliable.every((each) => conditions.includes(each))
    ? ['reliable', ...conditions.filter((each) => !reliable.includes(each))]
    : conditions;

/** Describes the filters besides model and type, each in a few words: `verified`, `min reliability 98%`. */
export function conditionsInWords(by: Watch['filters']): string[] {
  const filters: Readonly<Record<string, unknown>> = { ...by };
  return filterFields.flatMap((field) => {
    const value = filters[field.name];
    return value === undefined || value === null ? [] : [conditionWords(field, [value].flat())];
  });
}

/** Whether the API named a watch by its filters, as it does for an alert. */
export const isNamedByFilters = ({ name, filters }: Pick<Watch, 'name' | 'filters'>): boolean =>
  name.replace(/ \(\d+\)$/, '') === filtersInWords(filters);

function conditionWords({ name, label, kind, unit = '' }: FilterField, values: readonly unknown[]): string {
  const words = values
    .map((value) => (value === true ? 'yes' : value === false ? 'no' : `${value}`))
    .join(' or ');
  if (name === 'verification') return words;
  const lowered = /^[A-Z][a-z]/.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label;
  if (kind === 'share') return `${lowered} ${percentText(words)}%`;
  if (unit.startsWith('$'))
    return `${lowered} ${values.map((value) => formatLimit(Number(value))).join(' or ')}${unit.slice(1)}`;
  return `${lowered} ${words}${unit === '' ? '' : ` ${unit}`}`;
}
