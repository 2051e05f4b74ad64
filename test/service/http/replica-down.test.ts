import { expect, it, onTestFinished } from 'vitest';
import { loadConfig } from '../../../src/service/config.ts';
import { createServiceApp } from '../../../src/service/http/service-app.ts';
import { openRuntime } from '../../../src/service/runtime.ts';
import { createToken } from '../../../src/service/sign-in/credentials.sql.ts';
import { startDatabaseWay } from '../../support/database-way.ts';
import { silentLog } from '../../support/silent-log.ts';
import { createTestDatabase, databaseUrl } from '../../support/test-database.ts';

/** The app over a database whose replica is the same database by a way that can be cut. */
async function openApp(isCut: boolean) {
  const { sql, target } = await createTestDatabase();
  const { token } = await createToken(sql, { name: 'of the test', role: 'viewer' });
  const way = await startDatabaseWay(target);
  if (isCut) way.cut();
  const runtime = await openRuntime(
    loadConfig({ DATABASE_URL: databaseUrl(target), DATABASE_REPLICA_URL: way.url }),
    silentLog,
  );
  onTestFinished(() => runtime.close());
  const app = createServiceApp(runtime, {
    seeding: () => null,
    isDiskFull: () => false,
    crawlNow: async () => [],
    schedule: async () => [],
    deliver: async () => {},
    pollSoon: async () => {},
  });
  const get = async (path: string): Promise<Response> =>
    await app.request(path, { headers: { authorization: `Bearer ${token}` } });
  const replica = async (): Promise<Record<string, unknown> | undefined> => {
    const answer = (await (await get('/api/status')).json()) as { replica?: Record<string, unknown> };
    return answer.replica;
  };
  return { sql, way, runtime, get, replica };
}

it('prices are read from the primary while the replica is down, and from the replica afterwards', async () => {
  const { way, get, replica } = await openApp(false);
  expect((await get('/api/blocklist')).status).toBe(200);
  expect((await get('/api/offers')).status).toBe(200);
  way.cut();
  for (let asked = 0; asked < 5; asked += 1) expect((await get('/api/offers')).status).toBe(200);
  expect(await replica()).toMatchObject({ isUp: false });
  expect(await (await get('/metrics')).text()).toMatch(
    /^offerbook_replica_up 0$[\s\S]*^offerbook_replica_fallback_reads_total [1-9]/m,
  );
  way.restore();
  await expect.poll(replica, { timeout: 60_000 }).toMatchObject({ isUp: true, reason: null });
  expect((await get('/api/offers')).status).toBe(200);
});

it('a replica that is down at the start is known to be down', async () => {
  const { get, replica } = await openApp(true);
  expect((await get('/api/offers')).status).toBe(200);
  expect(await replica()).toMatchObject({ isUp: false });
});

it('a query that is killed on the replica is repeated on the primary', async () => {
  const { sql, runtime } = await openApp(false);
  const { readSql } = runtime;
  const slow = readSql<{ name: string }[]>`
    select current_setting('application_name') as name, case when current_setting('application_name') = 'offerbook reads'
      then pg_sleep(600) end as slept`;
  const answer = slow.then(([row]) => row?.name);
  const kill = async (): Promise<number> =>
    (
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'offerbook reads' and state = 'active' and query like '%pg_sleep(600)%'
      and datname = current_database()`
    ).length;
  await expect.poll(kill, { timeout: 60_000 }).toBe(1);
  expect(await answer).toBe('offerbook');
});
