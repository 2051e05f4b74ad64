import { describe, expect, it } from 'vitest';
import { ensureMarket } from '../../src/books/markets.sql.ts';
import { nameInstance } from '../../src/rentals/instances/name-instance.ts';
import { rent } from '../../src/rentals/rent/rent.ts';
import { readSpend } from '../../src/spend/read-spend.ts';
import { sumSpend, totalSpend } from '../../src/spend/sums.sql.ts';
import { createTestAccount } from '../rentals/test-account.ts';
import { landBills, makeCharge } from '../support/made-bills.ts';
import { createTestDatabase } from '../support/test-database.ts';

describe('estimates', () => {
  it('cover the time without charges, at the listed rates', async () => {
    const { sql } = await createTestDatabase();
    const { id: marketId } = await ensureMarket(sql, 'estimated', 'live');
    for (const instanceId of [1, 2]) {
      await sql`insert into instance (market_id, instance_id, first_seen_at, last_seen_at, gpu_name, num_gpus, raw)
        values (${marketId}, ${instanceId}, '2026-03-01T00:00:00Z', '2026-03-02T00:00:00Z', 'RTX 4090', 1, '{}')`;
    }
    // The first runs for 10 hours, is stopped for 5 with its disk, and gone; the second's rates are not listed.
    const rates = [
      [1, '2026-03-01T00:00:00Z', true, false, '0.5', '0.01'],
      [1, '2026-03-01T10:00:00Z', false, false, '0.5', '0.01'],
      [1, '2026-03-01T15:00:00Z', false, true, null, null],
      [2, '2026-03-01T00:00:00Z', true, false, null, null],
    ] as const;
    for (const [instance, at, computing, gone, base, storage] of rates) {
      await sql`insert into instance_rate (market_id, instance_id, from_at, computing, gone, base_usd_per_hour,
        storage_usd_per_hour, seen_at)
        values (${marketId}, ${instance}, ${at}, ${computing}, ${gone}, ${base}, ${storage}, ${at})`;
    }
    const scope = (asOf: string) => ({
      ...{ marketId, timeZone: 'UTC', asOf: new Date(asOf) },
      ...{ from: new Date('2026-03-01T00:00:00Z'), to: new Date('2026-04-01T00:00:00Z') },
    });
    const sums = async (asOf: string) =>
      (await sumSpend(sql, scope(asOf), 'service', null)).map(({ key, basis, amountUsd }) => [
        key,
        basis,
        amountUsd,
      ]);
    expect(await sums('2026-03-10T00:00:00Z')).toEqual([
      ['disk', 'estimated', '0.15'],
      ['gpu', 'estimated', '5'],
    ]);
    expect(await sums('2026-03-01T04:00:00Z')).toEqual([
      ['disk', 'estimated', '0.04'],
      ['gpu', 'estimated', '2'],
    ]);
    const charge = { start: '2026-03-01T00:00:00Z', end: '2026-03-01T08:00:00Z', amountUsd: '4.4' };
    await landBills(sql, marketId, 'charge', '2026-03-05T00:00:00Z', [makeCharge(1, charge)]);
    expect(await sums('2026-03-10T00:00:00Z')).toEqual([
      ['disk', 'estimated', '0.07'],
      ['gpu', 'charged', '4.4'],
      ['gpu', 'estimated', '1'],
    ]);
    expect(await totalSpend(sql, scope('2026-03-10T00:00:00Z'))).toEqual([
      { category: 'consumption', basis: 'charged', amountUsd: '4.4', entries: 1 },
      { category: 'consumption', basis: 'estimated', amountUsd: '1.07', entries: 3 },
    ]);
    // Before the charge was seen the estimate stood for it.
    expect(await sums('2026-03-02T00:00:00Z')).toEqual([
      ['disk', 'estimated', '0.15'],
      ['gpu', 'estimated', '5'],
    ]);
  });

  it('of a moment stay the same when a change becomes known later, and when the instance is renamed', async () => {
    const { sql } = await createTestDatabase();
    const account = await createTestAccount(sql);
    const { actor, clock, client } = account;
    const request = account.request(0, { label: 'first', costCenter: 'a' });
    const { rental } = await rent(actor, request, { key: 'one', by: 'tester' });
    await account.pass(120);
    const instanceId = rental.instanceId ?? 0;
    const read = async (asOf: Date) => {
      const scope = { marketId: actor.market.id, timeZone: 'UTC', asOf };
      const range = { from: new Date('2026-03-01T00:00:00Z'), to: new Date('2026-04-01T00:00:00Z') };
      const report = await readSpend(
        sql,
        { ...scope, ...range },
        { groupBy: 'label', stackBy: 'costCenter' },
      );
      return report.items.map(({ key, subkey, amountUsd }) => [key, subkey, amountUsd]);
    };
    // It is stopped during 40 minutes without polls: the next list dates the stop to the middle.
    await client.stopInstance(instanceId);
    const begin = clock.now.getTime();
    const middle = new Date(begin + 25 * 60_000);
    const before = await read(middle);
    expect(before).toEqual([['first', 'a', expect.stringMatching(/^0\.\d+$/)]]);
    const range = { from: new Date('2026-03-01T00:00:00Z'), to: new Date('2026-04-01T00:00:00Z') };
    const scope = { marketId: actor.market.id, timeZone: 'UTC', asOf: middle, ...range };
    const [mine] = await sumSpend(sql, scope, 'rentedBy', 'gpuName');
    expect([mine?.key, mine?.subkey, mine?.amountUsd]).toEqual(['tester', rental.gpuName, before[0]?.[2]]);
    clock.now = new Date(begin + 40 * 60_000);
    await account.poll();
    expect(await read(middle)).toEqual(before);
    const stopped = await read(clock.now);
    expect(Number(stopped[0]?.[2])).toBeLessThan(Number(before[0]?.[2]));

    const then = clock.now;
    clock.now = new Date(then.getTime() + 60_000);
    await nameInstance(actor, instanceId, { label: 'second', costCenter: 'b' }, { by: 'tester' });
    expect((await read(clock.now)).map(([label, center]) => [label, center])).toEqual([['second', 'b']]);
    expect(await read(then)).toEqual(stopped);
    await account.poll();
    expect(await read(then)).toEqual(stopped);
    expect(await read(middle)).toEqual(before);
  });
});
