import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  createRequestBudget,
  type RequestBudgetOptions,
  readRequestBudgets,
} from '../../src/books/budget/request-budget.sql.ts';
import { requestGrant, reserveForPerson } from '../../src/books/budget/request-grants.sql.ts';
import { ensureMarket } from '../../src/books/markets.sql.ts';
import { type RequestLimit, windowMarginMs } from '../../src/core/request-budget.ts';
import { silentLog } from '../support/silent-log.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';

let database: TestDatabase;
let markets = 0;

beforeAll(async () => {
  database = await createTestDatabase();
});

/** Budgets of one market of its own, as different processes make them. */
async function createBudgets(limits: readonly RequestLimit[], options: Partial<RequestBudgetOptions> = {}) {
  const { sql } = database;
  markets += 1;
  const { id: marketId } = await ensureMarket(sql, `budgeted-${markets}`, 'live');
  const create = () =>
    createRequestBudget({ db: sql, marketId, limits: { searchOffers: limits }, log: silentLog, ...options });
  const state = async () => {
    const [found] = await readRequestBudgets(sql, marketId);
    if (found === undefined) throw new Error('no budget was asked');
    return found;
  };
  return { marketId, create, state };
}

/** The most moments in any window, ms. */
function mostIn(moments: readonly number[], windowMs: number): number {
  const sorted = moments.toSorted((a, b) => a - b);
  return Math.max(
    ...sorted.map((end, index) => sorted.slice(0, index + 1).filter((at) => at > end - windowMs).length),
  );
}

async function grantsOf(marketId: number): Promise<number[]> {
  const rows = await database.sql<{ at: number }[]>`
    select extract(epoch from granted_at)::float8 * 1000 as at from request_grant
    where market_id = ${marketId} order by number`;
  return rows.map(({ at }) => at);
}

describe.concurrent('a budget shared by several processes', () => {
  it.each([
    // Two whole windows and the third begun: more than 90% of 2.25 windows.
    { count: 30, windowMs: 2_000, least: 61 },
    { count: 1, windowMs: 300, least: 5 },
  ])(
    'of $count in $windowMs ms is never exceeded and is used up while work waits',
    async ({ least, ...limit }) => {
      const { marketId, create } = await createBudgets([limit]);
      const ending = AbortSignal.timeout(4_500);
      let served = 0;
      const work = async (budget: ReturnType<typeof create>) => {
        for (;;) {
          await budget.as('crawl').awaitTurn('searchOffers', ending);
          served += 1;
        }
      };
      const workers = [create(), create(), create()].flatMap((budget) => [work(budget), work(budget)]);
      await Promise.allSettled(workers);
      const granted = await grantsOf(marketId);
      const { count, windowMs } = limit;
      expect(granted.length).toBeGreaterThanOrEqual(served);
      expect(mostIn(granted, windowMs + 0.9 * windowMarginMs(windowMs))).toBeLessThanOrEqual(count);
      expect(granted.length).toBeGreaterThanOrEqual(least);
    },
  );
});

