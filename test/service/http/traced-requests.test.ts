import { randomUUID } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { connect } from '../../../src/database/connection.ts';
import { openJobQueue } from '../../../src/jobs/job-queue.ts';
import { createOutageLog } from '../../../src/jobs/outage-log.ts';
import { startWorker } from '../../../src/jobs/worker.ts';
import { createLog } from '../../../src/service/create-log.ts';
import { createTestApp, readProblem } from '../../support/test-app.ts';
import { createTestDatabase, databaseUrl } from '../../support/test-database.ts';

const w3c = '4bf92f3577b34da6a3ce929d0e0e4736';
type Line = Record<string, unknown>;

/** An app whose log, that of its SQL and that of its jobs are the service's own. */
async function createTracedApp() {
  const lines: Line[] = [];
  const log = createLog('debug', (line) => void lines.push(JSON.parse(line) as Line));
  const { target, tokens, market } = await createTestApp({}, 'live');
  const statements = { log, slowMs: 0 };
  const sql = connect(target, { max: 2, statements });
  const queue = await openJobQueue({ target, log, supervise: false });
  const worked = Promise.withResolvers<void>();
  const worker = startWorker({
    ...{ sql, queue, outages: createOutageLog(log, () => new Date()) },
    slots: [
      {
        ...{ queue: 'crawl-bid', together: 1, minPriority: null },
        handle: async (jobs) => {
          await sql`select 'in the job'`;
          log.info({}, 'the job works');
          worked.resolve();
          return new Map(jobs.map(({ id }) => [id, { kind: 'done' }]));
        },
      },
    ],
  });
  onTestFinished(async () => {
    await worker.stop();
    await queue.stop();
    await sql.end({ timeout: 1 });
  });
  const crawlNow = async () => {
    await queue.add('crawl-bid', [{ id: randomUUID(), key: 'k', data: { crawlId: 'x' }, priority: 0 }]);
    worker.wake();
    return { crawlIds: [randomUUID()] };
  };
  const { app } = await createTestApp({ sql, log, crawlNow, defaultMarket: async () => market });
  return { app, tokens, lines, worked: worked.promise, sql };
}

it('every log line of a request, its SQL and its jobs have its trace id, and so do its response and its problem', async () => {
  const { app, tokens, lines, worked } = await createTracedApp();
  const ask = async (path: string, headers: Record<string, string>, init: RequestInit = {}) => {
    lines.length = 0;
    const authorization = `Bearer ${tokens.admin}`;
    return await app.request(path, {
      ...init,
      headers: { authorization, 'content-type': 'application/json', ...headers },
    });
  };
  const traced = (id: string): Line[] => lines.filter(({ traceId }) => traceId === id);
  const read = await ask('/api/watches', { traceparent: `00-${w3c}-00f067aa0ba902b7-01` });
  expect([read.status, read.headers.get('x-request-id')]).toEqual([200, w3c]);
  expect(traced(w3c).map(({ msg }) => msg)).toEqual(expect.arrayContaining(['slow statement', 'request']));

  const refused = await ask('/api/watches/no-id', { 'x-request-id': 'my-call' });
  const { traceId } = await readProblem(refused, 404);
  expect([traceId, refused.headers.get('x-request-id')]).toEqual(['my-call', 'my-call']);

  const own = (await ask('/healthz', { 'x-request-id': 'not {valid}' })).headers.get('x-request-id');
  expect(own).toMatch(/^[0-9a-f]{32}$/);

  const queued = await ask('/api/crawls', { 'x-request-id': 'crawl-please' }, { method: 'POST', body: '{}' });
  expect(queued.status).toBe(202);
  await worked;
  const ofJob = traced('crawl-please');
  expect(ofJob.map(({ msg }) => msg)).toContain('the job works');
  expect(ofJob.map(({ statement }) => statement)).toContain('select ?');
});

it('a failing statement is logged with its SQLSTATE and without values, a refused value only in detail', async () => {
  const { lines, sql } = await createTracedApp();
  lines.length = 0;
  const fail = async (query: Promise<unknown>): Promise<void> => {
    await query.catch(() => {});
  };
  await fail(sql`select ${'secret'}::int`);
  await sql
    .begin(async (tx) => {
      await tx`create temporary table named (name text unique) on commit drop`;
      await fail(tx`insert into named select 'secret' from generate_series(1, 2)`);
    })
    .catch(() => {});
  await sql`create type made_by_two_starts as enum ('a')`;
  await fail(sql`create type made_by_two_starts as enum ('a')`);
  await sql`analyze market`;
  const statementsOf = (level: number) =>
    lines
      .filter((line) => line.msg === 'slow statement' && line.level === level)
      .map((line) => line.statement);
  expect(statementsOf(20)).toEqual(['analyze market']);
  expect(statementsOf(40)).not.toContain('analyze market');
  const failed = lines.filter(({ msg }) => msg === 'statement failed');
  expect(failed.map(({ level, code, statement }) => [level, code, statement])).toEqual([
    [40, '22P02', 'select $1::int'],
    [20, '23505', 'insert into named select ? from generate_series(?, ?)'],
    [20, '42710', 'create type made_by_two_starts as enum (?)'],
  ]);
  expect(JSON.stringify(lines)).not.toContain('secret');
});

it('a database that does not exist is logged only in detail, because whoever opens it says so', async () => {
  const { target } = await createTestDatabase();
  const lines: Line[] = [];
  const log = createLog('debug', (line) => void lines.push(JSON.parse(line) as Line));
  const url = databaseUrl(target).replace(/\/[^/?]+(?=\?|$)/, '/no_such_database');
  const sql = connect({ url }, { max: 1, statements: { log, slowMs: 60_000 } });
  onTestFinished(() => sql.end({ timeout: 1 }));
  await expect(sql`select 1`).rejects.toThrow(/no_such_database/);
  expect(lines).toMatchObject([{ level: 20, code: '3D000', msg: 'statement failed' }]);
});

it('a pool says how many of its connections are busy and what waits for one', async () => {
  const { target } = await createTestDatabase();
  const sql = connect(target, { max: 2, maxReserved: 4 });
  onTestFinished(() => sql.end({ timeout: 1 }));
  await sql`select 1`;
  expect(sql.load?.()).toEqual({
    open: 1,
    queries: { max: 2, busy: 0, waiting: 0 },
    transactions: { max: 4, busy: 0, waiting: 0 },
  });
  const busy = [1, 2, 3].map(async () => await sql`select pg_sleep(0.3)`);
  const db = await sql.reserve();
  expect(sql.load?.()).toEqual({
    open: 3,
    queries: { max: 2, busy: 2, waiting: 1 },
    transactions: { max: 4, busy: 1, waiting: 0 },
  });
  await Promise.all(busy);
  db.release();
  expect(sql.load?.()).toMatchObject({ queries: { busy: 0, waiting: 0 }, transactions: { busy: 0 } });
});
