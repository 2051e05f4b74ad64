import type { z } from 'zod';
import { settingValues } from '../core/setting-values.ts';

const { positive, whole } = settingValues;

interface LimitSpec {
  value: z.ZodType<number | undefined>;
  /** Label on the page with its unit, and an example of how to set it. */
  label: string;
  unit: string;
  example: number;
}

/**
 * The owner's limits by setting; a live market requires all of them before anything is rented. A new limit is a line
 * here and a guard in rent/guards.ts.
 */
export const limitSettings = {
  MAX_USD_PER_HOUR: {
    value: positive.optional(),
    label: 'Max price of one instance',
    unit: '$/hour',
    example: 1,
  },
  MAX_TOTAL_USD_PER_HOUR: {
    value: positive.optional(),
    label: 'Max price of all instances',
    unit: '$/hour',
    example: 5,
  },
  /** Counts instances of every origin. */
  MAX_INSTANCES: {
    value: whole(0, 1_000_000).optional(),
    label: 'Max instances',
    unit: 'instances',
    example: 4,
  },
} as const satisfies Record<string, LimitSpec>;

type Variable = keyof typeof limitSettings;

/** Parsers of the variables. */
export const limitValues = Object.fromEntries(
  Object.entries(limitSettings).map(([variable, { value }]) => [variable, value]),
) as { [Name in Variable]: (typeof limitSettings)[Name]['value'] };

type CamelCase<T extends string> = T extends `${infer First}_${infer Rest}`
  ? `${Lowercase<First>}${Capitalize<CamelCase<Rest>>}`
  : Lowercase<T>;

/** The limits by name, `maxUsdPerHour`; null: not set. */
export type Limits = Record<CamelCase<Variable>, number | null>;
export type LimitName = keyof Limits;

const variables = Object.keys(limitSettings) as Variable[];
const nameOf = (variable: Variable): LimitName =>
  variable.toLowerCase().replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()) as LimitName;

/** Names of the limits, in the order of the settings. */
export const limitNames: readonly LimitName[] = variables.map(nameOf);

/** Returns how the page shows the limits. */
export const shownLimits = variables.map((variable) => {
  const { label, unit, example } = limitSettings[variable];
  return { name: nameOf(variable), variable, label, unit, example };
});

/** Returns the limits in the settings. */
export const limitsOf = (values: Partial<Record<Variable, number | undefined>>): Limits =>
  Object.fromEntries(variables.map((variable) => [nameOf(variable), values[variable] ?? null])) as Limits;
