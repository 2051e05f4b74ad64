import { describe, expect, it, onTestFinished } from 'vitest';
import { MarketError } from '../../../src/core/errors.ts';
import type { PricingType } from '../../../src/core/offer.ts';
import { clore } from '../../../src/market/clore/clore.ts';
import { type CloreSimulator, createCloreSimulator } from '../../../src/simulator/clore/clore-simulator.ts';
import { openKind, readBook } from '../read-book.ts';

async function start(
  options: Parameters<typeof createCloreSimulator>[0] = {},
): Promise<CloreSimulator & { url: string }> {
  const simulator = createCloreSimulator({
    servers: 120,
    startAt: new Date('2026-09-01T10:00:00Z'),
    ...options,
  });
  onTestFinished(() => simulator.close());
  return { ...simulator, ...(await simulator.listen()) };
}

const open = ({ url }: { url: string }, apiKey: string | null = null) =>
  openKind(clore, { url, apiKey }).market;

/** Dollars a day by the market's own fields, or null where the documentation gives no single dollar price. */
function plainUsdPerDay(server: Record<string, unknown>, type: PricingType): number | null {
  const price = server.price as Record<string, Record<string, number | null>>;
  const dollars = type === 'bid' ? price.spot?.['USD-Blockchain'] : price.on_demand?.['USD-Blockchain'];
  const usdPerDay = dollars ?? (type === 'bid' ? null : price.usd?.on_demand_usd) ?? null;
  if (usdPerDay === null) return null;
  const others = type === 'bid' ? [] : Object.values(price.usd ?? {});
  return others.some((other) => other !== null && Math.abs(other - usdPerDay) > 0.15 * usdPerDay)
    ? null
    : usdPerDay;
}

describe('the doctor of the second marketplace', () => {
  const examine = async (simulator: { url: string }) => {
    const { diagnose } = open(simulator);
    const common = { now: () => new Date(), burst: 0, probeRights: false, hasActKey: false };
    return (await diagnose?.(common)) ?? [];
  };

  it('asks once, counts the servers, and lists the models that no table knows', async () => {
    const simulator = await start();
    const known = await examine(simulator);
    expect(known.map(({ subject, status }) => [subject, status])).toEqual([
      ['offers', 'ok'],
      ['GPU names', 'ok'],
    ]);
    const servers = simulator.serversAt().slice(0, 3);
    const renamed = ['NVIDIA GeForce RTX 9090', 'RTX 6000', 'NVIDIA GeForce RTX 4090'].map((name, place) => ({
      ...servers[place],
      ...{ gpu_array: [name], partial_gpu_rental: null },
      price: { on_demand: { 'USD-Blockchain': 5 }, usd: { on_demand_usd: 5 } },
    }));
    simulator.serve(renamed);
    const [, names] = await examine(simulator);
    expect(names?.measured).toEqual({ names: 3, unknown: ['RTX 6000', 'RTX 9090'] });
    expect(names?.message).toContain('"RTX 6000", "RTX 9090"');
    expect(simulator.requests()).toHaveLength(2);
  });

  it('reports a market that does not answer', async () => {
    const simulator = await start();
    simulator.answerCode(3, 10);
    expect((await examine(simulator)).map(({ subject, status }) => [subject, status])).toEqual([
      ['offers', 'failed'],
    ]);
  });
});

