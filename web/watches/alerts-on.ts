import type { AlertSubject } from '../core/alert-subject.ts';
import type { Rule, StoredMarket, Watch } from '../core/api.ts';
import { defaultMetric } from '../core/metrics.ts';
import { profileDefaults } from '../parts/filter-fields.ts';
import { watchFields, watchMarkets } from './watch-fields.ts';

/** The rules that the reader may see, and the watches that they belong to. */
export interface KnownAlerts {
  rules: readonly Rule[];
  watches: readonly Watch[];
  markets: readonly StoredMarket[];
}

/** Returns the rules on exactly the offers, or the budget, of a subject, in the order of creation. */
export function alertsOn({ rules, watches, markets }: KnownAlerts, subject: AlertSubject): Rule[] {
  if (subject.kind === 'budget')
    return rules.filter(({ kind, params }) => kind === 'budget' && params.budgetId === subject.budgetId);
  const { market = markets.filter(({ isDefault }) => isDefault).map(({ name }) => name) } = watchMarkets(
    subject.query,
    markets,
  );
  const wanted = offersKey({ ...watchFields(subject.query), markets: market });
  const ids = watches.filter((watch) => offersKey(watch) === wanted).map(({ id }) => id);
  return rules.filter(({ watchId }) => watchId !== null && ids.includes(watchId));
}

/** Returns the alert that another one of the same price and metric would only repeat; null: there is none. */
export function equalPriceAlert(
  existing: readonly Rule[],
  { metric, usd }: { metric: string; usd: number | null },
  changed: Rule | null,
): Rule | null {
  const isEqual = ({ id, kind, params }: Rule): boolean =>
    id !== changed?.id &&
    kind === 'priceBelow' &&
    params.usd === usd &&
    (params.metric ?? defaultMetric) === metric &&
    params.perListing !== true;
  return existing.find(isEqual) ?? null;
}

/** Returns the same text for the same offers, whatever the order of lists and which defaults are stated. */
function offersKey({ filters, profile, markets }: Pick<Watch, 'filters' | 'profile' | 'markets'>): string {
  const { type = [] } = filters;
  const all = { ...filters, type: type.length === 0 ? ['on-demand'] : type };
  const sorted = Object.entries(all)
    .map(([name, value]) => [
      name,
      Array.isArray(value) ? [...new Set(value.map(String))].sort() : `${value}`,
    ])
    .filter(([, value]) => value?.length !== 0)
    .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));
  const costs = Object.entries({ ...profileDefaults, ...profile }).map(([name, value]) => `${name} ${value}`);
  return JSON.stringify([sorted, costs.sort(), [...markets].sort()]);
}

/** Returns alerts with the one just saved, which the next answer has, so that nothing comes in late. `saved` null: none. */
export const withSaved = (rules: readonly Rule[], saved: Rule | null): readonly Rule[] =>
  saved === null || rules.some(({ id }) => id === saved.id) ? rules : [...rules, saved];
