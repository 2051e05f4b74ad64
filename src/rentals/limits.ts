import type { z } from 'zod';
import { settingValues } from '../core/setting-values.ts';

const { positive, whole } = settingValues;

/**
 * What the owner of an account sets bounds to, by variable; a live market needs them all before anything is rented. A new
 * one is a line here, and a guard in rent/guards.ts that keeps to it.
 */
export const limitSettings = {
  /** $/hour that one rental may come to. */
  MAX_USD_PER_HOUR: positive.optional(),
  /** $/hour that the whole account may come to. */
  MAX_TOTAL_USD_PER_HOUR: positive.optional(),
  /** Instances that the account may have, whoever rented them. */
  MAX_INSTANCES: whole(0, 1_000_000).optional(),
} satisfies Record<string, z.ZodType<number | undefined>>;

type Variable = keyof typeof limitSettings;
type CamelCase<T extends string> = T extends `${infer First}_${infer Rest}`
  ? `${Lowercase<First>}${Capitalize<CamelCase<Rest>>}`
  : Lowercase<T>;

/** The limits by name, `maxUsdPerHour`; null: none is set. */
export type Limits = Record<CamelCase<Variable>, number | null>;
export type LimitName = keyof Limits;

const variables = Object.keys(limitSettings) as Variable[];
const nameOf = (variable: Variable): LimitName =>
  variable.toLowerCase().replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()) as LimitName;

/** Their names, in the order of the settings. */
export const limitNames: readonly LimitName[] = variables.map(nameOf);

/** The limits of the settings that were read. */
export const limitsOf = (values: Partial<Record<Variable, number | undefined>>): Limits =>
  Object.fromEntries(variables.map((variable) => [nameOf(variable), values[variable] ?? null])) as Limits;
