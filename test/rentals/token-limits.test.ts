import { describe, expect, it } from 'vitest';
import { addOrder, armOrder, tryStored } from '../../src/orders/order-changes.ts';
import { changeBid } from '../../src/rentals/instances/change-bid.ts';
import { changeInstance } from '../../src/rentals/instances/change-instance.ts';
import { quoteRequest } from '../../src/rentals/rent/quote-request.ts';
import { rent } from '../../src/rentals/rent/rent.ts';
import { createSession, createToken, findCredential } from '../../src/service/sign-in/credentials.sql.ts';
import { carryOut, look, orderBody, publicUrl } from '../orders/test-orders.ts';
import { createTestDatabase } from '../support/test-database.ts';
import { createTestAccount, machinesApart } from './test-account.ts';

const { sql } = await createTestDatabase();

describe('a token with limits', () => {
  it('has at most its instances, counting only what it has rented, until one of them is gone', async () => {
    const by = 'few';
    await createToken(sql, { name: by, role: 'operator', maxInstances: 2 });
    const account = await createTestAccount(sql);
    const requests = machinesApart(account, 6);
    const take = async (index: number, who = by) =>
      await rent(account.actor, requests[index] ?? { diskGb: 20 }, { key: `k${index}`, by: who });
    await take(0, 'somebody else');
    await take(1);
    const second = await take(2);
    await expect(take(3)).rejects.toMatchObject({ guard: 'token-max-instances', limit: '2', value: '2' });
    const [, , , , next = { diskGb: 20 }] = requests;
    const quoted = async (who: string | null) =>
      (await quoteRequest(account.actor, next, { by: who })).guards.map(({ guard }) => guard);
    expect([await quoted(by), await quoted('somebody else'), await quoted(null)]).toEqual([
      ['token-max-instances'],
      [],
      [],
    ]);
    await take(4, 'somebody else');
    await account.poll();
    await changeInstance(account.actor, second.rental.instanceId ?? 0, { wanted: 'destroyed', by });
    await account.pass(60);
    expect((await take(5)).rental.state).toBe('provisioning');
  });

  it('rents at most so often in 24 hours, whatever became of it', async () => {
    const by = 'seldom';
    await createToken(sql, { name: by, role: 'operator', maxRentsPerDay: 1 });
    const account = await createTestAccount(sql);
    const requests = machinesApart(account, 3);
    const take = async (index: number) =>
      await rent(account.actor, requests[index] ?? { diskGb: 20 }, { key: `k${index}`, by });
    const { rental } = await take(0);
    await account.poll();
    await changeInstance(account.actor, rental.instanceId ?? 0, { wanted: 'destroyed', by });
    await account.pass(60);
    await expect(take(1)).rejects.toMatchObject({ guard: 'token-max-rents-per-day', limit: '1', value: '1' });
    await sql`update rental set created_at = created_at - interval '24 hours' where id = ${rental.id}`;
    expect((await take(2)).rental.state).toBe('provisioning');
  });

  it('spends at most so much an hour, also by a bid, and by orders that it has made', async () => {
    const by = 'thrifty';
    const account = await createTestAccount(sql);
    const cheap = (place: number) => account.request(place, { type: 'bid', bidUsdPerHour: 0.5 });
    await createToken(sql, { name: by, role: 'operator', maxUsdPerHour: 0.8 });
    const { rental } = await rent(account.actor, cheap(0), { key: 'a', by });
    await expect(rent(account.actor, cheap(1), { key: 'b', by })).rejects.toMatchObject({
      guard: 'token-max-usd-per-hour',
      limit: '0.8',
    });
    await account.poll();
    const id = rental.instanceId ?? 0;
    await changeBid(account.actor, id, 0.6, { by });
    await expect(changeBid(account.actor, id, 0.9, { by })).rejects.toMatchObject({
      guard: 'token-max-usd-per-hour',
    });
    await account.crawl();
    const acting = { actor: account.actor, publicUrl, by };
    const order = await addOrder(acting, await orderBody(account, { count: 20 }));
    await tryStored(acting, order.id, {});
    await armOrder(acting, order.id);
    await carryOut(account.actor);
    const { waitingFor, waitingReason, machines } = await look(account, order.id);
    expect([waitingFor, waitingReason]).toEqual(['guard', expect.stringContaining('may spend $0.80/hour')]);
    expect(machines.length).toBeLessThan(20);
  });

  it('keeps them in sessions of the page, and the newest token of a name decides', async () => {
    const now = new Date();
    const limited = await createToken(sql, { name: 'both', role: 'operator', maxInstances: 1 });
    const sessionOf = async (tokenId: string) =>
      await findCredential(sql, await createSession(sql, { role: 'operator', tokenId }, now), 'session', now);
    expect(await sessionOf(limited.id)).toMatchObject({ name: 'both' });
    const free = await createToken(sql, { name: 'free', role: 'operator' });
    expect(await sessionOf(free.id)).toMatchObject({ name: 'session' });
    const account = await createTestAccount(sql);
    const [first = { diskGb: 20 }, second = { diskGb: 20 }] = machinesApart(account, 2);
    await rent(account.actor, first, { key: 'a', by: 'both' });
    await expect(rent(account.actor, second, { key: 'b', by: 'both' })).rejects.toMatchObject({
      guard: 'token-max-instances',
    });
    await sql`update credential set created_at = created_at - interval '1 hour' where id = ${limited.id}`;
    await createToken(sql, { name: 'both', role: 'operator', maxInstances: 2 });
    expect((await rent(account.actor, second, { key: 'b', by: 'both' })).rental.state).toBe('provisioning');
  });
});