describe('a book of the second marketplace', () => {
  it.each(['on-demand', 'bid'] as const)(
    'takes one request and has every free machine with a price in dollars: %s',
    async (type) => {
      const simulator = await start();
      const { offers, covered, certificate } = await readBook(open(simulator), type);
      const wanted = simulator.serversAt().filter((server) => {
        const { total_gpus = 1, available_gpus = 1 } = (server.partial_gpu_rental ?? {}) as Record<
          string,
          number
        >;
        const names = new Set(
          (server.gpu_array as string[]).map((name) => name.replace(/NVIDIA |GeForce /g, '')),
        );
        const isWhole = names.size === 1 && total_gpus === available_gpus;
        return !server.rented && isWhole && plainUsdPerDay(server, type) !== null;
      });
      const price = (id: number, usdPerHour: number) => `${id} ${usdPerHour.toFixed(9)}`;
      expect(offers.map((offer) => price(offer.offerId, offer.baseUsdPerHour)).sort()).toEqual(
        wanted.map((server) => price(server.id, (plainUsdPerDay(server, type) ?? 0) / 24)).sort(),
      );
      expect(wanted.length).toBeGreaterThan(50);
      expect(covered?.coverage).toEqual({ verdict: 'complete', reason: null, proof: 'proved' });
      expect(simulator.requests().map(({ method, path }) => `${method} ${path}`)).toEqual([
        'GET /v1/marketplace',
      ]);
      expect(certificate).toMatchObject({ pages: 1, accepted: offers.length, rejected: {}, paging: 'whole' });
      expect(Object.keys(certificate.leftOut)).toEqual(expect.arrayContaining(['no price in dollars']));
    },
  );

  it("records contradictory prices in the crawl's certificate", async () => {
    const { certificate } = await readBook(open(await start()), 'on-demand');
    const doubtful = certificate.leftOut['prices that contradict each other'] ?? 0;
    expect(doubtful).toBeGreaterThan(0);
    expect(certificate.doubtfulPrices).toHaveLength(doubtful);
    const [{ amounts } = { amounts: {} }] = certificate.doubtfulPrices;
    expect(Object.keys(amounts)).toEqual(
      expect.arrayContaining(['on_demand.USD-Blockchain', 'usd.on_demand_clore']),
    );
  });

  it('has the rented machines if those are requested, from the same answer', async () => {
    const simulator = await start();
    const { offers } = await readBook(open(simulator), 'on-demand', { rentable: false });
    const rented = new Set(
      simulator
        .serversAt()
        .filter((server) => server.rented)
        .map(({ id }) => id),
    );
    expect(offers.length).toBeGreaterThan(50);
    expect(offers.every(({ offerId }) => rented.has(offerId))).toBe(true);
  });

  it('has the requested models and no others', async () => {
    const { offers } = await readBook(open(await start()), 'on-demand', { gpuNames: ['RTX 4090'] });
    expect(new Set(offers.map(({ gpuName }) => gpuName))).toEqual(new Set(['RTX 4090']));
  });

  it('counts servers that cannot be read, and is partial if there are many', async () => {
    const simulator = await start();
    const servers = simulator.serversAt().filter(({ rented }) => !rented);
    simulator.serve([...servers, { ...servers[0], id: 'x' }, 7]);
    const few = await readBook(open(simulator), 'on-demand');
    expect(few.certificate.rejected).toEqual({
      'id: missing or not a whole number': 1,
      'record: not an object': 1,
    });
    simulator.serve([
      ...servers.slice(0, 20),
      ...servers.slice(0, 20).map((server) => ({ ...server, rented: null })),
    ]);
    const many = await readBook(open(simulator), 'on-demand');
    expect(many.covered?.coverage).toMatchObject({
      verdict: 'partial',
      reason: expect.stringContaining('could not be read'),
    });
  });

  it('has an offer once that is listed twice', async () => {
    const simulator = await start();
    const [server] = simulator
      .serversAt()
      .filter((one) => !one.rented && plainUsdPerDay(one, 'on-demand') !== null);
    simulator.serve([server, server]);
    const { offers, certificate } = await readBook(open(simulator), 'on-demand');
    expect([offers.length, certificate.duplicates]).toEqual([1, 1]);
  });

  it('is partial with the reason that the answer was empty, for a market without servers', async () => {
    const simulator = await start();
    simulator.serve([]);
    const { covered } = await readBook(open(simulator), 'on-demand');
    expect(covered?.coverage).toMatchObject({ verdict: 'partial', reason: 'the answer was empty' });
  });

  it('is retried after codes that ask for it', async () => {
    for (const code of [1, 5]) {
      const simulator = await start();
      simulator.answerCode(code, 2);
      const { covered, certificate } = await readBook(open(simulator), 'on-demand');
      expect(covered?.coverage.verdict).toBe('complete');
      expect(certificate.retries).toBe(2);
      expect(certificate.throttles).toBe(code === 5 ? 2 : 0);
    }
  });

  it.each([
    [2, 'contract', 'invalid'],
    [3, 'auth', 'key'],
    [4, 'contract', 'address'],
    [6, 'contract', 'code 6'],
    [99, 'contract', 'code 99'],
  ])('fails at once with code %i', async (code, kind, words) => {
    const simulator = await start();
    simulator.answerCode(code);
    const { error, offers } = await readBook(open(simulator), 'on-demand');
    expect(error).toBeInstanceOf(MarketError);
    expect(error).toMatchObject({ kind, message: expect.stringContaining(words) });
    expect(offers).toEqual([]);
    expect(simulator.requests()).toHaveLength(1);
  });

  it('fails if the key is refused, and never shows the key', async () => {
    const { error } = await readBook(open(await start({ apiKeys: ['right'] }), 'wr0ng-key'), 'on-demand');
    expect(error).toMatchObject({ kind: 'auth' });
    expect(String(error)).not.toContain('wr0ng-key');
    const right = await readBook(open(await start({ apiKeys: ['right'] }), 'right'), 'on-demand');
    expect(right.error).toBeNull();
  });

  it.each(['429-json', '429-text', '500', '502-html', 'reset-before', 'reset-after', 'truncated-json'])(
    'survives one fault: %s',
    async (fault) => {
      const simulator = await start();
      simulator.setFaults([`${fault}#1`]);
      const { covered, error } = await readBook(open(simulator), 'on-demand', {
        askAgain: (call) => call().catch(call),
      });
      expect(error).toBeNull();
      expect(covered?.coverage.verdict).toBe('complete');
    },
  );

  it('prices storage and traffic as the dialect says', async () => {
    const simulator = await start();
    const text = '{"storageUsdPerGbMonth": 0.1, "inetDownUsdPerGb": 0.02, "inetUpUsdPerGb": 0.03}';
    const settings = { dialect: { text, source: 'd.json' }, searchesPerMinute: 6, maxBodyBytes: 1e7 };
    const quiet = () => {};
    const market = clore.prepare(settings).open({
      ...{ url: simulator.url, apiKey: null, actApiKey: null, budget: 'free' },
      log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
    });
    onTestFinished(() => market.close());
    const { offers } = await readBook(market, 'on-demand');
    expect(offers[0]).toMatchObject({
      storageUsdPerGbMonth: 0.1,
      inetDownUsdPerGb: 0.02,
      inetUpUsdPerGb: 0.03,
    });
  });
});
