import { describe, expect, it } from 'vitest';
import type { FigureExplanationAnswer } from '../../src/prices/explain/explanation-schema.ts';
import { budgetGuard } from '../../src/rentals/rent/guards.ts';
import { findBlockingBudget } from '../../src/spend/budgets/budget-states.ts';
import type { BudgetAnswer, BudgetsAnswer } from '../../src/spend/budgets/budgets.routes.ts';
import type { SpendProjectionAnswer } from '../../src/spend/budgets/projection.routes.ts';
import { landBills, makeCharge } from '../support/made-bills.ts';
import { createTestApp } from '../support/test-app.ts';
import { addInstance } from './made-instances.ts';

const raise = (): never => {
  throw new Error('nothing was found');
};

describe('/api/budgets', () => {
  it('returns spend, burn rate, projection, reached alerts and blocked rentals', async () => {
    const app = await createTestApp({ timeZone: 'Europe/Berlin' }, 'live');
    const { sql, market } = app;
    app.clock.now = new Date('2026-03-21T23:00:00Z');
    const time = { start: '2026-03-05T00:00:00Z', end: '2026-03-06T00:00:00Z' };
    await landBills(sql, market.id, 'charge', '2026-03-21T22:00:00Z', [
      makeCharge(1, { ...time, amountUsd: '60', label: 'training' }),
      makeCharge(2, { ...time, amountUsd: '30' }),
      makeCharge(3, { start: '2026-02-28T00:00:00Z', end: '2026-02-28T12:00:00Z', amountUsd: '500' }),
    ]);
    // Runs from now on: nothing is estimated yet. The other is stopped, with its disk.
    await addInstance(app, 8, [['2026-03-21T23:00:00Z', true, '0.5', '0.01']], 'training');
    await addInstance(app, 9, [['2026-03-21T23:00:00Z', false, '2', '0.02']]);
    await sql`update instance set intended_status = 'stopped' where instance_id = 9`;
    const send = async (
      method: string,
      path: string,
      body?: object,
      role: 'viewer' | 'operator' = 'operator',
    ) =>
      await app.app.request(`/api/budgets${path}`, {
        method,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        headers: { authorization: `Bearer ${app.tokens[role]}`, 'content-type': 'application/json' },
      });
    expect((await send('POST', '', { monthlyUsd: '100' }, 'viewer')).status).toBe(403);
    expect((await send('POST', '', { monthlyUsd: '0' })).status).toBe(400);
    expect((await send('POST', '', { monthlyUsd: '100', blockRentals: true })).status).toBe(201);
    expect((await send('POST', '', { monthlyUsd: '100' })).status).toBe(409);
    const made = (await (
      await send('POST', '', { monthlyUsd: '60', label: 'training', alertAt: [1, 0.9], blockRentals: true })
    ).json()) as BudgetAnswer;
    const { items } = await app.json<BudgetsAnswer>('/api/budgets');
    // March in Berlin ends at 22:00 UTC of the 31st, 239 hours from now.
    expect(items).toEqual([
      {
        ...{
          id: expect.any(String),
          market: 'test-market',
          label: null,
          monthlyUsd: '100',
          alertAt: [0.5, 0.8, 1],
        },
        ...{ blockRentals: true, timeZone: 'Europe/Berlin' },
        state: {
          ...{
            month: '2026-03',
            from: '2026-02-28T23:00:00.000Z',
            to: '2026-03-31T22:00:00.000Z',
            spentUsd: '90',
          },
          ...{ share: 0.9, leftUsd: '10', burnUsdPerHour: '0.53', unpriced: 0, knownEndsUsd: '0' },
          projectedUsd: '216.67',
          ...{
            projectionMethod: expect.stringContaining('burn rate now'),
            reached: [0.5, 0.8],
            usedUp: false,
          },
        },
      },
      {
        ...made,
        alertAt: [0.9, 1],
        state: expect.objectContaining({
          spentUsd: '60',
          share: 1,
          burnUsdPerHour: '0.51',
          reached: [0.9, 1],
          usedUp: true,
        }),
      },
    ]);
    for (const [{ id, state }, entries] of [
      [items[0], 2],
      [items[1], 1],
    ] as const as [BudgetAnswer, number][]) {
      const answer = await app.json<FigureExplanationAnswer>(`/api/explain?of=budget&budgetId=${id}`);
      const { spentUsd, share, projectedUsd } = state;
      expect(answer.value).toEqual({ spentUsd, share, projectedUsd });
      expect([answer.recomputed, answer.agrees]).toEqual([expect.objectContaining(answer.value), true]);
      expect(answer.taken).toBe(entries);
    }
    // Of everything, in the service's zone; a zone of the request has its own month.
    const projection = await app.json<SpendProjectionAnswer>('/api/spend/projection');
    const { month, from, to, spentUsd, burnUsdPerHour, unpriced, projectedUsd, projectionMethod } =
      items[0]?.state ?? raise();
    expect(projection).toEqual({
      ...{ market: 'test-market', timeZone: 'Europe/Berlin', asOf: '2026-03-21T23:00:00.000Z', month },
      ...{ from, to, spentUsd, burnUsdPerHour, unpriced, knownEndsUsd: '0', projectedUsd, projectionMethod },
      readUntil: { invoices: null, charges: '2026-03-21T22:00:00.000Z' },
    });
    const inUtc = await app.json<SpendProjectionAnswer>('/api/spend/projection?timeZone=UTC');
    expect([inUtc.from, inUtc.projectedUsd]).toEqual(['2026-03-01T00:00:00.000Z', '217.73']);
    const explained = await app.json<FigureExplanationAnswer>(
      `/api/explain?of=projection&timeZone=UTC&asOf=${inUtc.asOf}`,
    );
    expect(explained).toMatchObject({
      ...{ agrees: true, taken: 2, value: { spentUsd: '90', projectedUsd: '217.73' } },
      recomputed: { burnUsdPerHour: '0.53', hoursLeft: 241 },
    });
    expect((await app.get('/api/explain?of=projection&budgetId=1')).status).toBe(400);
    expect((await app.get('/api/explain?of=budget')).status).toBe(400);
    expect((await app.get('/api/explain?of=budget&budgetId=none')).status).toBe(404);
    const { now } = app.clock;
    expect((await findBlockingBudget(sql, market.id, 'training', now))?.label).toBe('training');
    expect(await findBlockingBudget(sql, market.id, 'other', now)).toBeNull();
    const asked = { db: sql, actor: { market, now: () => now, findBlockingBudget } } as unknown as Parameters<
      typeof budgetGuard
    >[0];
    expect(await budgetGuard({ ...asked, request: { label: 'training' } as never })).toMatchObject({
      ...{ guard: 'budget', limit: '60', value: '60' },
    });
    expect(await budgetGuard({ ...asked, request: {} as never })).toBeNull();
    const change = { blockRentals: false, monthlyUsd: '61', alertAt: [2, 0.5, 2, 1] };
    const changed = await send('PATCH', `/${made.id}`, change);
    expect([changed.status, ((await changed.json()) as BudgetAnswer).alertAt]).toEqual([200, [0.5, 1, 2]]);
    expect(await findBlockingBudget(sql, market.id, 'training', now)).toBeNull();
    expect((await send('DELETE', `/${made.id}`)).status).toBe(204);
    expect((await send('DELETE', `/${made.id}`)).status).toBe(404);
    expect((await app.json<BudgetsAnswer>('/api/budgets')).items).toHaveLength(1);
  });

  it('counts unknown prices separately, and returns nothing if nothing is known', async () => {
    const app = await createTestApp({}, 'live');
    app.clock.now = new Date('2026-03-31T14:00:00Z');
    const burn = async () => {
      const { items } = await app.json<BudgetsAnswer>('/api/budgets');
      return items.map(({ label, state: { burnUsdPerHour, unpriced, projectedUsd } }) => [
        ...[label, burnUsdPerHour, unpriced, projectedUsd],
      ]);
    };
    for (const label of [null, 'training']) {
      await app.app.request('/api/budgets', {
        method: 'POST',
        body: JSON.stringify({ monthlyUsd: '100', label }),
        headers: { authorization: `Bearer ${app.tokens.operator}`, 'content-type': 'application/json' },
      });
    }
    expect(await burn()).toEqual([
      [null, '0', 0, '0'],
      ['training', '0', 0, '0'],
    ]);
    await addInstance(app, 1, [['2026-03-31T14:00:00Z', true, null, null]], 'training');
    expect(await burn()).toEqual([
      [null, null, 1, null],
      ['training', null, 1, null],
    ]);
    // The second's GPUs are priced and its disk is not; the third costs 1 an hour.
    await addInstance(app, 2, [['2026-03-31T14:00:00Z', true, '0.5', null]], 'training');
    await addInstance(app, 3, [['2026-03-31T14:00:00Z', true, '0.9', '0.1']]);
    expect(await burn()).toEqual([
      [null, '1.5', 2, '15'],
      ['training', '0.5', 2, '5'],
    ]);
    // As the ledger counts them: one that boots, and a rental whose instance no list has yet.
    await addInstance(app, 4, [['2026-03-31T14:00:00Z', false, '2', '0']], 'training');
    await app.sql`insert into rental (id, market_id, idempotency_key, body_hash, state, rented_by, label, offer_id, machine_id,
        gpu_name, num_gpus, type, disk_gb, usd_per_hour, base_usd_per_hour, quote, request, baseline, on_failure,
        provision_minutes, created_at)
      values (gen_random_uuid(), ${app.market.id}, 'key', 'hash', 'unsettled', 'a person', 'training', 1, 10, 'RTX 4090', 1,
        'on-demand', 8, 3, 3, '{}', '{}', '{}', 'notify', 15, now())`;
    expect(await burn()).toEqual([
      [null, '6.5', 2, '65'],
      ['training', '5.5', 2, '55'],
    ]);
    const { totalUsdPerHour } = await app.json<{ totalUsdPerHour: string }>('/api/instances');
    expect(totalUsdPerHour).toBe('3');
  });

  it('counts each instance until its known end, a stopped one with its disk', async () => {
    const app = await createTestApp({}, 'live');
    app.clock.now = new Date('2026-03-30T00:00:00Z');
    // 48 hours are left: the first is stopped by its limit after 12, the second's offer ends after 24, the third's limit has passed.
    for (const id of [1, 2, 3]) await addInstance(app, id, [['2026-03-30T00:00:00Z', true, '1', '0.1']]);
    await app.sql`update instance set ends_at = '2026-03-31T00:00:00Z' where instance_id = 2`;
    await app.sql`insert into instance_plan (market_id, instance_id, ends_at, end_action)
      values (${app.market.id}, 1, '2026-03-30T12:00:00Z', 'stop'), (${app.market.id}, 3, '2026-03-29T12:00:00Z', 'stop')`;
    const { asOf, ...shown } = await app.json<SpendProjectionAnswer>('/api/spend/projection');
    // 36 hours of 1 less, and 24 of 1.1, of 48 of 3.3.
    expect(shown).toMatchObject({
      ...{ spentUsd: '0', burnUsdPerHour: '3.3', knownEndsUsd: '62.4' },
      projectedUsd: '96',
    });
    const explained = await app.json<FigureExplanationAnswer>(`/api/explain?of=projection&asOf=${asOf}`);
    expect(explained).toMatchObject({
      ...{ agrees: true, value: { projectedUsd: shown.projectedUsd } },
      recomputed: { knownEndsUsd: shown.knownEndsUsd, hoursLeft: 48 },
    });
    await app.sql`update instance_plan set end_action = 'destroy' where instance_id = 1`;
    const destroyed = await app.json<SpendProjectionAnswer>('/api/spend/projection');
    expect(Number(destroyed.knownEndsUsd)).toBeCloseTo(36 * 1.1 + 24 * 1.1, 9);
  });
});
