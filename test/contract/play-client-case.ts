import { MarketError } from '../../src/core/errors.ts';
import type { Log } from '../../src/core/log.ts';
import { createMarketClient } from '../../src/market/vast/client.ts';
import { defaultDialect } from '../../src/market/vast/dialect.ts';
import { makeCall } from './client-calls.ts';
import { checkExpectation } from './expectation.ts';
import { fillTemplate, messageBytes, type Variables } from './fill-bytes.ts';
import type { Verdict } from './play-server-case.ts';
import { type RawReply, type RawRequest, startRawServer } from './raw-server.ts';
import type { WireBlock, WireCase } from './wire-file.ts';

const readKey = 'read-key-0123456789';
const actKey = 'act-key-0123456789';

/** Plays one case of `wire/client`: bytes to the market client, and its result. Never rejects. */
export async function playClientCase({ header, blocks }: WireCase): Promise<Verdict> {
  const variables: Variables = new Map([
    ['key', readKey],
    ['actKey', actKey],
    ['x', 'x'],
  ]);
  const filled = blocks.map((block) => ({ ...block, text: fillTemplate(block.text, variables) }));
  const server = await startRawServer(filled.filter(({ name }) => name === 'answer').map(replyOf));
  const lines: string[] = [];
  const write = (fields: object, message: string): void => {
    lines.push(`${JSON.stringify(fields)} ${message}`);
  };
  const log: Log = { debug: write, info: write, warn: write, error: write };
  const client = createMarketClient({
    ...{ baseUrl: server.url, apiKey: readKey, actApiKey: actKey, dialect: defaultDialect, log },
    maxBodyBytes: 1_000_000,
    random: () => 0.5,
    sleep: async () => undefined,
    timeouts: { headersMs: 2_000, idleMs: 2_000, totalMs: 4_000 },
  });
  try {
    const outcome = await outcomeOf(makeCall(client, fillTemplate(header.call ?? '', variables)));
    const text = `${JSON.stringify(outcome)} ${lines.join('\n')}`;
    const leaks = [readKey, actKey].filter((key) => text.includes(key)).length;
    if (leaks > 0) return failed(`a key is in the outcome or the log: ${text.slice(0, 300)}`);
    const json = { ...outcome, text, requests: server.received.length };
    const problem = checkSent(filled, server.received) ?? checkOutcome(filled, json);
    return problem === null ? { kind: 'passed' } : failed(problem);
  } catch (error) {
    return failed((error as Error).message);
  } finally {
    await client.close();
    await server.close();
  }
}

function replyOf({ argument, text }: WireBlock): RawReply {
  return argument === 'hang' || argument === 'reset' ? argument : messageBytes(text);
}

/** Results and errors as JSON shows them: dates become texts, undefined and void nothing. */
async function outcomeOf(call: Promise<unknown>): Promise<{ result?: unknown; error?: unknown }> {
  try {
    const result = await call;
    return result === undefined ? {} : { result: JSON.parse(JSON.stringify(result)) as unknown };
  } catch (thrown) {
    const { name, message } = thrown as Error;
    if (!(thrown instanceof MarketError)) return { error: { name, message } };
    const { kind, outcome, httpStatus, code } = thrown;
    return { error: { name, message, kind, outcome, httpStatus, code } };
  }
}

/** The n-th block `sent` against the n-th request; a trailing slash makes no difference. Source: docs/marketplace.md#4-endpoints. */
function checkSent(blocks: readonly WireBlock[], received: readonly RawRequest[]): string | null {
  for (const [index, { text }] of blocks.filter(({ name }) => name === 'sent').entries()) {
    const request = received[index];
    if (request === undefined) return `request ${index + 1} was never sent`;
    const url = new URL(request.target, 'http://market');
    const [wanted = '', ...lines] = text.split('\n');
    const was = `${request.method} ${url.pathname.replace(/\/$/, '')}`;
    if (was !== wanted) return `sent ${was} in place of ${wanted}`;
    const query = Object.fromEntries([...url.searchParams].map(([name, value]) => [name, jsonOr(value)]));
    const json = { headers: request.headers, query, body: jsonOr(request.body) };
    const problem = firstProblem(lines, json);
    if (problem !== null) return `sent ${was}: expected ${problem}`;
  }
  return null;
}

function checkOutcome(blocks: readonly WireBlock[], json: object): string | null {
  const lines = blocks.filter(({ name }) => name === 'expect').flatMap(({ text }) => text.split('\n'));
  const problem = firstProblem(lines, json);
  return problem === null ? null : `expected ${problem}. ${JSON.stringify(json).slice(0, 300)}`;
}

function firstProblem(lines: readonly string[], json: unknown): string | null {
  for (const line of lines.filter((text) => text.trim() !== '')) {
    const problem = checkExpectation(line.trim(), { status: 0, headers: {}, body: '', json });
    if (problem !== null) return problem;
  }
  return null;
}

const failed = (reason: string): Verdict => ({ kind: 'failed', reason });

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
