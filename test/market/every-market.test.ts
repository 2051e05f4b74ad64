import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { MarketError, UserError } from '../../src/core/errors.ts';
import { type Offer, pricingTypes } from '../../src/core/offer.ts';
import { filterNames } from '../../src/core/offer-filter.ts';
import type { MarketKind } from '../../src/market/marketplace.ts';
import type { MarketWorld } from './market-world.ts';
import { openKind, readBook, testKey } from './read-book.ts';
import { testedKinds } from './registry.ts';
import { reply, type Step, startScriptedServer } from './scripted-server.ts';

const worldOf = async ({ kind }: MarketKind): Promise<MarketWorld> =>
  ((await import(`./${kind}/world.ts`)) as { world: MarketWorld }).world;

const keyOf = ({ needsKey }: MarketKind): string | null => (needsKey ? testKey : null);

/** Fields of an offer that are never null. */
const required = ['offerId', 'machineId', 'gpuName', 'numGpus', 'type', 'baseUsdPerHour', 'raw'];

/** Returns the problems of an offer from a market of this kind, one sentence each. */
function offerProblems(offer: Offer, kind: MarketKind): string[] {
  const { offerId, machineId, gpuName, numGpus, type, raw } = offer;
  const rates = Object.entries(offer).filter(([name]) => name.includes('Usd'));
  const problems = [
    ...Object.entries(offer).flatMap(([name, value]) =>
      value === undefined ? [`${name} is undefined`] : [],
    ),
    ...Object.entries(offer).flatMap(([name, value]) =>
      Number.isNaN(value) ? [`${name} is no number`] : [],
    ),
    ...required.flatMap((name) => (offer[name as keyof Offer] === null ? [`${name} is null`] : [])),
    ...rates.flatMap(([name, value]) =>
      value === null || (typeof value === 'number' && Number.isFinite(value) && value >= 0)
        ? []
        : [`${name} is ${value}`],
    ),
    kind.types.includes(type) ? null : `${type} is not among its types`,
    Number.isSafeInteger(offerId) && Number.isSafeInteger(machineId) ? null : 'an id is not a whole number',
    gpuName.trim() === gpuName && gpuName !== '' ? null : `the model is "${gpuName}"`,
    Number.isInteger(numGpus) && numGpus >= 1 ? null : `it has ${numGpus} GPUs`,
    typeof JSON.parse(raw) === 'object' ? null : 'its record is no object',
  ];
  return problems.filter((problem) => problem !== null);
}

/** Answers of a market that is not itself. The key comes back as some do: in the words of the refusal. */
const badAnswers: readonly (readonly [name: string, step: Step])[] = [
  ['an error of the server', reply(500, { error: 'oops' })],
  ['a page of a proxy', reply(200, '<html>It works!</html>', { 'content-type': 'text/html' })],
  ['no JSON', reply(200, '{"offers": [{"id": 1')],
  ['JSON without a list', reply(200, {})],
  ['null', reply(200, 'null')],
  ['nothing', reply(200, '')],
  ['a redirect', reply(302, '', { location: 'http://127.0.0.1:9/' })],
  ['a connection that is cut', (response) => response.destroy()],
  [
    'a body that is cut',
    (response) => response.writeHead(200, { 'content-length': 99 }).write('{"') && response.destroy(),
  ],
  [
    'a refusal that repeats the key',
    (response, request) =>
      reply(403, { error: `no: ${JSON.stringify(request.headers)} ${testKey}` })(response, request),
  ],
];

