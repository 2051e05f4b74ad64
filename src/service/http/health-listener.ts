import type { ApiApp } from '../../core/http/api-app.ts';

const healthPaths = new Set(['/healthz', '/readyz', '/metrics']);

/** What the listener of HEALTH_PORT answers: whether the process is alive and ready, its metrics, and nothing else. */
export function createHealthFetch(app: ApiApp): (request: Request, env?: unknown) => Promise<Response> {
  return async (request, env) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!isRead || !healthPaths.has(new URL(request.url).pathname))
      return new Response(null, { status: 404 });
    return await app.fetch(request, env as Record<string, unknown>);
  };
}
