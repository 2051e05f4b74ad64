import type { ApiApp } from '../../core/http/api-app.ts';
import { withoutBase } from '../../core/http/base-path.ts';

const openPaths = /^\/(sheets|api\/feeds)\//;

/** The app of SHEETS_PORT: only reads of sheets and feeds by their own tokens. */
export function createSheetsFetch(
  app: ApiApp,
  basePath: string,
): (request: Request, env?: unknown) => Promise<Response> {
  return async (request, env) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!isRead || !openPaths.test(withoutBase(new URL(request.url).pathname, basePath)))
      return new Response(null, { status: 404 });
    const headers = new Headers(request.headers);
    headers.delete('authorization');
    headers.delete('cookie');
    const plain = new Request(request.url, { method: request.method, headers, signal: request.signal });
    return await app.fetch(plain, env as Record<string, unknown>);
  };
}
