import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { onTestFinished, vi } from 'vitest';
import { createClient } from '../../../client/client.js';
import type { RunningOfferbook } from '../../web/page-fixture.ts';

/** A tool's answer: its words, and its data where it did not fail. */
export interface ToolAnswer<Data> {
  isError: boolean;
  text: string;
  data: Data;
  /** Size of the whole answer. */
  bytes: number;
}

/** A client of the SDK that is closed when the test ends. */
export interface Agent {
  client: Client;
  names: () => Promise<string[]>;
  call: <Data = Record<string, unknown>>(name: string, given?: object) => Promise<ToolAnswer<Data>>;
}

/** Connects over a transport of the SDK. */
export async function connectAgent(transport: Transport): Promise<Agent> {
  const client = new Client({ name: 'agent-of-the-tests', version: '1.0.0' });
  await client.connect(transport);
  onTestFinished(async () => await client.close());
  return {
    client,
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async <Data>(name: string, given: object = {}) => {
      const answer = (await client.callTool({ name, arguments: { ...given } })) as CallToolResult;
      const [first] = answer.content;
      return {
        isError: answer.isError === true,
        text: first?.type === 'text' ? first.text : '',
        data: answer.structuredContent as Data,
        bytes: Buffer.byteLength(JSON.stringify(answer)),
      };
    },
  };
}

/** Connects over Streamable HTTP with a token. */
export async function connectOverHttp(
  url: string,
  token: string,
  fetch: typeof globalThis.fetch = globalThis.fetch,
): Promise<Agent> {
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit, fetch });
  return await connectAgent(transport as Transport);
}

/** Crawls the market's offers now: the seeded books are of offers that cannot be rented any more. */
export async function crawlNow({ url, token }: RunningOfferbook): Promise<void> {
  const api = createClient({ baseUrl: url, token });
  const { crawlIds } = await api.startCrawl({ body: { kind: 'offers', type: 'on-demand' } });
  for (const id of crawlIds) {
    const isComplete = async () => (await api.getCrawl({ id })).outcome === 'complete';
    await vi.waitUntil(isComplete, { timeout: 120_000, interval: 500 });
  }
}
