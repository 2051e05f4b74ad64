import { z } from 'zod';
import { filterEntries } from '../../core/offer-filter.ts';
import { formatAmount, formatUsd } from '../../core/usd-words.ts';
import { SavedFiltersSchema } from '../../watches/watch-body.ts';

const { gpuName, type, ...filters } = SavedFiltersSchema.shape;

const described = Object.fromEntries(
  filterEntries.map(([name, { keeps }]) => [name, filters[name].describe(`Only offers ${keeps}`)]),
) as typeof filters;

/** The conditions on offers, as on the API. */
export const filterFields = {
  gpuName: gpuName.describe('GPU models as the market spells them; market_overview lists all'),
  type: type.describe('Pricing types; default on-demand'),
  ...described,
};

/** The market that a tool reads. */
export const marketField = {
  market: z.string().optional().describe('Name of the market; default: the configured one'),
};

/** Returns a range of times. */
export const rangeFields = (unset: string) => ({
  from: z.string().optional().describe(`Start, a date or an ISO 8601 time; default ${unset}`),
  to: z.string().optional().describe('End, exclusive; default now'),
});

/** Parameters by which Deals lists what a tool was asked for, not only what is reliable. */
export const asAsked = { reliable: 'off', deverifiedLast: 'false', outliersLast: 'false' };

/** Returns the address of a view with these parameters. */
export function viewOf(path: string, given: object): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(given)) {
    for (const each of [value as unknown].flat()) if (each !== undefined) query.append(name, String(each));
  }
  return query.size === 0 ? path : `${path}?${query}`;
}

/** Formats a price per hour for a sentence; null is unknown. */
export const usd = (value: number | string | null): string =>
  value === null ? 'an unknown price' : formatUsd(Number(value));

/** Formats an amount for a sentence; null is unknown. */
export const amount = (value: number | string | null): string =>
  value === null ? 'an unknown amount' : formatAmount(Number(value));
