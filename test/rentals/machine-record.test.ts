import { uuidv7 } from 'uuidv7';
import { expect, it } from 'vitest';
import type { MachineRecordAnswer } from '../../src/rentals/record/machine-record.routes.ts';
import { insertRental, moveRental, type StateChange } from '../../src/rentals/rent/rentals.sql.ts';
import { landOffers, makeOffer } from '../prices/made-offers.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';

const at = (hour: number): string => new Date(Date.UTC(2026, 6, 20, hour)).toISOString();
/** Machine 50 is of host 7 as machine 60 is; machine 90 is another host's. */
const own = (numGpus = 1) => makeOffer(numGpus, { machineId: 50, numGpus });
const sister = () => makeOffer(60, { machineId: 60 });
const other = () => makeOffer(90, { machineId: 90, hostId: 8 });

const noRentals = { made: 0, ran: 0, notRented: 0, neverRan: 0, wentDown: 0 };

/** Rents on a machine, and takes the rental through states. */
async function rented({ sql, market }: TestApp, machineId: number, states: StateChange[]): Promise<void> {
  const rental = {
    ...{ id: uuidv7(), marketId: market.id, idempotencyKey: uuidv7(), bodyHash: '', rentedBy: 'alice' },
    ...{ label: null, costCenter: null, watchId: null, offerId: 1, machineId, hostId: 7, numGpus: 1 },
    ...{ gpuName: 'RTX 4090', type: 'bid' as const, diskGb: 16, usdPerHour: '0.4', baseUsdPerHour: '0.4' },
    ...{ storageUsdPerGbMonth: null, volumeUsdPerHour: null, bidUsdPerHour: '0.4', maxUsdPerHour: null },
    ...{ quote: {}, request: {}, sealedRequest: null, baseline: [], onFailure: 'notify' as const },
    ...{ replacementsLeft: 0, replacesId: null, provisionMinutes: 20 },
    ...{ createdAt: new Date(at(0)), sentAt: new Date(at(0)) },
  };
  await insertRental(sql, rental);
  for (const change of states) {
    await sql.begin(async (tx) => {
      const from = ['creating', 'provisioning', 'running', 'down'] as const;
      expect(await moveRental(tx, rental, from, change)).toBe(true);
    });
  }
}

const record = async (test: TestApp, machineId: number, query = '') =>
  await test.json<MachineRecordAnswer>(`/api/machines/${machineId}/record${query}`);

it('a machine and its host have the stays that were seen whole, with their median once there are enough', async () => {
  const test = await createTestApp();
  // Both machines begin with the first book. Then machine 50 comes for 2, 4, 6, 8 and 10 hours, each time after 2 without it.
  let hour = 0;
  const land = async (offers: ReturnType<typeof makeOffer>[]) => {
    await landOffers(test.sql, test.market.id, at(hour), offers);
    hour += 1;
  };
  await land([own(), sister(), other()]);
  for (const stay of [2, 4, 6, 8, 10]) {
    await land([sister(), other()]);
    await land([sister(), other()]);
    expect((await record(test, 50)).machine.medianListedHours).toBeNull();
    for (let left = stay; left > 0; left -= 1) await land([own(), sister(), other()]);
  }
  await land([sister(), other()]);
  await land([sister(), other()]);
  const { since, hostId, neededStays, machine, host } = await record(test, 50);
  expect({ since, hostId, neededStays }).toEqual({ since: at(0), hostId: 7, neededStays: 5 });
  const stays = { stays: 5, medianListedHours: 6, rentals: noRentals, otherInstances: 0 };
  expect(machine).toEqual({ ...stays, machines: 1, listings: 1, readListings: 1, listedNow: 0 });
  expect(host).toEqual({ ...stays, machines: 2, listings: 2, readListings: 2, listedNow: 1 });
  // A stay that goes on, since the first book, is no whole one.
  expect((await record(test, 90)).machine).toMatchObject({ stays: 0, medianListedHours: null, listedNow: 1 });
  // Of the other type nothing was ever listed, and of a machine that never was nothing is known.
  const none = { machines: 0, listings: 0, stays: 0, medianListedHours: null };
  expect(await record(test, 50, '?type=bid')).toMatchObject({ since: null, hostId: 7, machine: none });
  expect(await record(test, 51)).toMatchObject({ hostId: null, host: null, machine: none });
  await test.problem('/api/machines/x/record', 404);
});

it('own rentals are counted on the machine and on its host, failed ones by how they failed', async () => {
  const test = await createTestApp();
  await landOffers(test.sql, test.market.id, at(0), [own(), sister(), makeOffer(70, { hostId: null })]);
  const moment = new Date(at(1));
  await rented(test, 50, [{ state: 'failed', at: moment, endedAt: moment }]);
  await rented(test, 50, [
    { state: 'provisioning', at: moment, instanceId: 1 },
    { state: 'start-failed', at: moment, failedStartAt: moment },
  ]);
  await rented(test, 60, [
    { state: 'running', at: moment, instanceId: 2, firstRunningAt: moment },
    { state: 'down', at: moment },
    { state: 'running', at: moment },
  ]);
  await rented(test, 60, [{ state: 'running', at: moment, instanceId: 3, firstRunningAt: moment }]);
  const { machine, host } = await record(test, 50);
  expect(machine.rentals).toEqual({ made: 2, ran: 0, notRented: 1, neverRan: 1, wentDown: 0 });
  expect(host?.rentals).toEqual({ made: 4, ran: 2, notRented: 1, neverRan: 1, wentDown: 1 });
  // Instances 2 and 3 are those of rentals; 4 and 5 were rented elsewhere, and 4 has ended.
  expect([machine.otherInstances, host?.otherInstances]).toEqual([0, 0]);
  for (const [instanceId, machineId] of [
    [2, 60],
    [4, 50],
    [5, 60],
  ])
    await test.sql`
      insert into instance (market_id, instance_id, first_seen_at, last_seen_at, gone_at, machine_id, host_id, raw)
      values (${test.market.id}, ${instanceId ?? 0}, ${moment}, ${moment}, ${instanceId === 4 ? moment : null},
        ${machineId ?? 0}, 7, '{}')`;
  const later = await record(test, 50);
  expect([later.machine.otherInstances, later.host?.otherInstances]).toEqual([1, 2]);
  // Nothing is said of a host that the market does not name.
  expect(await record(test, 700)).toMatchObject({
    hostId: null,
    host: null,
    machine: { rentals: noRentals },
  });
});
