import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Sql } from '../../src/database/connection.ts';
import { startService } from '../../src/main.ts';
import { loadConfig } from '../../src/service/config.ts';
import { createSimulator } from '../../src/simulator/simulator.ts';
import { silentLog } from '../support/silent-log.ts';
import { createTestDatabase, databaseUrl } from '../support/test-database.ts';
import { startMailServer } from '../watches/mail-server.ts';

const token = 'a-token-of-the-tests';

/** A service that crawls a simulated market of its own through the live path, on a database of its own. */
async function startStage(settings: Record<string, string> = {}) {
  const { sql, target } = await createTestDatabase();
  const simulator = createSimulator({ offersPerType: 40, seed: 3 });
  const { url: market } = await simulator.listen();
  const dataDir = await mkdtemp(join(tmpdir(), 'offerbook-work-'));
  const env = {
    ...{ DATABASE_URL: databaseUrl(target), DATA_DIR: dataDir, PORT: '0', OFFERBOOK_TOKEN: token },
    ...{
      MARKET_URL: market,
      MARKET_API_KEY: simulator.apiKey,
      MARKET_NAME: 'live',
      SEARCHES_PER_MINUTE: '100000',
    },
    ...{ CRAWL_OFFERS: 'off', CRAWL_INVOICES: 'off', CRAWL_INSTANCES: 'off', ...settings },
  };
  const start = async () => await startService(loadConfig(env), silentLog);
  const service = await start();
  let stopped: Promise<void> | null = null;
  const stop = () => (stopped ??= service.stop());
  onTestFinished(async () => {
    await stop();
    await simulator.close();
    await rm(dataDir, { recursive: true, force: true });
  });
  const ask = async <T>(path: string, body?: object): Promise<T> => {
    const answer = await fetch(service.url + path, {
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    });
    return (await answer.json()) as T;
  };
  return { sql, ask, stop, simulator, start };
}

