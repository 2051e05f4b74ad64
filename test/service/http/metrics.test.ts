import { readFileSync } from 'node:fs';
import { uuidv7 } from 'uuidv7';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ensureMarket, ensureScope } from '../../../src/books/markets.sql.ts';
import { connect, type Sql } from '../../../src/database/connection.ts';
import { pollInstances } from '../../../src/rentals/instances/poll-instances.ts';
import { createProcessFigures, recordLanding } from '../../../src/service/process-figures.ts';
import { setBalance } from '../../../src/spend/balances.sql.ts';
import { insertBudget } from '../../../src/spend/budgets/budgets.sql.ts';
import { landOffers, makeOffer } from '../../prices/made-offers.ts';
import { createTestPoller, startListMarket } from '../../rentals/test-poller.ts';
import { startDatabaseWay } from '../../support/database-way.ts';
import { landBills, makeCharge } from '../../support/made-bills.ts';
import { createTestApp, readProblem, type TestApp } from '../../support/test-app.ts';
import { createTestDatabase } from '../../support/test-database.ts';
import { addAttempt } from '../backups/made-database.ts';

/** The samples of Prometheus' text format, by series. */
async function scrape(
  { app }: Pick<TestApp, 'app'>,
  token: string | null = null,
): Promise<Map<string, number>> {
  const headers = token === null ? {} : { authorization: `Bearer ${token}` };
  const response = await app.request('/metrics', { headers });
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    'text/plain; version=0.0.4; charset=utf-8',
  ]);
  const lines = (await response.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const at = line.lastIndexOf(' ');
      return [line.slice(0, at), Number(line.slice(at + 1))];
    }),
  );
}

const own = (samples: Map<string, number>): Record<string, number> =>
  Object.fromEntries([...samples].filter(([series]) => series.startsWith('offerbook_')));
/** Without figures of the market, which have tests of their own, and what depends on the machine. */
const stateOf = (samples: Map<string, number>): Record<string, number> =>
  Object.fromEntries(
    Object.entries(own(samples)).filter(
      ([series]) => !/^offerbook_(market_|database_read_seconds|http_|pool_|queue_)/.test(series),
    ),
  );
