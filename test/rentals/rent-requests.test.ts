import { describe, expect, it } from 'vitest';
import { ensureMarket } from '../../src/books/markets.sql.ts';
import { defaultProfile } from '../../src/core/metric.ts';
import { putOnBlocklist } from '../../src/prices/rankings/blocklist.sql.ts';
import { changeInstance } from '../../src/rentals/instances/change-instance.ts';
import { quoteRequest } from '../../src/rentals/rent/quote-request.ts';
import { rent } from '../../src/rentals/rent/rent.ts';
import type { RentRequest } from '../../src/rentals/rent/rent-request.ts';
import type { Watch, WatchFields } from '../../src/watches/watch.ts';
import { insertWatch } from '../../src/watches/watches.sql.ts';
import { landOffers, makeOffer } from '../prices/made-offers.ts';
import { createTestDatabase } from '../support/test-database.ts';
import { createTestAccount, type TestAccount } from './test-account.ts';

const { sql } = await createTestDatabase();
const by = 'tester';
const diskGb = 20;

type Row = ReturnType<TestAccount['simulator']['offersAt']>[number];

const pricePerGpu = (row: Row): number =>
  (Number(row.dph_base) + (Number(row.storage_cost) * diskGb) / 720) / Number(row.num_gpus);

/** What can be rented for a container now, the cheapest a GPU first. */
const rentable = ({ simulator }: TestAccount): Row[] =>
  simulator
    .offersAt(undefined, { storageGb: diskGb })
    .filter((row) => row.rentable === true && row.vms_enabled !== true && Number(row.disk_space) >= diskGb)
    .sort((a, b) => pricePerGpu(a) - pricePerGpu(b));

async function makeWatch(
  { actor }: TestAccount,
  fields: Partial<WatchFields>,
  others: readonly number[] = [],
): Promise<Watch> {
  const watch = await insertWatch(
    sql,
    [actor.market.id, ...others],
    {
      ...{ name: 'mine', filters: {}, profile: defaultProfile, rankBy: 'usdPerGpuHour', top: 10 },
      ...{ schedule: { cron: '*/10 * * * *', timeZone: 'UTC' }, channelIds: [], reportSchedule: null },
      ...fields,
    },
    actor.now(),
  );
  if (watch === null) throw new Error('the watch was not stored');
  return watch;
}

describe('the best match of a watch', () => {
  it("is rented even if the watch's scope has no book yet; the next best only on request", async () => {
    const account = await createTestAccount(sql, { simulated: { offersPerType: 400 } });
    const { actor, simulator } = account;
    await account.crawl();
    // Machines of a model, none at an outlier price.
    const groups = Map.groupBy(rentable(account), (row) => `${row.gpu_name} ${row.num_gpus}`).values();
    const alike = [...groups].find((rows) => {
      const prices = rows.map(pricePerGpu);
      const isUsual = (prices[0] ?? 0) > 0.6 * (prices[prices.length >> 1] ?? 0);
      return isUsual && new Set(rows.map(({ machine_id }) => machine_id)).size > 4;
    });
    const best = alike?.[0];
    const gpuName = String(best?.gpu_name);
    // A better one in a market where nothing is rented.
    const elsewhere = await ensureMarket(sql, 'elsewhere', 'recorded');
    const cheap = makeOffer(1, { gpuName, numGpus: Number(best?.num_gpus), baseUsdPerHour: 0.000_001 });
    await landOffers(sql, elsewhere.id, '2026-07-01T00:00:00Z', [cheap]);
    const filters = { gpuName: [gpuName], numGpus: [Number(best?.num_gpus)] };
    const watch = await makeWatch(account, { filters }, [elsewhere.id]);
    const request: RentRequest = { watchId: watch.id, image: 'ubuntu:24.04', diskGb };
    expect(await quoteRequest(actor, request)).toMatchObject({ offerId: best?.id, wouldRent: true });
    const first = (await rent(actor, request, { key: 'best', by })).rental;
    expect(first).toMatchObject({ offerId: best?.id, watchId: watch.id, state: 'provisioning' });
    // The book is as old as before: its best is taken by now.
    await expect(rent(actor, request, { key: 'gone', by })).rejects.toMatchObject({ kind: 'offer-gone' });
    const left = rentable(account).filter(
      (row) => row.gpu_name === best?.gpu_name && row.num_gpus === best?.num_gpus,
    );
    const [second] = left;
    const third = left.find(({ machine_id }) => machine_id !== second?.machine_id);
    const blocked = {
      kind: 'block' as const,
      machineId: Number(second?.machine_id),
      hostId: null,
      note: null,
    };
    await putOnBlocklist(sql, { marketId: actor.market.id, ...blocked, at: actor.now() });
    const next = (await rent(actor, { ...request, nextBest: true }, { key: 'gone', by })).rental;
    expect(next.machineId).not.toBe(second?.machine_id);
    expect(Number(next.usdPerHour) / next.numGpus).toBeCloseTo(pricePerGpu(third ?? {}), 9);
    expect(next).toMatchObject({ gpuName: best?.gpu_name, numGpus: best?.num_gpus, watchId: watch.id });
    expect(simulator.instances()).toHaveLength(2);
  });

  it('is missing if no offer matches, the watch is of other offers, or there is no such watch', async () => {
    const account = await createTestAccount(sql);
    const { actor } = account;
    const other = await createTestAccount(sql);
    const watch = await makeWatch(account, { filters: { minReliability: 1, maxUsdPerHour: 0.000_001 } });
    const request: RentRequest = { watchId: watch.id, image: 'ubuntu:24.04', diskGb };
    const refused = async (asked: RentRequest, of = actor) =>
      await rent(of, asked, { key: 'none', by }).then(
        () => 'rented',
        (error: unknown) => (error as Error).message,
      );
    expect(await refused(request)).toContain('No offer fits');
    await account.crawl();
    expect(await refused(request)).toContain('No offer fits');
    expect(await refused({ ...request, bidUsdPerHour: 1 })).toContain('covers on-demand offers, not bid');
    expect(await refused(request, other.actor)).toMatch(/follows .+, where Offerbook does not rent/);
    const unknown = '0199c0de-0000-7000-8000-000000000000';
    expect(await refused({ ...request, watchId: unknown })).toContain('has no watch');
    expect([account, other].flatMap(({ simulator }) => simulator.instances())).toEqual([]);
  });
});

