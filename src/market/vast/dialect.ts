import { z } from 'zod';
import { UserError } from '../../core/errors.ts';
import { dialectGroups } from './dialect-groups.ts';

const dialectSchema = z.strictObject(dialectGroups);

/**
 * What the interface leaves open and how this market fills it in, as far as the program touches it; the defaults are
 * public knowledge. Source: docs/dialect.md.
 */
export type Dialect = z.infer<typeof dialectSchema>;

/** The endpoints that a minimum interval and a request budget go by. */
export type EndpointName = keyof Dialect['minIntervalSeconds'];

/** The dialect without a file. */
export const defaultDialect: Dialect = dialectSchema.parse({});

/**
 * The dialect in the JSON text of a file: defaults for what it leaves out.
 * `source` names setting and file in messages. Throws UserError with every unknown key and wrong value at once.
 */
export function parseDialect(text: string, source: string): Dialect {
  const parsed = dialectSchema.safeParse(parseJson(text, source));
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(
    ({ path, message }) => `${path.length === 0 ? 'the whole' : path.join('.')}: ${message}`,
  );
  throw new UserError(`${source}: ${problems.join('; ')}. docs/dialect.md lists the keys`);
}

/** The same dialect without minimum intervals: for a market that does not count requests. */
export function withoutIntervals(dialect: Dialect): Dialect {
  const names = Object.keys(dialect.minIntervalSeconds) as EndpointName[];
  const minIntervalSeconds = { ...dialect.minIntervalSeconds };
  for (const name of names) minIntervalSeconds[name] = 0;
  return { ...dialect, minIntervalSeconds };
}

/** Every key as `group.key`, in the order of the file: what the documentation must list. */
export function dialectKeys(): string[] {
  return Object.entries(defaultDialect).flatMap(([group, keys]) =>
    Object.keys(keys).map((key) => `${group}.${key}`),
  );
}

function parseJson(text: string, source: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new UserError(`${source} is not JSON: ${(cause as Error).message}`, { cause });
  }
}