async function until(what: string, seconds: number, holds: () => Promise<boolean>): Promise<void> {
  const endsAt = performance.now() + seconds * 1_000;
  while (!(await holds())) {
    if (performance.now() > endsAt) throw new Error(`not within ${seconds} s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const runsOf = async (sql: Sql) =>
  await sql<{ id: string; scope: string; type: string; cause: string; outcome: string | null }[]>`
    select id, scope_name as scope, type, cause, outcome from crawl where kind = 'offers' order by id`;

interface Crawl {
  state: string;
  outcome: string | null;
}

describe('a requested crawl', () => {
  it('is queued, returned again to repeated requests, run once, and found by its id throughout', async () => {
    const { sql, ask } = await startStage();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => ask<{ crawlIds: string[] }>('/api/crawls', {})),
    );
    const ids = new Set(answers.flatMap(({ crawlIds }) => crawlIds));
    expect(ids.size).toBe(2);
    const states = new Set<string>();
    await until('both have ended', 300, async () => {
      const crawls = await Promise.all([...ids].map((id) => ask<Crawl>(`/api/crawls/${id}`)));
      for (const { state } of crawls) states.add(state);
      return crawls.every(({ state }) => state === 'ended');
    });
    expect([...states].every((state) => ['queued', 'running', 'ended'].includes(state))).toBe(true);
    const runs = await runsOf(sql);
    expect(runs.map(({ id }) => id).sort()).toEqual([...ids].sort());
    expect(runs.map(({ cause, outcome }) => [cause, outcome])).toEqual([
      ['api', 'complete'],
      ['api', 'complete'],
    ]);
    const again = await ask<{ crawlIds: string[] }>('/api/crawls', { type: 'bid' });
    expect(ids.has(again.crawlIds[0] ?? '')).toBe(false);
  });
});

describe('the schedule of a service', () => {
  it('crawls at its ticks, including the rented scope, and shows when it will', async () => {
    const { sql, ask } = await startStage({ CRAWL_OFFERS: '*/3 * * * * *', CRAWL_RENTED: 'on' });
    await until('each series has two books', 300, async () => {
      const series = Map.groupBy(
        (await runsOf(sql)).filter(({ outcome }) => outcome === 'complete'),
        ({ scope, type }) => `${scope} ${type}`,
      );
      return series.size === 4 && [...series.values()].every((runs) => runs.length >= 2);
    });
    const { schedule } = await ask<{
      schedule: { scope: string; type: string; everyMinutes: null; nextAt: string }[];
    }>('/api/status');
    expect(schedule.map(({ scope, type }) => `${scope} ${type}`)).toEqual([
      'default on-demand',
      'default bid',
      'rented on-demand',
      'rented bid',
    ]);
    for (const { nextAt, everyMinutes } of schedule) {
      expect(Math.abs(Date.parse(nextAt) - Date.now())).toBeLessThan(10_000);
      expect(everyMinutes).toBeNull();
    }
  });

  it('is stretched to the budget, with the reason', async () => {
    const { ask } = await startStage({ CRAWL_OFFERS: '*/10 * * * * *', SEARCHES_PER_MINUTE: '30' });
    interface Schedule {
      everyMinutes: number | null;
      reason: string | null;
    }
    await until('the first crawls are over', 300, async () => {
      const { schedule } = await ask<{ schedule: Schedule[] }>('/api/status');
      return schedule.every(
        ({ everyMinutes, reason }) =>
          everyMinutes === 1 && reason?.includes('SEARCHES_PER_MINUTE is 30') === true,
      );
    });
  });

  it('gives the scope of a new watch its first book within a minute, then follows its own cron', async () => {
    const { sql, ask } = await startStage();
    const gpuNames = await firstModels(ask, sql);
    const filters = { gpuName: gpuNames };
    await ask('/api/watches', { name: 'mine', filters, schedule: { cron: '0 0 1 1 *', timeZone: 'UTC' } });
    await until('the watch has a book', 300, async () =>
      (await runsOf(sql)).some(
        ({ cause, scope, outcome }) => cause === 'watch' && scope !== 'default' && outcome === 'complete',
      ),
    );
  });
});

describe('a scheduled report', () => {
  it('is sent at its ticks: one job per tick, one delivery per job, one e-mail per delivery', async () => {
    const mails = await startMailServer();
    const { sql, ask } = await startStage({ SMTP_URL: mails.url, MAIL_FROM: 'offerbook@example.com' });
    await ask('/api/crawls', { type: 'on-demand' });
    await until('there is a book', 300, async () =>
      (await runsOf(sql)).some(({ outcome }) => outcome === 'complete'),
    );
    const config = { to: 'ada@example.com', attach: ['csv'] };
    const channel = await ask<{ id: string }>('/api/channels', { kind: 'email', config });
    const watch = await ask<{ id: string }>('/api/watches', {
      ...{ name: 'every other second', rankBy: 'usdPerGpuHour', channelIds: [channel.id] },
      reportSchedule: { cron: '*/2 * * * * *', timeZone: 'UTC' },
    });
    await until('two reports have arrived', 300, async () => mails.received.length >= 2);
    const parsed = await Promise.all(mails.received.slice(0, 2).map((mail) => PostalMime.parse(mail)));
    for (const mail of parsed) {
      expect(mail.to?.map(({ address }) => address)).toEqual(['ada@example.com']);
      expect(mail.subject).toMatch(/^every other second: .* from \$/);
      expect(mail.text).toContain('1. ');
      expect(mail.html).toContain('every other second');
      expect(mail.attachments.map(({ mimeType }) => mimeType)).toEqual(['text/csv']);
    }
    expect(parsed.map(({ text }) => /This is the first report/.test(text ?? ''))).toEqual([true, false]);
    const deliveries = await sql<{ id: string; state: string }[]>`
      select id, state from delivery where watch_id = ${watch.id} and kind = 'report' order by place`;
    const sent = deliveries.slice(0, 2).map(({ id }) => `<${id}@offerbook>`);
    expect(parsed.map(({ messageId }) => messageId)).toEqual(sent);
    const [jobs] = await sql<{ done: number }[]>`
      select count(*)::int as done from offerbook_jobs.job
      where name = 'report' and state = 'completed' and data ->> 'watchId' = ${watch.id}`;
    expect(jobs?.done).toBeGreaterThanOrEqual(2);
  });
});

/** A model that the market has, by a crawl of all. */
async function firstModels(ask: <T>(path: string, body?: object) => Promise<T>, sql: Sql): Promise<string[]> {
  await ask('/api/crawls', { type: 'on-demand' });
  await until('the market is known', 300, async () => (await sql`select from gpu_model`).length > 0);
  const rows = await sql<{ name: string }[]>`select name from gpu_model order by name limit 1`;
  return rows.map(({ name }) => name);
}

describe('a service that is stopped in the middle of a crawl', () => {
  it('stops within 10 seconds and stores nothing in part, and the next service makes the book', async () => {
    const { sql, ask, stop, simulator, start } = await startStage();
    simulator.setFaults(['hang-before-headers:1']);
    await ask('/api/crawls', { type: 'bid' });
    await until('the crawl is under way', 300, async () => (await runsOf(sql)).length > 0);
    const begunAt = performance.now();
    await stop();
    expect(performance.now() - begunAt).toBeLessThan(10_000);
    expect((await runsOf(sql)).map(({ outcome }) => outcome)).toEqual(['failed']);
    simulator.setFaults([]);
    const next = await start();
    try {
      await until('the next service has made it', 300, async () =>
        (await runsOf(sql)).some(({ outcome }) => outcome === 'complete'),
      );
    } finally {
      await next.stop();
    }
  });
});