describe('a request with a template', () => {
  it('is quoted field by field and sent so that the market creates what was quoted', async () => {
    const account = await createTestAccount(sql);
    const { actor, client, simulator } = account;
    const { hashId } = await client.createTemplate({
      ...{ name: 'mine', image: 'pytorch/pytorch', tag: '2.4', onstart: 'echo ready', runtype: 'ssh' },
      env: '-e KEPT=template -e MINE=template -p 8080:80',
    });
    const { image: _, ...plain } = account.request();
    const request: RentRequest = {
      ...plain,
      templateHashId: hashId,
      env: { MINE: 'request', MORE: 'request' },
    };
    const quote = await quoteRequest(actor, request);
    await expect(quoteRequest(actor, { ...request, offerId: 1 })).rejects.toThrow(
      'Offer 1 is not on the market now: somebody has rented it',
    );
    expect(quote.sources).toEqual({
      ...{ image: 'template', diskGb: 'request', onstart: 'template', args: 'neither', runtype: 'template' },
      ...{ env: 'both', extraFilters: 'neither', volume: 'neither', template: 'template' },
    });
    expect(quote.instance).toMatchObject({
      ...{ image: 'pytorch/pytorch:2.4', runtype: 'ssh', onstartCharacters: 10, diskGb },
      env: expect.arrayContaining(['KEPT', 'MINE', 'MORE', '-p 8080:80']),
    });
    const own = await quoteRequest(actor, { ...request, image: 'ubuntu:24.04', env: {}, onstart: 'true' });
    expect(own.sources).toMatchObject({ image: 'request', env: 'template', onstart: 'request' });
    await rent(actor, request, { key: 'template', by });
    expect(simulator.instances()).toMatchObject([
      {
        ...{ image: 'pytorch/pytorch:2.4', runtype: 'ssh', onstart: 'echo ready' },
        env: { KEPT: 'template', MINE: 'request', MORE: 'request' },
      },
    ]);
    // Every edit makes another hash: the one of before finds nothing, and nothing is sent.
    await client.editTemplate(hashId, { tag: '2.5' });
    await expect(
      rent(actor, { ...request, offerId: account.request().offerId }, { key: 'edited', by }),
    ).rejects.toThrow(/changes with every edit.*templates search/);
    expect(simulator.instances()).toHaveLength(1);
  });
});

describe('a request with an existing volume', () => {
  it('costs nothing more, and the instance has it', async () => {
    const account = await createTestAccount(sql);
    const { actor, client, simulator } = account;
    const offer = rentable(account).find((row) => Number(row.avail_vol_size) >= 50);
    const request: RentRequest = { ...account.request(), offerId: Number(offer?.id) };
    await client.createVolume({ volumeOfferId: Number(offer?.avail_vol_ask_id), sizeGb: 10 });
    const listed = async () => (await client.extensions.volumes?.listVolumes())?.volumes ?? [];
    const [made] = await listed();
    const volume = { kind: 'existing' as const, volumeId: made?.volumeId ?? 0, mountPath: '/data' };
    const [without, quote] = [
      await quoteRequest(actor, request),
      await quoteRequest(actor, { ...request, volume }),
    ];
    expect(quote).toMatchObject({ usdPerHour: without.usdPerHour, sources: { volume: 'request' } });
    const { rental } = await rent(actor, { ...request, volume }, { key: 'volume', by });
    expect(simulator.instances()).toMatchObject([{ volumeId: made?.volumeId }]);
    expect((await listed()).map(({ instanceIds }) => instanceIds)).toEqual([[rental.instanceId]]);
    await changeInstance(actor, rental.instanceId ?? 0, { wanted: 'destroyed', by });
    expect((await listed()).map(({ volumeId }) => volumeId)).toEqual([made?.volumeId]);
  });
});
