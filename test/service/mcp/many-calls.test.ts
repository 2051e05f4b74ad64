import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, describe, expect, it } from 'vitest';
import type { Quote, Rented } from '../../../client/client.js';
import { createClient } from '../../../client/client.js';
import { startOfferbook } from '../../support/offerbook-server.ts';
import type { RunningOfferbook } from '../../web/page-fixture.ts';
import { connectOverHttp, crawlNow } from './agent-client.ts';

const keys = Array.from({ length: 10 }, (_, index) => `key-${index}`);
const servers: RunningOfferbook[] = [];
afterAll(async () => {
  for (const server of servers) await server.close();
});

interface End {
  key: string;
  isError: boolean;
  text: string;
  rentalId: string | null;
}

/** Calls `rent` so many times at once, as often with each of ten keys, from ten agents; each key is for a machine. */
async function rentAtOnce(settings: Record<string, string>, calls = 1_000) {
  const server = await startOfferbook({ ...settings, CRAWL_INSTANCES: 'off' });
  servers.push(server);
  await crawlNow(server);
  const api = createClient({ baseUrl: server.url, token: server.token });
  const { items } = await api.listOffers({ numGpus: [1], limit: 1000 });
  const machines = new Map(items.map(({ machineId, offerId }) => [machineId, offerId]));
  const agents = await Promise.all(keys.map(async () => await connectOverHttp(server.url, server.token)));
  const [first] = agents;
  const wanted: (object & { quoteId: string })[] = [];
  for (const offerId of machines.values()) {
    if (wanted.length === keys.length) break;
    const body = { offerId, image: 'ubuntu:24.04', diskGb: 8 };
    const quoted = await first?.call<Quote>('quote', body);
    // Whatever the limits of agents say, which is only found out for each machine.
    if (quoted?.isError === false && quoted.data.problems.length === 0 && quoted.data.quoteId !== null) {
      wanted.push({ ...body, quoteId: quoted.data.quoteId });
    }
  }
  expect(wanted).toHaveLength(keys.length);
  const call = async (index: number): Promise<End> => {
    const place = index % keys.length;
    const key = keys[place] ?? '';
    const given = { name: 'rent', arguments: { ...wanted[place], idempotencyKey: key } };
    const agent = agents[Math.floor((index * agents.length) / calls)];
    const answer = (await agent?.client.callTool(given, undefined, { timeout: 900_000 })) as CallToolResult;
    const [said] = answer.content;
    return {
      key,
      isError: answer.isError === true,
      text: said?.type === 'text' ? said.text : '',
      rentalId: (answer.structuredContent as Rented | undefined)?.rentalId ?? null,
    };
  };
  const ends = await Promise.all(Array.from({ length: calls }, async (_, index) => await call(index)));
  // What was told to try again does so, by itself: no key has more than its own rental.
  const again: End[] = [];
  for (const [place, { quoteId: old, ...body }] of wanted.entries()) {
    // Of an offer that is rented by now there is no other quote.
    const quoted = await first?.call<Quote | undefined>('quote', body);
    wanted[place] = { ...body, quoteId: quoted?.data?.quoteId ?? old };
    const end = await call(place);
    // The old quote was only for what is rented by now; what is not is refused as its quote was.
    again.push(isExpired(end) ? { ...end, text: quoted?.text ?? '' } : end);
  }
  await api.startCrawl({ body: { kind: 'instances' } });
  return { server, ends, again };
}

/** The instances that the market has, as the next list of the account shows them. */
async function countInstances({ sql }: RunningOfferbook, expected: number): Promise<number> {
  const count = async () => {
    const [row] = await sql<{ count: number }[]>`select count(*)::int as count from instance`;
    return row?.count ?? 0;
  };
  await expect.poll(count, { timeout: 60_000 }).toBe(expected);
  return await count();
}

const createsSent = async ({ sql }: RunningOfferbook): Promise<number> => {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from audit_log where action = 'rent' and phase = 'before'`;
  return row?.count ?? 0;
};

/** What a call is answered with that found no connection to the database free. */
const isBusy = ({ text }: End): boolean => text.includes('try again shortly');
/** On a slow machine the market's own time goes on between quote and rent: somebody else has rented the offer. */
const isGone = ({ text }: End): boolean =>
  text.includes('cannot be rented any more') || text.includes('is not on the market now');
/** On a slow machine a call's turn comes after the minute of its quote: it is told to ask for a new one. */
const isExpired = ({ text }: End): boolean => /is (6[1-9]|[7-9]\d|\d{3,}) seconds old/.test(text);
/** Refusals that remain after another call with a new quote. */
const refusalsOf = (ends: readonly End[], again: readonly End[]): End[] =>
  [...ends.filter((end) => !isExpired(end)), ...again].filter((end) => end.isError && !isBusy(end));
const rentalsOf = (ends: readonly End[]) =>
  new Set(ends.filter(({ isError }) => !isError).map(({ key, rentalId }) => `${key} ${rentalId}`));

describe('1,000 rent calls at once with ten keys', () => {
  it('make ten rentals, one a key, and every call is answered', async () => {
    const { server, ends, again } = await rentAtOnce({});
    expect(ends).toHaveLength(1_000);
    const refused = refusalsOf(ends, again);
    expect(refused.filter((end) => !isGone(end)).map(({ text }) => text)).toEqual([]);
    const gone = new Set(refused.map(({ key }) => key)).size;
    const rented = rentalsOf([...ends, ...again]).size;
    expect([rented > 0, rented], `${gone} gone`).toEqual([true, 10 - gone]);
    expect(again.filter((end) => /^Instance \d+/.test(end.text))).toHaveLength(rented);
    const sent = await createsSent(server);
    expect([sent >= rented, sent <= 10], `${sent} sent`).toEqual([true, true]);
    expect(await countInstances(server, rented)).toBe(rented);
  }, 900_000);
});

describe.each([
  ['AGENT_MAX_INSTANCES', 1_000],
  ['AGENT_MAX_RENTS_PER_DAY', 200],
])('with %s=3, %s rent calls at once', (setting, calls) => {
  it('make three rentals, and the others are refused in words', async () => {
    const { server, ends, again } = await rentAtOnce({ [setting]: '3' }, calls);
    expect(ends).toHaveLength(calls);
    const isLimited = ({ text }: End) => text.includes(`${setting} is 3`);
    const refused = refusalsOf(ends, again);
    expect(refused.filter((end) => !isLimited(end) && !isGone(end))).toEqual([]);
    expect(again.filter((end) => isLimited(end) || isGone(end))).toHaveLength(7);
    expect(rentalsOf([...ends, ...again]).size).toBe(3);
    const gone = new Set(refused.filter(isGone).map(({ key }) => key)).size;
    const sent = await createsSent(server);
    expect([sent >= 3, sent <= 3 + gone], `${sent} sent, ${gone} gone`).toEqual([true, true]);
    expect(await countInstances(server, 3)).toBe(3);
  }, 900_000);
});
