import type { ApiApp } from '../../core/http/api-app.ts';

const healthPaths = new Set(['/healthz', '/readyz', '/metrics']);

/** The app of HEALTH_PORT: liveness, readiness and metrics, and nothing else. */
export function createHealthFetch(app: ApiApp): (request: Request, env?: unknown) => Promise<Response> {
  return async (request, env) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!isRead || !healthPaths.has(new URL(request.url).pathname))
      return new Response(null, { status: 404 });
    return await app.fetch(request, env as Record<string, unknown>);
  };
}
