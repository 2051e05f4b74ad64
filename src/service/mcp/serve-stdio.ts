import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { Api } from '../../core/terminal/api.ts';
import type { CommandContext } from '../../core/terminal/command-context.ts';

/** The error of JSON-RPC for what failed on the way. */
const internalError = -32_603;

/**
 * Passes the messages of stdin to `/mcp` of the API and its answers to stdout, until stdin ends or the command is
 * stopped; requests in progress are answered first.
 */
export async function serveStdio(
  api: Api,
  { note, signal }: Pick<CommandContext, 'note' | 'signal'>,
): Promise<void> {
  const transport = new StdioServerTransport();
  const pending = new Set<Promise<void>>();
  transport.onmessage = (message) => {
    const work = pass(api, message, transport).finally(() => pending.delete(work));
    pending.add(work);
  };
  transport.onerror = (error) => note(`Not a message of the protocol: ${error.message}`);
  const ended = new Promise<void>((resolve) => {
    process.stdin.once('end', resolve).once('close', resolve);
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await transport.start();
  await ended;
  await Promise.all(pending);
  await transport.close();
}

async function pass(api: Api, message: JSONRPCMessage, transport: StdioServerTransport): Promise<void> {
  try {
    const headers = { accept: 'application/json, text/event-stream' };
    const response = await api.open('POST', '/mcp', { body: message, headers });
    const answer = await response.text();
    if (answer !== '') await transport.send(JSON.parse(answer) as JSONRPCMessage);
  } catch (error) {
    if (!('id' in message) || message.id === undefined) return;
    const failure = { code: internalError, message: (error as Error).message };
    await transport.send({ jsonrpc: '2.0', id: message.id, error: failure });
  }
}
