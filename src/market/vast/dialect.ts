import { z } from 'zod';
import { UserError } from '../../core/errors.ts';
import { documentAt } from '../../core/program-file.ts';
import { dialectGroups } from './dialect-groups.ts';

const dialectSchema = z.strictObject(dialectGroups);

/**
 * Settings for what the API leaves open, as far as the program uses it; the defaults are public knowledge.
 * Source: docs/dialect.md.
 */
export type Dialect = z.infer<typeof dialectSchema>;

/** Endpoints with their own minimum interval and request budget. */
export type EndpointName = keyof Dialect['minIntervalSeconds'];

/** The dialect without a file. */
export const defaultDialect: Dialect = dialectSchema.parse({});

/**
 * Parses a dialect file's JSON text; defaults fill what it omits. `source` names setting and file in messages. Throws
 * UserError with all unknown keys and wrong values.
 */
export function parseDialect(text: string, source: string): Dialect {
  const parsed = dialectSchema.safeParse(parseJson(text, source));
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(
    ({ path, message }) => `${path.length === 0 ? 'the whole' : path.join('.')}: ${message}`,
  );
  throw new UserError(`${source}: ${problems.join('; ')}. ${documentAt('docs/dialect.md')} lists the keys`);
}

/** Returns the dialect without minimum intervals, for a market that does not count requests. */
export function withoutIntervals(dialect: Dialect): Dialect {
  const names = Object.keys(dialect.minIntervalSeconds) as EndpointName[];
  const minIntervalSeconds = { ...dialect.minIntervalSeconds };
  for (const name of names) minIntervalSeconds[name] = 0;
  return { ...dialect, minIntervalSeconds };
}

function parseJson(text: string, source: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new UserError(`${source} is not JSON: ${(cause as Error).message}`, { cause });
  }
}
