import { describe, expect, it } from 'vitest';
import { putOnBlocklist } from '../../src/prices/rankings/blocklist.sql.ts';
import { quoteRequest } from '../../src/rentals/rent/quote-request.ts';
import { rent } from '../../src/rentals/rent/rent.ts';
import type { RentRequest } from '../../src/rentals/rent/rent-request.ts';
import { createTestDatabase } from '../support/test-database.ts';
import { createTestAccount, type TestAccount } from './test-account.ts';

const { sql } = await createTestDatabase();

type Row = ReturnType<TestAccount['simulator']['offersAt']>[number];

const baseAGpu = (row: Row): number => Number(row.dph_base) / Number(row.num_gpus);
const kindsOf = ({ warnings }: Record<string, unknown>) =>
  (warnings as { kind: string }[]).map(({ kind }) => kind);

/** Containers of the model that is offered most, the dearest a GPU first. */
function alike({ simulator }: TestAccount): Row[] {
  const rows = simulator.offersAt(undefined, { storageGb: 20 }).filter((row) => row.rentable === true);
  const models = [...Map.groupBy(rows, (row) => row.gpu_name).values()];
  const [most = []] = models.sort((a, b) => b.length - a.length);
  return most
    .filter((row) => row.vms_enabled !== true && Number(row.disk_space) >= 50)
    .sort((a, b) => baseAGpu(b) - baseAGpu(a));
}

