import { describe, expect, it } from 'vitest';
import { connect } from '../../src/database/connection.ts';
import { keyOfAttempt } from '../../src/orders/order.ts';
import { pauseOrder } from '../../src/orders/order-changes.ts';
import { listAudit } from '../../src/rentals/audit.sql.ts';
import { listEvents } from '../../src/rentals/events.sql.ts';
import { switchActions } from '../../src/rentals/instances/change-instance.ts';
import { deleteWatch } from '../../src/watches/watches.sql.ts';
import { createTestAccount } from '../rentals/test-account.ts';
import { createTestDatabase } from '../support/test-database.ts';
import { armNew, by, carryOut, look, makeWatch, publicUrl } from './test-orders.ts';

const { sql, target } = await createTestDatabase();

describe('a standing order', () => {
  it('rents the cheapest machines that fit, never more than asked, and is filled once they run', async () => {
    const account = await createTestAccount(sql);
    await account.crawl();
    const order = await armNew(account, { count: 3 });
    expect(await carryOut(account.actor)).toEqual({ orders: 1, attempts: 3 });
    const rented = await look(account, order.id);
    expect([rented.state, rented.waitingFor, rented.machines.length]).toEqual(['armed', 'rentals', 3]);
    const cheapest = account.simulator.instances().map(({ machineId }) => machineId);
    expect(rented.machines.map(({ machineId }) => machineId)).toEqual(cheapest);
    expect(new Set(cheapest).size).toBe(3);
    expect(rented.machines.map(({ rental }) => rental?.state)).toEqual(Array(3).fill('provisioning'));
    await account.pass(120);
    await carryOut(account.actor);
    await carryOut(account.actor);
    expect(await look(account, order.id)).toMatchObject({
      state: 'filled',
      reason: '3 of 3 machines rented',
    });
    expect(account.simulator.instances()).toHaveLength(3);
    const steps = (await listAudit(sql, { afterSeq: 0, limit: 500 }))
      .filter(({ market, action }) => market === account.actor.market.name && action === 'order')
      .map(({ detail }) => (JSON.parse(detail) as { step: string }).step);
    const taken = ['attempt', 'rented'];
    expect(steps).toEqual(['armed', ...taken, ...taken, ...taken, 'waits', 'filled']);
    const events = (await listEvents(sql, 0)).filter(
      ({ kind, marketId }) => kind === 'order' && marketId === order.marketId,
    );
    expect(events.map(({ data }) => data.step)).toEqual(steps);
  });

  it('takes nothing above its price, and the fresh quote is compared again', async () => {
    const account = await createTestAccount(sql);
    await account.crawl();
    const none = await armNew(account, { maxUsdPerGpuHour: 0.0001 });
    await carryOut(account.actor);
    expect(await look(account, none.id)).toMatchObject({ state: 'armed', waitingFor: null, attempts: [] });
    expect(account.simulator.instances()).toEqual([]);
    // After the book the market has raised its prices.
    const some = await armNew(account, {
      choices: [{ watchId: (await makeWatch(account)).id, maxPercentile: undefined, maxUsdPerGpuHour: 0.2 }],
    });
    const findOffer: typeof account.actor.account.findOffer = async (...args) => {
      const offer = await account.actor.account.findOffer(...args);
      return offer === null ? null : { ...offer, baseUsdPerHour: offer.baseUsdPerHour + 100 };
    };
    await carryOut({ ...account.actor, account: { ...account.actor.account, findOffer } });
    const { attempts } = await look(account, some.id);
    expect(attempts.length).toBeGreaterThan(0);
    expect(new Set(attempts.map(({ outcome }) => outcome))).toEqual(new Set(['above-price']));
    expect(account.simulator.instances()).toEqual([]);
    for (const { maxUsdPerHour } of attempts) expect(Number(maxUsdPerHour)).toBeLessThanOrEqual(0.2 * 16);
  });

  it('is carried out by one of two processes at a time, which together rent what was asked', async () => {
    const account = await createTestAccount(sql);
    await account.crawl();
    const order = await armNew(account, { count: 2 });
    const other = connect(target, { max: 4 });
    try {
      const reports = await Promise.all([
        carryOut(account.actor),
        carryOut({ ...account.actor, sql: other }),
        carryOut(account.actor),
      ]);
      expect(reports.filter((report) => report !== null && report.attempts > 0)).toHaveLength(1);
    } finally {
      await other.end({ timeout: 2 });
    }
    expect((await look(account, order.id)).machines).toHaveLength(2);
    expect(account.simulator.instances()).toHaveLength(2);
  });

  it('has a successor find what a process began that died between its row and the create, or after it', async () => {
    const account = await createTestAccount(sql);
    await account.crawl();
    const order = await armNew(account, { count: 1 });
    const die = () => {
      throw new Error('killed');
    };
    // Nothing was sent: the successor begins the same attempt again, with its key.
    const beforeQuote = { ...account.actor.account, findOffer: die };
    await expect(carryOut({ ...account.actor, account: beforeQuote })).rejects.toThrow('killed');
    expect((await look(account, order.id)).attempts).toMatchObject([
      { attempt: 1, outcome: 'open', rental: null },
    ]);
    // The create was sent, and its process knows no answer.
    const createInstance: typeof account.actor.account.createInstance = async (...args) => {
      await account.actor.account.createInstance(...args);
      return await new Promise(() => {});
    };
    const aborted = new AbortController();
    const killed = connect(target, { max: 4 });
    const dying = carryOut({
      ...account.actor,
      sql: killed,
      account: { ...account.actor.account, createInstance },
    });
    dying.catch(() => {});
    await expect.poll(() => account.simulator.instances().length, { timeout: 20_000 }).toBe(1);
    aborted.abort();
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid in (select pid from pg_locks where locktype = 'advisory')`;
    await killed.end({ timeout: 1 });
    await expect.poll(async () => await carryOut(account.actor), { timeout: 20_000 }).not.toBe(null);
    const known = await look(account, order.id);
    expect(known.attempts).toMatchObject([{ attempt: 1, tries: 2, outcome: 'rented' }]);
    await account.pass(180);
    await carryOut(account.actor);
    expect(await look(account, order.id)).toMatchObject({ state: 'filled', machines: [{}] });
    expect(account.simulator.instances()).toHaveLength(1);
    const [row] =
      await sql`select count(*)::int as keys from rental where idempotency_key = ${keyOfAttempt(order.id, 1)}`;
    expect(row?.keys).toBe(1);
  });

  it('counts an unclear create as a machine until it is settled, and rents another if there was none', async () => {
    const account = await createTestAccount(sql, { limits: { settleMinutes: 1 } });
    await account.crawl();
    const order = await armNew(account, { count: 1 });
    account.simulator.setFaults(['lost-create:1', 'reset-before@PUT /api/v0/asks:1']);
    await carryOut(account.actor);
    account.simulator.setFaults([]);
    await carryOut(account.actor);
    const unclear = await look(account, order.id);
    expect([unclear.waitingFor, unclear.machines.length, unclear.attempts.length]).toEqual(['rentals', 1, 1]);
    await account.pass(90);
    await carryOut(account.actor);
    const settled = await look(account, order.id);
    expect(settled.attempts.map(({ outcome }) => outcome).at(-1)).toBe('rented');
    expect(settled.machines).toHaveLength(1);
    expect(account.simulator.instances().filter(({ phase }) => phase !== 'destroyed')).toHaveLength(1);
  });

  it('waits, and says why once, with the kill switch, actions off, old data, a partial book and full guards', async () => {
    const account = await createTestAccount(sql);
    await account.crawl();
    const order = await armNew(account);
    const waits = async () => (await look(account, order.id)).waitingFor;
    await switchActions(account.actor, { enabled: false, by });
    await carryOut(account.actor);
    await carryOut(account.actor);
    expect(await waits()).toBe('actions');
    await switchActions(account.actor, { enabled: true, by });
    await carryOut({ ...account.actor, limits: { ...account.actor.limits, actions: false } });
    expect(await waits()).toBe('actions');
    await carryOut({ ...account.actor, limits: { ...account.actor.limits, maxInstances: 0 } });
    expect(await waits()).toBe('guard');
    expect((await look(account, order.id)).attempts).toMatchObject([
      { attempt: 1, outcome: 'held', rental: null },
    ]);
    account.clock.now = new Date(account.clock.now.getTime() + 4 * 3_600_000);
    await carryOut(account.actor);
    expect(await waits()).toBe('stale-data');
    await account.crawl();
    const at = new Date(account.clock.now.getTime() + 60_000);
    const { observed_at: newest } = (
      await sql`select max(observed_at) as observed_at from book b
      join scope s on s.id = b.scope_id where s.market_id = ${order.marketId}`
    )[0] as { observed_at: Date };
    await sql`update book set verdict = 'partial' where observed_at = ${newest}
      and scope_id in (select id from scope where market_id = ${order.marketId})`;
    await sql`update book set observed_at = ${at} where observed_at = ${newest}`;
    await sql`update book set observed_at = ${newest} where observed_at < ${newest}
      and scope_id in (select id from scope where market_id = ${order.marketId})`;
    await carryOut(account.actor);
    expect(await waits()).toBe('partial-book');
    expect(account.simulator.instances()).toEqual([]);
    const told = (await listAudit(sql, { afterSeq: 0, limit: 1_000 })).filter(
      ({ market, detail }) => market === account.actor.market.name && detail.includes('"step":"waits"'),
    );
    expect(told).toHaveLength(4);
  });

  it('ends when its time is over, its watch is deleted or its request is invalid, and stays still while paused', async () => {
    const account = await createTestAccount(sql);
    await account.crawl();
    const watch = await makeWatch(account);
    const choices = [{ watchId: watch.id, maxUsdPerGpuHour: 100 }];
    const late = await armNew(account, {
      endsAt: new Date(account.clock.now.getTime() + 60_000).toISOString(),
      maxUsdPerGpuHour: 0.0001,
    });
    const lost = await armNew(account, { choices });
    const paused = await armNew(account);
    await pauseOrder({ actor: account.actor, publicUrl, by }, paused.id);
    await deleteWatch(sql, watch.id);
    account.clock.now = new Date(account.clock.now.getTime() + 61_000);
    await carryOut(account.actor);
    expect(await look(account, late.id)).toMatchObject({ state: 'expired' });
    expect(await look(account, lost.id)).toMatchObject({
      state: 'failed',
      reason: `its watch ${watch.id} was deleted`,
    });
    expect(await look(account, paused.id)).toMatchObject({ state: 'paused', attempts: [] });
    const refused = await armNew(account);
    account.simulator.setFaults(['success-false@PUT /api/v0/asks:1']);
    await carryOut(account.actor);
    account.simulator.setFaults([]);
    const ended = await look(account, refused.id);
    expect([ended.state, ended.attempts.map(({ outcome }) => outcome)]).toEqual([
      'failed',
      Array(3).fill('refused'),
    ]);
    expect(ended.reason).toContain('the market refused 3 times');
  });
});
