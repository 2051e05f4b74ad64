import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { takeCrawlLock } from '../../src/books/crawl/crawl-lock.sql.ts';
import { createTestDatabase } from '../support/test-database.ts';

const { sql } = await createTestDatabase();
const isPending = async (work: Promise<unknown>): Promise<boolean> => {
  const waited = new Promise((resolve) => setTimeout(() => resolve('pending'), 700));
  return (await Promise.race([work, waited])) === 'pending';
};

// Each on series of its own: they wait beside each other.
describe.concurrent('the crawl lock', () => {
  it('lets one process in at a time while the others wait and log it once, and does not block other series', async () => {
    const first = await takeCrawlLock(sql, ['a', 'b']);
    let waits = 0;
    const second = takeCrawlLock(sql, ['b', 'c'], { onWait: () => (waits += 1) });
    expect(await isPending(second)).toBe(true);
    const other = await takeCrawlLock(sql, ['d']);
    await first.release();
    await (await second).release();
    await other.release();
    expect(waits).toBe(1);
  });

  it('is not awaited longer than the signal allows', async () => {
    const first = await takeCrawlLock(sql, ['signal']);
    const calledOff = new AbortController();
    const second = takeCrawlLock(sql, ['signal'], { signal: calledOff.signal });
    expect(await isPending(second)).toBe(true);
    calledOff.abort(new Error('called off'));
    await expect(second).rejects.toThrow();
    await first.release();
    await (await takeCrawlLock(sql, ['signal'])).release();
  });

  it('passes from a suspended process to a waiting one, and the process that lost it is notified', async () => {
    const still = await takeCrawlLock(sql, ['still']);
    // Shorter than the pause between two signs of life: the holder looks as if it stood still.
    const next = await takeCrawlLock(sql, ['still'], { silentSeconds: 1 });
    if (!still.lost.aborted) await once(still.lost, 'abort');
    expect(next.lost.aborted).toBe(false);
    await still.release();
    await next.release();
  });

  it('is not taken from a process that sends heartbeats', async () => {
    const alive = await takeCrawlLock(sql, ['alive']);
    const next = takeCrawlLock(sql, ['alive'], { silentSeconds: 5 });
    await new Promise((resolve) => setTimeout(resolve, 7_000));
    expect(await isPending(next)).toBe(true);
    expect(alive.lost.aborted).toBe(false);
    await alive.release();
    await (await next).release();
  });
});