/** The metric of a series; the parts of a histogram have its name. */
const nameOf = (series: string): string =>
  series.replace(/\{.*/s, '').replace(/(_duration_seconds)_(bucket|sum|count)$/, '$1');

async function addRun(
  sql: Sql,
  marketId: number,
  run: {
    startedAt: string;
    outcome: string | null;
    type?: string;
    scope?: string;
    cause?: string;
    certificate?: object;
  },
): Promise<void> {
  const { startedAt, outcome, type = 'on-demand', scope = 'default', cause = 'cron', certificate } = run;
  await sql`insert into crawl (id, market_id, kind, scope_name, type, cause, started_at, ended_at, outcome, certificate)
    values (${uuidv7()}, ${marketId}, 'offers', ${scope}, ${type}, ${cause}, ${startedAt},
      case when ${outcome}::text is not null then ${startedAt}::timestamptz end, ${outcome},
      ${certificate === undefined ? null : JSON.stringify(certificate)}::text::jsonb)`;
}

const certificate = {
  ...{ pages: 12, rows: 1000, retries: 2, throttles: 1, durationMs: 90_500 },
  ...{ rejected: { 'id: missing': 3, 'price: missing': 4 }, estimatedMissingShare: 0.0005 },
};

const priced = { gpu_name: 'RTX 4090', label: 'training', dph_base: 0.4, storage_cost: 0.1, disk_space: 10 };

async function fill(test: TestApp): Promise<void> {
  const { sql, market } = test;
  await landOffers(sql, market.id, '2026-07-31T01:30:00Z', [makeOffer(1), makeOffer(2)]);
  await landOffers(sql, market.id, '2026-07-31T01:50:00Z', [makeOffer(1)], { verdict: 'partial' });
  await landOffers(sql, market.id, '2026-07-31T01:00:00Z', [makeOffer(1)], { type: 'bid' });
  await ensureScope(sql, market.id, 'models:RTX "4090"');
  await addRun(sql, market.id, { startedAt: '2026-07-31T00:00:00Z', outcome: 'failed' });
  await addRun(sql, market.id, { startedAt: '2026-07-31T01:30:00Z', outcome: 'complete', certificate });
  await addRun(sql, market.id, { startedAt: '2026-07-31T01:55:00Z', outcome: null });
  await addRun(sql, market.id, { startedAt: '2026-07-31T01:56:00Z', outcome: 'complete', cause: 'seed' });
  await addRun(sql, market.id, {
    startedAt: '2026-07-31T01:40:00Z',
    outcome: 'partial',
    scope: 'models:RTX "4090"',
  });
  await sql`insert into request_budget (market_id, endpoint, granted, throttled, yield_until, person_until)
    values (${market.id}, 'searchOffers', 40, 2, now() + interval '30 seconds', null)`;
  await sql`insert into request_grant select ${market.id}, 'searchOffers', n, now() - n * interval '20 seconds'
    from generate_series(1, 9) n`;
  await sql`insert into billing_sync (id, market_id, kind, started_at, advanced_at, state, rows, walk, certificate) values
    (${uuidv7()}, ${market.id}, 'invoice', '2026-07-31T01:17:00Z', '2026-07-31T01:18:00Z', 'complete', 77, '{}', '{}'),
    (${uuidv7()}, ${market.id}, 'invoice', '2026-07-31T01:59:00Z', '2026-07-31T01:59:30Z', 'partial', 5, '{}', '{}')`;
  const { poller } = await createTestPoller(
    sql,
    await startListMarket({ rows: [{ id: 1 }, { id: 2, actual_status: 'exited', ...priced }] }),
  );
  await pollInstances(
    { ...poller, marketId: market.id, now: () => new Date('2026-07-31T01:59:50Z') },
    { crawlId: uuidv7(), cause: 'cron' },
  );
}

async function fillAccount({ sql, market }: TestApp): Promise<void> {
  await landBills(sql, market.id, 'charge', '2026-07-31T01:20:00Z', [
    makeCharge(1, { start: '2026-07-30T00:00:00Z', end: '2026-07-31T00:00:00Z', amountUsd: '3' }),
  ]);
  await landBills(sql, market.id, 'invoice', '2026-07-31T01:21:00Z', []);
  const at = new Date('2026-07-30T00:00:00Z');
  await insertBudget(sql, market.id, {
    ...{ id: uuidv7(), createdAt: at, label: 'training', monthlyUsd: '5', alertAt: [1] },
    ...{ blockRentals: false, timeZone: 'UTC' },
  });
  await setBalance(sql, market.id, { id: uuidv7(), at, amountUsd: '9', enteredAt: at, enteredBy: 'a test' });
}

describe('GET /metrics', () => {
  it('has the books and crawls of every crawled market, each with its name', async () => {
    const test = await createTestApp(
      { openMetrics: true, otherMarkets: async () => [await ensureMarket(test.sql, 'second', 'live')] },
      'live',
    );
    const { id } = await ensureMarket(test.sql, 'second', 'live');
    for (const marketId of [test.market.id, id]) {
      await landOffers(test.sql, marketId, '2026-07-31T01:30:00Z', [makeOffer(1), makeOffer(2)]);
      await addRun(test.sql, marketId, { startedAt: '2026-07-31T01:30:00Z', outcome: 'complete' });
    }
    // Through a proxy of this machine anybody could ask.
    const proxied = await test.app.request('/metrics', { headers: { 'x-forwarded-for': '203.0.113.7' } });
    expect(proxied.status).toBe(401);
    const samples = own(await scrape(test));
    for (const market of ['test-market', 'second']) {
      const labels = `{market="${market}",scope="default",type="on-demand"}`;
      expect(samples[`offerbook_last_complete_book_age_seconds${labels}`]).toBe(1_800);
      expect(samples[`offerbook_last_complete_book_offers${labels}`]).toBe(2);
      const counted = `{market="${market}",kind="offers",scope="default",type="on-demand",outcome="complete"}`;
      expect(samples[`offerbook_crawls_total${counted}`]).toBe(1);
    }
  });

  it("reports the database's state, without a series for unknown values", async () => {
    const test = await createTestApp({ openMetrics: true }, 'live');
    await fill(test);
    // A market that is no longer crawled has no age, which would be an alarm forever.
    const other = await ensureMarket(test.sql, 'simulator', 'simulated');
    await landOffers(test.sql, other.id, '2020-01-01T00:00:00Z', [makeOffer(1)]);
    await addRun(test.sql, other.id, { startedAt: '2020-01-01T00:00:00Z', outcome: 'complete', certificate });
    const m = 'market="test-market"';
    const onDemand = `{${m},scope="default",type="on-demand"}`;
    expect(stateOf(await scrape(test))).toEqual({
      'offerbook_build_info{version="0.0.0-test"}': 1,
      offerbook_database_up: 1,
      offerbook_max_data_age_seconds: 10_800,
      [`offerbook_last_complete_book_age_seconds${onDemand}`]: 1_800,
      [`offerbook_last_complete_book_age_seconds{${m},scope="default",type="bid"}`]: 3_600,
      [`offerbook_last_complete_book_offers${onDemand}`]: 2,
      [`offerbook_last_complete_book_offers{${m},scope="default",type="bid"}`]: 1,
      [`offerbook_last_crawl_complete${onDemand}`]: 1,
      [`offerbook_last_crawl_complete{${m},scope="models:RTX \\"4090\\"",type="on-demand"}`]: 0,
      [`offerbook_last_crawl_duration_seconds${onDemand}`]: 90.5,
      [`offerbook_last_crawl_pages${onDemand}`]: 12,
      [`offerbook_last_crawl_rows${onDemand}`]: 1000,
      [`offerbook_last_crawl_rejected_rows${onDemand}`]: 7,
      [`offerbook_last_crawl_retries${onDemand}`]: 2,
      [`offerbook_last_crawl_throttles${onDemand}`]: 1,
      [`offerbook_last_crawl_estimated_missing_ratio${onDemand}`]: 0.0005,
      [`offerbook_crawls_total{${m},kind="instances",scope="instances",outcome="complete"}`]: 1,
      [`offerbook_crawls_total{${m},kind="offers",scope="default",type="on-demand",outcome="complete"}`]: 2,
      [`offerbook_crawls_total{${m},kind="offers",scope="default",type="on-demand",outcome="failed"}`]: 1,
      [`offerbook_crawls_total{${m},kind="offers",scope="models:RTX \\"4090\\"",type="on-demand",outcome="partial"}`]: 1,
      [`offerbook_requests_granted_total{${m},endpoint="searchOffers"}`]: 40,
      [`offerbook_requests_granted_last_minute{${m},endpoint="searchOffers"}`]: 2,
      [`offerbook_requests_throttled_total{${m},endpoint="searchOffers"}`]: 2,
      [`offerbook_requests_yielding{${m},endpoint="searchOffers"}`]: 1,
      [`offerbook_requests_person_waiting{${m},endpoint="searchOffers"}`]: 0,
      'offerbook_jobs{state="queued"}': 0,
      'offerbook_jobs{state="active"}': 0,
      offerbook_failed_jobs: 0,
      'offerbook_deliveries{state="queued"}': 0,
      'offerbook_deliveries{state="retrying"}': 0,
      'offerbook_deliveries{state="failed"}': 0,
      [`offerbook_last_complete_reading_age_seconds{${m},kind="invoice"}`]: 2_580,
      [`offerbook_last_complete_reading_rows{${m},kind="invoice"}`]: 77,
      [`offerbook_last_instance_poll_age_seconds{${m}}`]: 10,
      [`offerbook_instances{${m},status="provisioning"}`]: 1,
      [`offerbook_instances{${m},status="exited"}`]: 1,
    });
  });

  it('has every metric of docs/metrics.md with its labels, and no other', async () => {
    const replica = () => ({ isUp: true, reason: null, lagSeconds: 1, fallbackReads: 0 });
    const processFigures = createProcessFigures('all');
    processFigures.lookedAt = new Date('2026-07-31T02:00:00Z');
    processFigures.jobs.observe({ queue: 'deliver', outcome: 'done' }, 0.2);
    recordLanding(processFigures, { market: 'test-market', type: 'bid' }, { seconds: 2, rows: 25_000 });
    const { sql: readSql } = await createTestDatabase();
    const backups = { cron: '30 2 * * *', to: null };
    const test = await createTestApp(
      { openMetrics: true, replica, readSql, processFigures, backups },
      'live',
    );
    await fill(test);
    await fillAccount(test);
    await addAttempt(test.sql, 'one.gz', {});
    const page = readFileSync(new URL('../../../docs/metrics.md', import.meta.url), 'utf8');
    const documented = [...page.matchAll(/^\| `(offerbook_\w+)` \| (.*?) ?\| /gm)].map(
      ([, name, labels]) => `${name} ${labels}`,
    );
    let samples: Record<string, number> = {};
    // The first scrapes do not wait long for figures.
    await expect
      .poll(async () => {
        samples = own(await scrape(test, test.tokens.viewer));
        return Object.keys(samples).join();
      })
      .toMatch(/offerbook_market_offers.*offerbook_budget_usd/);
    // A scrape shows the requests before it.
    samples = own(await scrape(test, test.tokens.viewer));
    const labelsOf = new Map<string, string>();
    for (const series of Object.keys(samples)) {
      const labels = [...series.matchAll(/(\w+)="/g)]
        .flatMap(([, label = '']) => (label === 'le' ? [] : label))
        .join(', ');
      const before = labelsOf.get(nameOf(series)) ?? '';
      if (labels.length >= before.length) labelsOf.set(nameOf(series), labels);
    }
    expect([
      samples['offerbook_http_request_duration_seconds_count{method="GET",route="/metrics",status="200"}'],
      samples['offerbook_job_duration_seconds_bucket{queue="deliver",outcome="done",le="0.1"}'],
      samples['offerbook_job_duration_seconds_bucket{queue="deliver",outcome="done",le="0.5"}'],
      samples['offerbook_landing_duration_seconds_sum{market="test-market",type="bid"}'],
      samples['offerbook_landed_rows_total{market="test-market",type="bid"}'],
      samples.offerbook_worker_up,
      samples['offerbook_pool_max{database="replica",part="queries"}'],
      samples['offerbook_queue_oldest_seconds{queue="deliver"}'],
    ]).toEqual([expect.any(Number), 0, 1, 2, 25_000, 1, expect.any(Number), 0]);
    expect([...labelsOf].map(([name, labels]) => `${name} ${labels}`).sort()).toEqual(documented.sort());
  });

  it('reports crawls of a recorded market, and no age', async () => {
    const test = await createTestApp({ openMetrics: true }, 'recorded');
    await landOffers(test.sql, test.market.id, '2020-01-01T00:00:00Z', [makeOffer(1)]);
    await addRun(test.sql, test.market.id, {
      startedAt: '2020-01-01T00:00:00Z',
      outcome: 'complete',
      cause: 'import',
    });
    const names = Object.keys(own(await scrape(test))).map(nameOf);
    expect(names).toContain('offerbook_crawls_total');
    expect(names.filter((name) => /_last_/.test(name))).toEqual([]);
  });

  it('counts notices that wait, are retried, or failed in the last day', async () => {
    const test = await createTestApp({ openMetrics: true }, 'live');
    const { sql } = test;
    const channelId = uuidv7();
    await sql`insert into channel (id, kind, name, config, created_at)
      values (${channelId}, 'webhook', 'hook', '{}', '2026-07-01T00:00:00Z')`;
    const add = async (state: string, problem: string | null, endedAt: string | null): Promise<void> => {
      await sql`insert into delivery
          (id, channel_id, notice, kind, title, state, problem, created_at, next_attempt_at, ended_at)
        values (${uuidv7()}, ${channelId}, '{}', 'test', 'a notice', ${state}, ${problem}, '2026-07-29T00:00:00Z',
          '2026-07-31T03:00:00Z', ${endedAt})`;
    };
    await add('queued', null, null);
    for (let times = 0; times < 2; times += 1) await add('queued', 'it did not answer', null);
    await add('refused', 'status 404', '2026-07-30T03:00:00Z');
    await add('failed', 'it did not answer', '2026-07-31T01:00:00Z');
    await add('failed', 'it did not answer', '2026-07-31T01:30:00Z');
    await add('failed', 'too long ago', '2026-07-30T01:00:00Z');
    await add('sent', null, '2026-07-31T01:00:00Z');
    const samples = await scrape(test);
    const counts = ['queued', 'retrying', 'failed'].map((state) =>
      samples.get(`offerbook_deliveries{state="${state}"}`),
    );
    expect(counts).toEqual([1, 2, 3]);
  });

  it("includes the process's metrics, and starts empty with an empty database", async () => {
    const samples = await scrape(await createTestApp({ openMetrics: true }, 'live'));
    expect(samples.get('process_resident_memory_bytes')).toBeGreaterThan(1_000_000);
    const names = Object.keys(own(samples)).map(nameOf);
    expect(names.filter((name) => !/_(pool|queue)_/.test(name))).toEqual([
      ...['offerbook_build_info', 'offerbook_max_data_age_seconds', 'offerbook_database_up'],
      ...['offerbook_jobs', 'offerbook_jobs', 'offerbook_failed_jobs'],
      ...['offerbook_deliveries', 'offerbook_deliveries', 'offerbook_deliveries'],
      'offerbook_database_read_seconds',
    ]);
  });

  it('reports that the database is away, and recovers when it is back', async () => {
    const { target } = await createTestDatabase();
    const way = await startDatabaseWay(target);
    const sql = connect({ url: way.url });
    onTestFinished(() => sql.end({ timeout: 0 }));
    const test = await createTestApp({ sql, openMetrics: true });
    const isUp = async () => (await scrape(test)).get('offerbook_database_up');
    expect(await isUp()).toBe(1);
    way.cut();
    expect(await isUp()).toBe(0);
    expect((await scrape(test)).has('offerbook_failed_jobs')).toBe(false);
    way.restore();
    await expect.poll(isUp).toBe(1);
  });

  it('requires a token of the role viewer unless it is open, and accepts no parameter', async () => {
    const test = await createTestApp();
    await readProblem(await test.app.request('/metrics'), 401);
    expect((await test.get('/metrics', 'feed')).status).toBe(403);
    expect((await test.get('/metrics', 'viewer')).status).toBe(200);
    await test.problem('/metrics?market=test-market', 400);
  });
});
