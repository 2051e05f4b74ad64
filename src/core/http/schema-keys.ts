import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Context, Env } from 'hono';
import { routePath } from 'hono/route';

interface SchemaPart {
  shape?: Record<string, SchemaPart>;
  _zod?: { def: { innerType?: SchemaPart; in?: SchemaPart; out?: SchemaPart; element?: SchemaPart } };
}

/**
 * Returns the parameters or body fields that the route of a request knows, at a path within its schema; empty if
 * unknown.
 */
export function keysOfRoute<E extends Env>(
  app: OpenAPIHono<E>,
  c: Context,
  target: string,
  path: readonly PropertyKey[] = [],
): string[] {
  const pattern = routePath(c);
  const found = app.openAPIRegistry.definitions.find(
    (each) =>
      each.type === 'route' &&
      each.route.method === c.req.method.toLowerCase() &&
      each.route.path.replaceAll(/\{(\w+)\}/g, ':$1') === pattern,
  );
  if (found?.type !== 'route') return [];
  const { query, body } = found.route.request ?? {};
  const json = body?.content?.['application/json'] as { schema?: unknown } | undefined;
  return keysAt((target === 'query' ? query : json?.schema) as SchemaPart | undefined, path);
}

/** Returns the parameters or fields that a schema knows. */
export const keysOf = (schema: unknown): string[] => keysAt(schema as SchemaPart, []);

function keysAt(schema: SchemaPart | undefined, [first, ...rest]: readonly PropertyKey[]): string[] {
  const shape = shapeOf(schema);
  if (shape === null) return [];
  return first === undefined ? Object.keys(shape) : keysAt(shape[String(first)], rest);
}

/** Returns the fields of an object behind wrappers such as optional, default and pipe; null if it is not an object. */
function shapeOf(schema: SchemaPart | undefined): Record<string, SchemaPart> | null {
  if (schema === undefined) return null;
  if (schema.shape !== undefined) return schema.shape;
  const { innerType, in: input, out, element } = schema._zod?.def ?? {};
  return [innerType, input, out, element].map(shapeOf).find((shape) => shape !== null) ?? null;
}
