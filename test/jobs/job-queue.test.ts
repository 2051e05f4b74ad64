import { randomUUID } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type JobQueue, openJobQueue } from '../../src/jobs/job-queue.ts';
import { dismissFailedJob, findFailedJob, jobCounts, listFailedJobs } from '../../src/jobs/jobs.sql.ts';
import { silentLog } from '../support/silent-log.ts';
import { createTestDatabase } from '../support/test-database.ts';

const { sql, target } = await createTestDatabase();

async function open(supervise = false): Promise<JobQueue> {
  const queue = await openJobQueue({ target, log: silentLog, supervise });
  onTestFinished(() => queue.stop());
  return queue;
}

const job = (key: string, priority = 0) => ({
  id: randomUUID(),
  key,
  priority,
  data: { what: key, list: [1, 'a'] },
});

describe('the job queue', () => {
  it('can be created by many processes that start at once, and counts nothing before', async () => {
    expect(await jobCounts(sql)).toEqual({ queued: 0, active: 0, failedJobs: 0 });
    await Promise.all([open(), open(), open(), open()]);
    expect(await jobCounts(sql)).toEqual({ queued: 0, active: 0, failedJobs: 0 });
  });

  it('keeps one job per id with its first data, however many processes add it', async () => {
    const [one, other] = [await open(), await open()];
    const asked = job('same');
    const made = await Promise.all([one.add('crawl-bid', [asked]), other.add('crawl-bid', [asked])]);
    expect(made.sort()).toEqual([0, 1]);
    const [claimed] = await other.claim('crawl-bid', 5, null);
    expect(claimed).toEqual({ ...asked, queue: 'crawl-bid', retries: 0, traceId: null });
    if (claimed !== undefined) await other.complete(claimed);
    expect(await one.add('crawl-bid', [asked])).toBe(0);
    expect(await one.claim('crawl-bid', 5, null)).toEqual([]);
  });

  it('gives out one job per key at a time, jobs of other keys beside it, and urgent ones first', async () => {
    const queue = await open();
    const [first, second, other, urgent] = [job('a'), job('a'), job('b'), job('c', 10)];
    for (const each of [first, second, other, urgent]) await queue.add('crawl-on-demand', [each]);
    const [taken] = await queue.claim('crawl-on-demand', 1, null);
    expect(taken?.id).toBe(urgent.id);
    const both = await queue.claim('crawl-on-demand', 5, null);
    expect(both.map(({ key }) => key).sort()).toEqual(['a', 'b']);
    expect(await queue.claim('crawl-on-demand', 5, null)).toEqual([]);
    for (const each of both) await queue.complete(each);
    const rest = await queue.claim('crawl-on-demand', 5, null);
    const done = [taken, ...both, ...rest].map((each) => each?.id);
    expect(done.sort()).toEqual([first, second, other, urgent].map(({ id }) => id).sort());
    for (const each of [...rest, ...(taken ? [taken] : [])]) await queue.complete(each);
  });

  it('never gives two jobs of one key to processes that claim at the same moment', async () => {
    const queues = await Promise.all([open(), open(), open()]);
    const jobs = Array.from({ length: 30 }, () => job('raced'));
    await queues[0]?.add('crawl-billing', jobs);
    const done: string[] = [];
    let running = 0;
    let most = 0;
    await Promise.all(
      queues.map(async (queue) => {
        while (done.length < jobs.length) {
          for (const claimed of await queue.claim('crawl-billing', 3, null)) {
            running += 1;
            most = Math.max(most, running);
            await new Promise((resolve) => setTimeout(resolve, 2));
            running -= 1;
            await queue.complete(claimed);
            done.push(claimed.id);
          }
        }
      }),
    );
    expect(most).toBe(1);
    expect(done.sort()).toEqual(jobs.map(({ id }) => id).sort());
  });

  it('takes jobs back at once without counting an attempt', async () => {
    const queue = await open();
    const asked = job('handed');
    await queue.add('crawl-reserved', [asked]);
    for (let round = 0; round < 8; round += 1) {
      const claimed = await queue.claim('crawl-reserved', 1, null);
      expect(claimed.map(({ id }) => id)).toEqual([asked.id]);
      await queue.handBack('crawl-reserved', claimed);
    }
    const [row] = await sql<{ left: number }[]>`
      select retry_limit - retry_count as left from offerbook_jobs.job where id = ${asked.id}`;
    expect(row?.left).toBeGreaterThanOrEqual(4);
  });

  it('ignores the result of an earlier attempt at a job that another process took over', async () => {
    const queue = await open();
    const asked = job('taken over');
    await queue.add('crawl-billing', [asked]);
    const [early] = await queue.claim('crawl-billing', 1, null);
    if (early === undefined) throw new Error('nothing was claimed');
    expect(await queue.keep('crawl-billing', [early])).toEqual(new Set([asked.id]));
    await queue.handBack('crawl-billing', [early]);
    const [late] = await queue.claim('crawl-billing', 1, null);
    expect(late?.retries).toBe(1);
    expect(await queue.keep('crawl-billing', [early])).toEqual(new Set());
    await queue.complete(early);
    await queue.fail(early, 'too late');
    await queue.handBack('crawl-billing', [early]);
    const [row] = await sql`select state from offerbook_jobs.job where id = ${asked.id}`;
    expect(row?.state).toBe('active');
  });

  it('lists a job whose last attempt failed, with the reason', async () => {
    const queue = await open();
    const asked = job('hopeless');
    await queue.add('poll-instances', [asked]);
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await sql`update offerbook_jobs.job set start_after = now() where id = ${asked.id}`;
      const [claimed] = await queue.claim('poll-instances', 1, null);
      if (claimed === undefined) throw new Error(`no attempt ${attempt}`);
      await queue.fail(claimed, 'the market is gone');
    }
    expect((await jobCounts(sql)).failedJobs).toBe(1);
    const [failed] = await sql`
      select source_id, source_output from offerbook_jobs.job where name = 'dead-letters'`;
    expect(failed).toEqual({ source_id: asked.id, source_output: { reason: 'the market is gone' } });
    const [listed, ...others] = await listFailedJobs(sql, 10);
    expect(others).toEqual([]);
    expect(listed).toMatchObject({ queue: 'poll-instances', key: asked.key, data: asked.data, attempts: 5 });
    expect(listed?.reason).toBe('the market is gone');
    const id = listed?.id ?? '';
    expect(await findFailedJob(sql, id)).toEqual(listed);
    expect(await dismissFailedJob(sql, id)).toBe(true);
    expect(await dismissFailedJob(sql, id)).toBe(false);
    expect(await findFailedJob(sql, id)).toBeNull();
    expect(await listFailedJobs(sql, 10)).toEqual([]);
    expect((await jobCounts(sql)).failedJobs).toBe(0);
  });

  it('gives the job of a silent worker to another one within 30 seconds', async () => {
    const [silent, other] = [await open(), await open(true)];
    const asked = job('silent');
    await silent.add('crawl-bid', [asked]);
    const [claimed] = await silent.claim('crawl-bid', 1, null);
    expect(claimed?.id).toBe(asked.id);
    const startedAt = performance.now();
    for (;;) {
      const [taken] = await other.claim('crawl-bid', 1, null);
      if (taken !== undefined) break;
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
    const seconds = (performance.now() - startedAt) / 1_000;
    expect(seconds).toBeGreaterThan(9);
    expect(seconds).toBeLessThan(30);
  });
});