describe('the budget', () => {
  it('enforces every limit of an endpoint, and does not limit other endpoints', async () => {
    const { marketId, create } = await createBudgets([
      { count: 1, windowMs: 60 },
      { count: 5, windowMs: 1_000 },
    ]);
    const budget = create().as('crawl');
    for (let turn = 0; turn < 8; turn += 1) await budget.awaitTurn('searchOffers');
    const granted = await grantsOf(marketId);
    expect(granted).toHaveLength(8);
    expect(mostIn(granted, 60)).toBe(1);
    expect(mostIn(granted, 1_000)).toBeLessThanOrEqual(5);
    for (let turn = 0; turn < 100; turn += 1) await budget.awaitTurn('changeInstance');
    expect(await database.sql`select from request_budget where market_id = ${marketId}`).toHaveLength(1);
  });

  it('releases an aborted caller at once without using its permit', async () => {
    const { create, state } = await createBudgets([{ count: 1, windowMs: 1_500 }]);
    const budget = create().as('crawl');
    await budget.awaitTurn('searchOffers');
    const reason = new Error('gone');
    const controller = new AbortController();
    const first = budget.awaitTurn('searchOffers', controller.signal);
    const second = budget.awaitTurn('searchOffers', controller.signal);
    const last = budget.awaitTurn('searchOffers');
    setTimeout(() => controller.abort(reason), 50);
    await expect(first).rejects.toBe(reason);
    await expect(second).rejects.toBe(reason);
    await last;
    expect((await state()).granted).toBe(2);
    await expect(budget.awaitTurn('searchOffers', AbortSignal.abort(reason))).rejects.toBe(reason);
  });

  it('takes no more time and space for a limit of a billion per minute', async () => {
    const { marketId, create, state } = await createBudgets([{ count: 1e9, windowMs: 60_000 }]);
    const budget = create().as('crawl');
    for (let turn = 0; turn < 200; turn += 1) await budget.awaitTurn('searchOffers');
    expect(await state()).toMatchObject({ granted: 200, grantedLastMinute: 200 });
    await database.sql`update request_grant set granted_at = granted_at - interval '3 minutes'
      where market_id = ${marketId}`;
    for (let turn = 0; turn < 60; turn += 1) await budget.awaitTurn('searchOffers');
    expect(await state()).toMatchObject({ granted: 260, grantedLastMinute: 60 });
    expect(await grantsOf(marketId)).toHaveLength(60);
  });

  it('switches to another connection when one falls silent', async () => {
    const { marketId, create, state } = await createBudgets([{ count: 5, windowMs: 60_000 }], {
      answerMs: 1_000,
    });
    const budget = create().as('crawl');
    await budget.awaitTurn('searchOffers');
    const held = await database.sql.reserve();
    await held`begin`;
    await held`select from request_budget where market_id = ${marketId} for update`;
    const turn = budget.awaitTurn('searchOffers');
    // Both questions of these seconds wait for the row.
    await expect
      .poll(async () => (await database.sql`select from pg_locks where not granted`).length, {
        timeout: 60_000,
      })
      .toBeGreaterThan(1);
    await held`commit`;
    held.release();
    await turn;
    expect((await state()).granted).toBeLessThanOrEqual(5);
  });

  it("continues after the database's clock was set back", async () => {
    const { marketId, create } = await createBudgets([{ count: 2, windowMs: 300 }]);
    const budget = create().as('crawl');
    for (let turn = 0; turn < 2; turn += 1) await budget.awaitTurn('searchOffers');
    await database.sql`update request_grant set granted_at = granted_at + interval '1 hour'
      where market_id = ${marketId}`;
    await database.sql`update request_budget set yield_until = now() + interval '1 hour',
      person_until = now() + interval '1 hour' where market_id = ${marketId}`;
    await budget.awaitTurn('searchOffers', AbortSignal.timeout(60_000));
    expect(mostIn(await grantsOf(marketId), 300)).toBeLessThanOrEqual(2);
  });
});

describe.concurrent('a person', () => {
  it('is served before crawls of every process that have waited longer', async () => {
    const { create } = await createBudgets([{ count: 1, windowMs: 1_200 }]);
    const served: string[] = [];
    const [crawler, other, people] = [create(), create(), create()];
    const ending = new AbortController();
    const ask = (budget: typeof crawler, requester: 'person' | 'crawl') =>
      budget
        .as(requester)
        .awaitTurn('searchOffers', ending.signal)
        .then(() => served.push(requester));
    await ask(crawler, 'crawl');
    const waiting = [ask(crawler, 'crawl'), ask(other, 'crawl')];
    await sleep(60);
    await Promise.all([ask(people, 'person'), ask(crawler, 'person')]);
    expect(served).toEqual(['crawl', 'person', 'person']);
    // And it delays no one afterwards.
    await Promise.all(waiting);
    expect(served).toHaveLength(5);
  });

  it('who has left delays crawls for seconds only', async () => {
    const { marketId, create, state } = await createBudgets([{ count: 1, windowMs: 300 }]);
    const budget = create();
    await budget.as('crawl').awaitTurn('searchOffers');
    const ask = { marketId, endpoint: 'searchOffers' };
    await reserveForPerson(database.sql, ask);
    expect((await state()).personWaiting).toBe(true);
    const [lease] = await database.sql<{ until: number }[]>`
      select extract(epoch from person_until)::float8 * 1000 as until from request_budget
      where market_id = ${marketId}`;
    await budget.as('crawl').awaitTurn('searchOffers');
    expect((await grantsOf(marketId)).at(-1)).toBeGreaterThanOrEqual(
      lease?.until ?? Number.POSITIVE_INFINITY,
    );
    expect((await state()).personWaiting).toBe(false);
  });
});

