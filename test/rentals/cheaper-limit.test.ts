import { describe, expect, it } from 'vitest';
import { stepCheaper } from '../../src/rentals/instances/cheaper-limit.ts';
import { type CheaperState, saveCheaper } from '../../src/rentals/instances/cheaper-plans.sql.ts';
import { nameInstance } from '../../src/rentals/instances/name-instance.ts';
import { findPlan } from '../../src/rentals/instances/plans.sql.ts';
import { reconcileAccount } from '../../src/rentals/instances/reconcile-account.ts';
import { rent } from '../../src/rentals/rent/rent.ts';
import { listRentals } from '../../src/rentals/rent/rentals.sql.ts';
import { createTestDatabase } from '../support/test-database.ts';
import { dearRequest } from './dear-machine.ts';
import { createTestAccount } from './test-account.ts';

const { sql } = await createTestDatabase();
const by = 'tester';
const offer = { offerId: 7, machineId: 8, usdPerHour: 0.4, instanceUsdPerHour: 0.5 };

describe('a cheaper machine', () => {
  it.each<[books: string, found: (number | null)[]]>([
    ['+', [null]],
    ['++', [null, 2]],
    ['+-+', [null, null, 3]],
    ['+--+', [null, null, null, null]],
    ['++-', [null, 2, 2]],
    ['++--', [null, 2, 2, null]],
    ['++--++', [null, 2, 2, null, null, 6]],
  ])('in books %s is found with 2 of 3', (books, found) => {
    let state: CheaperState | null = null;
    const ids = [...books].map((has, index) => {
      const book = { bookId: index + 1, offer: has === '+' ? offer : null };
      state = stepCheaper(state, book, { books: 2, ofBooks: 3 });
      // The same book again, as in the next poll.
      expect(stepCheaper(state, book, { books: 2, ofBooks: 3 })).toBe(state);
      return state.bookId;
    });
    expect(ids).toEqual(found);
  });

  it('is rented once in place of a dearer one, which only its owner ends', async () => {
    const account = await createTestAccount(sql, { simulated: { offersPerType: 400 } });
    const { actor } = account;
    await account.crawl();
    const request = dearRequest(account);
    const { rental } = await rent(actor, request, { key: 'dear', by });
    const instanceId = rental.instanceId ?? 0;
    await account.pass(90);
    const wanted = { cheaperPercent: 10, cheaperBooks: 2, cheaperOfBooks: 3 };
    await nameInstance(actor, instanceId, { ...wanted, cheaperAction: 'replace' }, { by });
    const rentals = async () =>
      await listRentals(sql, { marketId: actor.market.id, before: null, limit: 10, open: false });
    await account.pass(30);
    expect(await rentals()).toHaveLength(1);
    account.clock.now = new Date(account.clock.now.getTime() + 60_000);
    await account.crawl();
    await account.pass(10);
    const plan = await findPlan(sql, actor.market.id, instanceId);
    expect(plan?.cheaperState?.replacement).toMatchObject({ problem: null });
    const [next, first, ...more] = await rentals();
    expect(more).toEqual([]);
    expect([next?.replacesId, first?.id]).toEqual([rental.id, rental.id]);
    expect(Number(next?.usdPerHour)).toBeLessThanOrEqual(0.9 * Number(rental.usdPerHour));
    // A process that died before it stored the result asks again with the same key.
    if (plan?.cheaperState == null) throw new Error('nothing was found');
    await saveCheaper(sql, actor.market.id, instanceId, { ...plan.cheaperState, replacement: null });
    await reconcileAccount(actor);
    await account.pass(180);
    expect((await rentals()).map(({ state }) => state)).toEqual(['ready', 'ready']);
    expect((await findPlan(sql, actor.market.id, instanceId))?.wanted).toBeNull();
  });
});
