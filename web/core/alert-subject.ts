import { changedQuery } from './address.ts';
import type { Listing, Rule } from './api.ts';

/** What an alert is about. */
export type AlertSubject =
  | {
      kind: 'offers';
      /** `H100 SXM`, as the button and the dialog name it. */
      name: string;
      /** Markets, models, types, filters and usage profile, as the address of a view has them. */
      query: URLSearchParams;
      /** The metric to compare, if rules have it. @default the default metric of rules */
      metric?: string | undefined;
      /** Whether the box asks if only reliable offers count. @default false */
      asksReliable?: boolean;
      /** The alert that the box changes. @default it adds one */
      changed?: Rule;
    }
  | {
      kind: 'budget';
      name: string;
      budgetId: string;
      /** Exact dollars. */
      monthlyUsd: string;
      /** Spent so far: its share of the budget, and exact dollars; null: unknown. */
      share: number;
      spentUsd: string | null;
    };

/**
 * Returns the offers that a view's query selects, for an alert, named by their models and types. `asksReliable`: whether
 * the box asks if only reliable ones count.
 */
export function offersSubject(query: URLSearchParams, metric: string, asksReliable = false): AlertSubject {
  const models = query.getAll('gpuName');
  const types = query
    .getAll('type')
    .filter((type) => type !== 'on-demand' || query.getAll('type').length > 1);
  const name = [models.length === 0 ? 'all models' : models.join(', '), ...types].join(', ');
  return { kind: 'offers', name, query, metric, asksReliable };
}

/** Returns the offers of a listing, those of its machine with as many GPUs; `profile` is the usage profile. */
export function listingSubject(listing: Listing, profile: URLSearchParams): AlertSubject {
  const { market, gpuName, numGpus, type, machineId } = listing;
  const own = { market, gpuName, type, numGpus: String(numGpus), machineId: String(machineId) };
  return {
    kind: 'offers',
    name: `${gpuName} × ${numGpus}, machine ${machineId}`,
    query: changedQuery(profile, { ...own, from: null }),
  };
}