describe('a quote', () => {
  it('requests the offer with the wanted disk, and prices disk, traffic and hours of the profile exactly', async () => {
    const account = await createTestAccount(sql);
    const { actor, client } = account;
    const asked: object[] = [];
    const searchOffers: typeof client.searchOffers = async (query, options) => {
      asked.push(query);
      return await client.searchOffers(query, options);
    };
    const [row] = alike(account);
    const profile = { downGb: 100, upGb: 30, runningHours: 10, stoppedHours: 5 };
    const request: RentRequest = { offerId: Number(row?.id), image: 'ubuntu', diskGb: 50, profile };
    const quote = await quoteRequest({ ...actor, account: account.accountOf({ searchOffers }) }, request);
    expect(asked).toEqual([expect.objectContaining({ allocatedStorageGb: 50, offerId: row?.id })]);
    const disk = (Number(row?.storage_cost) * 50) / 720;
    const traffic = 100 * Number(row?.inet_down_cost) + 30 * Number(row?.inet_up_cost);
    expect(traffic).toBeGreaterThan(0);
    const allIn = Number(row?.dph_base) * 10 + disk * 15 + traffic;
    const figures = {
      ...{ usdPerHour: Number(row?.dph_base) + disk, baseUsdPerHour: Number(row?.dph_base) },
      ...{
        storageUsdPerHour: disk,
        stoppedUsdPerDay: 24 * disk,
        allInUsd: allIn,
        allInUsdPerHour: allIn / 10,
      },
    };
    for (const [name, value] of Object.entries(figures)) {
      expect(Number(quote[name]), name).toBeCloseTo(value, 9);
    }
    expect(quote).toMatchObject({
      ...{ volumeUsdPerHour: '0', bidUsdPerHour: null, minBidUsdPerHour: row?.min_bid, problems: [] },
      endsAt: new Date(Number(row?.end_date) * 1_000).toISOString(),
    });
  });

  it("of a bid contains the bid to place and the market's minimum", async () => {
    const account = await createTestAccount(sql);
    const rows = account.simulator.offersAt(undefined, { type: 'bid', storageGb: 20 });
    const request = account.request(3, { type: 'bid' });
    const minimum = Number(rows.find(({ id }) => id === request.offerId)?.min_bid);
    const bidding = async (bidUsdPerHour: number) =>
      await quoteRequest(account.actor, { ...request, bidUsdPerHour });
    const fair = await bidding(minimum * 2);
    expect(fair).toMatchObject({ bidUsdPerHour: String(minimum * 2), minBidUsdPerHour: minimum });
    expect([fair.wouldRent, fair.problems]).toEqual([true, []]);
    expect(await bidding(minimum / 2)).toMatchObject({
      ...{ wouldRent: false, refusal: { kind: 'invalid-request' } },
      problems: [expect.stringContaining(`minimum for this offer is ${minimum}`)],
    });
  });

  it('contains the verdict of the newest complete book, and warns of its dearest tenth and of blocked hosts', async () => {
    const account = await createTestAccount(sql, { simulated: { offersPerType: 400 } });
    const { actor } = account;
    const rows = alike(account);
    const [dearest, cheapest] = [rows[0], rows.at(-1)];
    const requestFor = (row: Row | undefined): RentRequest => ({
      ...{ offerId: Number(row?.id), image: 'ubuntu', diskGb: 20 },
    });
    const before = await quoteRequest(actor, requestFor(dearest));
    expect([before.verdict, kindsOf(before)]).toEqual([null, expect.not.arrayContaining(['dear'])]);
    await account.crawl();
    const after = await quoteRequest(actor, requestFor(dearest));
    expect(after.verdict).toMatchObject({
      segment: { gpuName: dearest?.gpu_name, type: 'on-demand' },
      windows: [7, 30, 90].map((days) => ({ days, status: 'insufficient' })),
      comparableNow: { percentile: expect.any(Number) },
    });
    expect(kindsOf(after)).toContain('dear');
    const cheap = await quoteRequest(actor, requestFor(cheapest));
    expect([kindsOf(cheap).includes('dear'), cheap.guards]).toEqual([false, []]);
    const entry = { marketId: actor.market.id, kind: 'block' as const, note: null, at: actor.now() };
    for (const place of [
      { machineId: Number(cheapest?.machine_id), hostId: null },
      { machineId: null, hostId: Number(dearest?.host_id) },
    ]) {
      await putOnBlocklist(sql, { ...entry, ...place });
    }
    for (const row of [cheapest, dearest]) {
      const blocked = await quoteRequest(actor, requestFor(row));
      expect(kindsOf(blocked)).toContain('blocked');
      expect(blocked).toMatchObject({ wouldRent: false, guards: [{ guard: 'block-list' }] });
    }
  });

  it('lists every refusal of the guards and of the cap, and sends nothing', async () => {
    const account = await createTestAccount(sql, {
      limits: { maxUsdPerHour: 0.000_1, maxTotalUsdPerHour: 0.000_2, maxInstances: 0 },
    });
    const { actor, simulator } = account;
    const quote = await quoteRequest(actor, account.request(0, { maxUsdPerHour: 0.000_3 }));
    expect(quote.guards).toMatchObject([
      { guard: 'max-usd-per-hour', limit: '0.0001', value: quote.usdPerHour },
      { guard: 'max-instances', limit: '0', value: '0' },
      { guard: 'max-total-usd-per-hour', limit: '0.0002', value: quote.usdPerHour },
    ]);
    expect(quote).toMatchObject({ wouldRent: false, refusal: { kind: 'price-above-cap' } });
    expect(simulator.instances()).toEqual([]);
    expect(simulator.requests().filter(({ method }) => method === 'PUT')).toEqual([]);
    // The rental stores the quoted values.
    const free = { ...actor, limits: { ...actor.limits, maxUsdPerHour: null, maxTotalUsdPerHour: null } };
    free.limits.maxInstances = null;
    const request = account.request(0, { maxUsdPerHour: 99 });
    const { at: _, ...expected } = await quoteRequest(free, request);
    const { rental } = await rent(free, request, { key: 'kept', by: 'tester' });
    expect(rental.maxUsdPerHour).toBe('99');
    const { sources, guards, refusal, wouldRent, ...kept } = expected;
    expect([Object.keys(sources).length > 0, guards, refusal, wouldRent]).toEqual([true, [], null, true]);
    expect(rental.quote).toMatchObject(JSON.parse(JSON.stringify(kept)) as object);
  });
});
