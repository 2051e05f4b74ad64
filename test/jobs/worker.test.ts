import { randomUUID } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type JobQueue, openJobQueue } from '../../src/jobs/job-queue.ts';
import { createOutageLog } from '../../src/jobs/outage-log.ts';
import { type JobHandler, startWorker, type WorkerSlot } from '../../src/jobs/worker.ts';
import { silentLog } from '../support/silent-log.ts';
import { createTestDatabase } from '../support/test-database.ts';

const { sql, target } = await createTestDatabase();
const patience = { finishMs: 300, endMs: 300 };

async function start(
  handle: JobHandler,
  slot: Partial<WorkerSlot> = {},
  change = (queue: JobQueue) => queue,
) {
  const queue = await openJobQueue({ target, log: silentLog, supervise: false });
  const worker = startWorker({
    ...{ sql, queue: change(queue), patience },
    slots: [{ queue: 'crawl-bid', together: 1, minPriority: null, handle, ...slot }],
    outages: createOutageLog(silentLog, () => new Date()),
  });
  onTestFinished(async () => {
    await worker.stop();
    await queue.stop();
    await sql`delete from offerbook_jobs.job`;
  });
  const add = async (key: string): Promise<string> => {
    const id = randomUUID();
    await queue.add('crawl-bid', [{ id, key, data: {}, priority: 0 }]);
    worker.wake();
    return id;
  };
  return { worker, add };
}

async function stateOf(id: string) {
  const [row] = await sql<{ state: string; due: boolean; left: number }[]>`
    select state, start_after <= now() as due, retry_limit - retry_count as left
    from offerbook_jobs.job where id = ${id}`;
  return row;
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await holds()); tries += 1) {
    if (tries > 400) throw new Error('it never came');
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

const isIn = async (id: string, state: string) => (await stateOf(id))?.state === state;
const allDone: JobHandler = async (jobs) => new Map(jobs.map(({ id }) => [id, { kind: 'done' }]));

describe('the worker', () => {
  it('completes finished jobs, and retries failed ones later', async () => {
    const { add } = await start(async ([job]) => {
      if (job?.key === 'thrown') throw new Error('thrown');
      return new Map([
        [job?.id ?? '', job?.key === 'done' ? { kind: 'done' } : { kind: 'again', reason: 'no' }],
      ]);
    });
    const [done, failed, thrown] = [await add('done'), await add('failed'), await add('thrown')];
    await until(
      async () =>
        (await isIn(done, 'completed')) && (await isIn(failed, 'retry')) && (await isIn(thrown, 'retry')),
    );
    expect(await stateOf(failed)).toEqual({ state: 'retry', due: false, left: 4 });
  });

  it('hands back jobs that a stop aborts, without using up an attempt', async () => {
    const { worker, add } = await start(
      (_, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve(new Map()))),
    );
    const id = await add('long');
    await until(() => isIn(id, 'active'));
    await worker.stop();
    expect(await stateOf(id)).toEqual({ state: 'retry', due: true, left: 5 });
  });

  it('lets a nearly finished job end', async () => {
    const { worker, add } = await start(async (jobs, signal) => {
      await new Promise((resolve) => setTimeout(resolve, 150));
      return await allDone(jobs, signal);
    });
    const id = await add('short');
    await until(() => isIn(id, 'active'));
    await worker.stop();
    expect((await stateOf(id))?.state).toBe('completed');
  });

  it('stops in time even if a job does not end, and hands that one back too', async () => {
    const { worker, add } = await start(() => new Promise(() => {}));
    const id = await add('endless');
    await until(() => isIn(id, 'active'));
    const begunAt = performance.now();
    await worker.stop();
    expect(performance.now() - begunAt).toBeLessThan(30_000);
    expect(await stateOf(id)).toEqual({ state: 'retry', due: true, left: 5 });
  });

  it('aborts a job that another worker took over, and reports nothing of it', async () => {
    const reasons: unknown[] = [];
    const { add } = await start(
      (_, signal) =>
        new Promise((resolve) =>
          signal.addEventListener('abort', () => {
            reasons.push((signal.reason as Error).message);
            resolve(new Map());
          }),
        ),
    );
    const id = await add('taken');
    await until(() => isIn(id, 'active'));
    await sql`update offerbook_jobs.job set retry_count = retry_count + 1 where id = ${id}`;
    await until(async () => reasons.length > 0);
    expect(reasons).toEqual(['another process has taken this job over']);
    expect((await stateOf(id))?.state).toBe('active');
  });

  it('records the result of a job when the database is back', async () => {
    let failures = 3;
    const { add } = await start(allDone, {}, (queue) => ({
      ...queue,
      complete: async (job) => {
        failures -= 1;
        if (failures > 0) throw Object.assign(new Error('away'), { code: 'ECONNREFUSED' });
        await queue.complete(job);
      },
    }));
    const id = await add('settled');
    await until(() => isIn(id, 'completed'));
    expect(failures).toBe(0);
  });
});