describe.each(testedKinds.map((kind) => [kind.kind, kind] as const))('the market %s', (name, kind) => {
  it('has a name for settings and a label for people', () => {
    expect(name).toMatch(/^[a-z][a-z0-9]*$/);
    expect(testedKinds.filter((other) => other.kind === name)).toHaveLength(1);
    expect(kind.label).toMatch(/^\S.*\S$/);
    expect(kind.types.length).toBeGreaterThan(0);
    expect(pricingTypes).toEqual(expect.arrayContaining([...kind.types]));
    expect(kind.currencies).toContain('USD');
    expect(['gpuName', ...filterNames]).toEqual(expect.arrayContaining([...kind.filters]));
    if (kind.url !== null) expect(new URL(kind.url).protocol).toBe('https:');
  });

  it('has exactly the capabilities that it declares', async () => {
    const { market } = openKind(kind, await (await worldOf(kind)).start());
    const { account, bills, diagnose } = market;
    const there = Object.entries({ account, bills, diagnose }).filter(([, part]) => part !== null);
    expect(there.map(([part]) => part).sort()).toEqual([...kind.parts].sort());
    expect(kind.prepare(plain).rules !== null).toBe(kind.parts.includes('account'));
  });

  it.each(kind.types)(
    'gives a book of %s with valid prices, unique ids and null for unknown values',
    async (type) => {
      const { market } = openKind(kind, await (await worldOf(kind)).start());
      const { offers, certificate, covered, error } = await readBook(market, type);
      expect(error).toBeNull();
      expect(covered?.coverage).toMatchObject({ verdict: 'complete', reason: null });
      expect(offers.length).toBeGreaterThanOrEqual(20);
      expect(offers.flatMap((offer) => offerProblems(offer, kind))).toEqual([]);
      expect(new Set(offers.map((offer) => offer.type))).toEqual(new Set([type]));
      expect(certificate).toMatchObject({ accepted: offers.length, rejected: {} });
      expect(certificate.pages).toBeGreaterThan(0);
    },
  );

  it('lists rented offers separately from rentable ones, or not at all', async () => {
    const { market } = openKind(kind, await (await worldOf(kind)).start());
    const [type = 'on-demand'] = kind.types;
    const free = await readBook(market, type);
    const rented = await readBook(market, type, { rentable: false });
    const both = free.offers.filter(({ offerId }) =>
      rented.offers.some((other) => other.offerId === offerId),
    );
    expect(both).toEqual([]);
    expect(rented.offers.length > 0).toBe(kind.listsRented);
  });

  it.each(badAnswers)(
    'fails with a MarketError without the key that names its own settings, and no offers, on an answer of %s',
    async (_, step) => {
      const { baseUrl } = await startScriptedServer(step);
      const { market, lines } = openKind(kind, { url: baseUrl, apiKey: testKey });
      for (const type of kind.types) {
        const { offers, error } = await readBook(market, type);
        expect(error).toBeInstanceOf(MarketError);
        expect(offers).toEqual([]);
        const told = `${error} ${JSON.stringify(error)} ${lines.join(' ')}`;
        expect(told).not.toContain('b4d/secret');
        expect(told).not.toMatch(/MARKET_(?!MINE_)(URL|API_KEY|ACT_API_KEY|DIALECT)/);
      }
    },
  );

  it('fails with a MarketError and no offers when it is down', async () => {
    const { market } = openKind(kind, { url: 'http://127.0.0.1:9', apiKey: testKey });
    const { offers, error } = await readBook(market, kind.types[0] ?? 'on-demand');
    expect(error).toBeInstanceOf(MarketError);
    expect(offers).toEqual([]);
  });

  it('is abandoned with the reason of the signal when it does not answer', async () => {
    const { baseUrl, received } = await startScriptedServer(() => {});
    const { market } = openKind(kind, { url: baseUrl, apiKey: keyOf(kind) });
    const stop = new AbortController();
    const reading = readBook(market, kind.types[0] ?? 'on-demand', { signal: stop.signal });
    while (received.length === 0) await delay(5);
    const reason = new Error('enough');
    stop.abort(reason);
    expect((await reading).error).toBe(reason);
  });

  it('refuses a missing key and an unreadable dialect', () => {
    const prepare = (text: string) => () => kind.prepare({ ...plain, dialect: { text, source: 'd.json' } });
    expect(prepare('{"nonsense": 1}')).toThrow(UserError);
    expect(prepare('nonsense')).toThrow(UserError);
    const open = () => openKind(kind, { url: 'http://127.0.0.1:9', apiKey: null });
    if (kind.needsKey) expect(open).toThrow(UserError);
    else expect(open).not.toThrow();
  });
});

const plain = { dialect: null, searchesPerMinute: 6, maxBodyBytes: 1_000_000 };