describe.concurrent('after a throttled answer', () => {
  it('crawls of every process pause for a while, and people do not', async () => {
    const { marketId, create, state } = await createBudgets([{ count: 100, windowMs: 60_000 }], {
      yieldMs: 2_000,
    });
    const [one, other] = [create(), create()];
    await one.as('crawl').awaitTurn('searchOffers');
    one.as('crawl').noteThrottled('searchOffers');
    await expect.poll(async () => (await state()).throttled).toBe(1);
    const [yielding] = await database.sql<{ until: number }[]>`
      select extract(epoch from yield_until)::float8 * 1000 as until from request_budget
      where market_id = ${marketId}`;
    const crawl = other.as('crawl').awaitTurn('searchOffers');
    await other.as('person').awaitTurn('searchOffers');
    await crawl;
    const [, person, crawled] = await grantsOf(marketId);
    const until = yielding?.until ?? Number.NaN;
    expect(person).toBeLessThan(until);
    expect(crawled).toBeGreaterThanOrEqual(until);
    expect(await state()).toMatchObject({ granted: 3, yieldUntil: null });
  });

  it('the pause is counted from the newest such answer', async () => {
    const { create, state } = await createBudgets([{ count: 100, windowMs: 60_000 }]);
    const budget = create().as('crawl');
    for (const times of [1, 2]) {
      budget.noteThrottled('searchOffers');
      await expect.poll(async () => (await state()).throttled).toBe(times);
    }
    const left = ((await state()).yieldUntil?.getTime() ?? 0) - Date.now();
    expect(left).toBeGreaterThan(55_000);
    expect(left).toBeLessThanOrEqual(60_000);
  });
});

describe.concurrent('a permit', () => {
  /** Measures that go wrong by `ageMs` in order, then not. */
  const stopwatches =
    (...agesMs: number[]) =>
    () => {
      const ageMs = agesMs.shift() ?? 0;
      return () => ageMs;
    };

  it('is renewed, not lost, if the process was suspended before it could use it', async () => {
    const startStopwatch = stopwatches(30_000, 5_000);
    const { create, state } = await createBudgets([{ count: 2, windowMs: 60_000 }], {
      startStopwatch,
    });
    const turn = await create().as('crawl').awaitTurn('searchOffers');
    expect(turn.isStale()).toBe(false);
    expect((await state()).granted).toBe(1);
  });

  it('is lost if others have used up the budget meanwhile', async () => {
    const limits = [{ count: 2, windowMs: 300 }];
    const { marketId, create } = await createBudgets(limits);
    await create().as('crawl').awaitTurn('searchOffers');
    const ask = { marketId, endpoint: 'searchOffers', limits, requester: 'crawl' } as const;
    const first = await requestGrant(database.sql, { ...ask, held: 1 });
    expect(first).toEqual({ kind: 'granted', number: 1 });
    for (let turn = 0; turn < 2; turn += 1) await create().as('crawl').awaitTurn('searchOffers');
    // Whatever it is, it is a later one.
    expect(await requestGrant(database.sql, { ...ask, held: 1 })).not.toMatchObject({ number: 1 });
  });

  it('expires after a second', async () => {
    let ageMs = 0;
    const { create } = await createBudgets([{ count: 2, windowMs: 60_000 }], {
      startStopwatch: () => () => ageMs,
    });
    const turn = await create().as('crawl').awaitTurn('searchOffers');
    ageMs = 900;
    expect(turn.isStale()).toBe(false);
    ageMs = 1_100;
    expect(turn.isStale()).toBe(true);
  });

  it('counts from the response if that came late, because the market may have counted it then', async () => {
    let ageMs = 0;
    const { marketId, create } = await createBudgets([{ count: 1, windowMs: 1_000 }], {
      startStopwatch: () => () => ageMs,
    });
    const budget = create().as('crawl');
    const turn = await budget.awaitTurn('searchOffers');
    const [before] = await grantsOf(marketId);
    await sleep(400);
    ageMs = 400;
    turn.end();
    const answeredAt = performance.now();
    await expect.poll(async () => (await grantsOf(marketId))[0]).toBeGreaterThan((before ?? 0) + 300);
    ageMs = 0;
    await budget.awaitTurn('searchOffers');
    expect(performance.now() - answeredAt).toBeGreaterThan(990);
  });

  it('does not count from the end of a response that began in time', async () => {
    let ageMs = 0;
    const { marketId, create } = await createBudgets([{ count: 1, windowMs: 1_000 }], {
      startStopwatch: () => () => ageMs,
    });
    const turn = await create().as('crawl').awaitTurn('searchOffers');
    const before = await grantsOf(marketId);
    turn.end();
    await sleep(200);
    ageMs = 30_000;
    turn.end();
    await sleep(100);
    expect(await grantsOf(marketId)).toEqual(before);
  });
});
