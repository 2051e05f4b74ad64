import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { Role } from '../../core/http/credential.ts';
import { registerMeaning } from './meaning-resources.ts';
import { shortenError } from './shorten.ts';
import type { ToolContext, ToolNeed } from './tool.ts';
import { tools } from './tool-registry.ts';

/** Who sent a message, and what its tools call. */
export interface Caller extends ToolContext {
  version: string;
  role: Role;
  /** Whether the account may be changed: ACTIONS. */
  actionsEnabled: boolean;
}

const instructions =
  'Offerbook keeps the prices of a GPU rental marketplace. Prices are in USD, times are UTC. Look with find_deals, ' +
  'judge with explain_price and wait_or_rent. The resources explain what each figure means.';

/** Answers one message with the tools that its sender may use. */
export async function answerMessage(request: Request, caller: Caller): Promise<Response> {
  const server = new McpServer({ name: 'offerbook', version: caller.version }, { instructions });
  for (const tool of tools) if (maySee(tool.needs, caller)) tool.register(server, caller);
  registerMeaning(server);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  const send = transport.send.bind(transport);
  // Also what the SDK itself refuses, which repeats what it was given.
  transport.send = async (message, options) => await send(shortenError(message), options);
  await server.connect(transport);
  return await transport.handleRequest(request);
}

function maySee(needs: ToolNeed, { role, actionsEnabled }: Caller): boolean {
  const mayAct = role === 'operator' || role === 'admin';
  return needs === 'viewer' || (mayAct && (needs === 'operator' || actionsEnabled));
}
