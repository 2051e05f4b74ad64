import { createClient } from '../../../client/client.js';
import type { ApiApp } from '../../core/http/api-app.ts';
import { ApiProblem } from '../../core/http/problem.ts';
import type { Api } from '../../core/terminal/api.ts';
import type { ApiDeps } from '../http/api-deps.ts';

/**
 * `/mcp`: the Model Context Protocol as Streamable HTTP, without sessions: each message stands alone, with the token
 * and role of the API. Tools call the API of this app with the caller's own token.
 */
export function mountMcp(app: ApiApp, { version, publicUrl, actionsEnabled }: ApiDeps): void {
  app.post('/mcp', async (c) => {
    const [, token = null] = /^Bearer +(\S+)\s*$/i.exec(c.req.header('authorization') ?? '') ?? [];
    const api = createClient({
      fetch: async (path, init) => await app.request(path, init, { isAgent: true }),
      token,
    }) as Api;
    // Loaded when it is needed: most processes serve no agent.
    const { answerMessage } = await import('./answer-message.ts');
    const { role } = c.get('credential');
    return await answerMessage(c.req.raw, { api, publicUrl, version, role, actionsEnabled });
  });
  app.all('/mcp', (c) => {
    c.header('Allow', 'POST');
    throw new ApiProblem(
      405,
      'method-not-allowed',
      'Send MCP messages with POST: there are no sessions or streams.',
    );
  });
}
