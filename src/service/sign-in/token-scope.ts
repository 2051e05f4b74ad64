import type { MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';
import type { ApiApp, ApiEnv } from '../../core/http/api-app.ts';
import type { TokenScope } from '../../core/http/credential.ts';
import { ApiProblem } from '../../core/http/problem.ts';
import { keysOf } from '../../core/http/schema-keys.ts';
import type { ApiDeps } from '../http/api-deps.ts';
import { type GivenBody, labelsOf } from './scope-labels.ts';

/** What a route reads or changes, as far as a scope goes. */
interface ScopedRoute {
  operationId: string;
  isChange: boolean;
  /** Whether its query, or its body, names a market. */
  market: 'query' | 'body' | null;
}

const safeMethods = new Set(['get', 'head']);

/** Returns every route by method and path as the router knows it. */
export function readScopedRoutes(app: ApiApp): Map<string, ScopedRoute> {
  const routes = app.openAPIRegistry.definitions.flatMap((each) =>
    each.type === 'route' ? [each.route] : [],
  );
  return new Map(
    routes.map(({ method, path, operationId = '', request }) => {
      const json = request?.body?.content?.['application/json'] as { schema?: unknown } | undefined;
      const market = keysOf(request?.query).includes('market')
        ? ('query' as const)
        : keysOf(json?.schema).includes('market')
          ? ('body' as const)
          : null;
      const key = `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
      return [key, { operationId, isChange: !safeMethods.has(method), market }];
    }),
  );
}

/**
 * Refuses what lies outside of the scope of a token: other markets than its own where a request names a market or means
 * the default one, and changes of what does not have its label.
 * Source: docs/security.md#tokens-for-teams.
 */
export function requireScope(app: ApiApp, deps: ApiDeps): MiddlewareHandler<ApiEnv> {
  let routes: Map<string, ScopedRoute> | null = null;
  return async (c, next) => {
    const scope = (c.get('credential') as { scope?: TokenScope } | undefined)?.scope;
    if (scope === undefined) return await next();
    routes ??= readScopedRoutes(app);
    const method = c.req.method === 'HEAD' ? 'GET' : c.req.method;
    const route = matchedRoutes(c)
      .map(({ path }) => routes?.get(`${method} ${path}`))
      .find((each) => each !== undefined);
    if (route === undefined || route.operationId === 'endSession') return await next();
    const body: GivenBody =
      route.isChange || route.market === 'body' ? await c.req.json<GivenBody>().catch(() => ({})) : {};
    if (scope.markets !== null && (route.market !== null || route.isChange)) {
      const named = route.market === 'query' ? c.req.queries('market') : [body?.market ?? []].flat();
      const meant = named === undefined || named.length === 0 ? [(await deps.defaultMarket()).name] : named;
      const other = meant.find((name) => scope.markets?.includes(name) !== true);
      if (other !== undefined) {
        throw outside(`the market ${JSON.stringify(other)}: its markets are ${scope.markets.join(', ')}`);
      }
    }
    if (scope.label !== null && route.isChange) {
      const label = JSON.stringify(scope.label);
      const labels = await labelsOf(deps, route.operationId, { id: c.req.path.split('/')[3] ?? '', body });
      if (labels === null)
        throw outside(`this change: it may only rent, order and manage with the label ${label}`);
      if (!labels.every((each) => each === scope.label)) {
        throw outside(`what does not have its label: send and choose what has the label ${label}`);
      }
    }
    await next();
  };
}

const outside = (what: string): ApiProblem =>
  new ApiProblem(403, 'outside-scope', `The token does not allow ${what}.`);
