import type { MarketClient, MarketClientOptions } from '../../src/market/vast/client.ts';
import { reply, startScriptedServer } from './scripted-server.ts';
import { createTestClient, testActKey } from './test-client.ts';

/** One request as it was sent: parameters decoded, the body parsed (null: none), whose key it had. */
export interface Sent {
  method: string;
  path: string;
  query: Record<string, string>;
  body: unknown;
  key: 'reading' | 'acting';
}

/** A client of a market that gives the answers in turn, and what it was sent. */
export async function startMarket(answers: readonly object[], options: Partial<MarketClientOptions> = {}) {
  const { baseUrl, received } = await startScriptedServer(...answers.map((answer) => reply(200, answer)));
  const { client, lines } = createTestClient(baseUrl, { actApiKey: testActKey, ...options });
  return { client, lines, sent: () => received.map(toSent) };
}

/** What `call` sends to a market that answers `answer`. */
export async function sentBy(
  call: (client: MarketClient) => Promise<unknown>,
  answer: object,
  options: Partial<MarketClientOptions> = {},
): Promise<Sent> {
  const { client, sent } = await startMarket([answer], options);
  await call(client);
  const [only, ...others] = sent();
  if (only === undefined || others.length > 0) throw new Error('expected one request');
  return only;
}

function toSent(received: { method: string; url: string; headers: object; body: string }): Sent {
  const { pathname, searchParams } = new URL(received.url, 'http://market');
  const { authorization } = received.headers as { authorization?: string };
  return {
    method: received.method,
    path: pathname,
    query: Object.fromEntries(searchParams),
    body: received.body === '' ? null : JSON.parse(received.body),
    key: authorization === `Bearer ${testActKey}` ? 'acting' : 'reading',
  };
}
