import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { connect } from '../../../src/database/connection.ts';
import { startService } from '../../../src/main.ts';
import { loadConfig } from '../../../src/service/config.ts';
import { createLimitedRole } from '../../support/limited-role.ts';
import { silentLog } from '../../support/silent-log.ts';
import { createTestApp } from '../../support/test-app.ts';
import { databaseUrl } from '../../support/test-database.ts';

const words = 'PostgreSQL accepts no more connections (max_connections): lower DATABASE_POOL_SIZE or raise';

it('requests and /readyz report that the server has no free connection, and recover when it has', async () => {
  const { sql: admin, tokens, market } = await createTestApp();
  const target = await createLimitedRole(admin, 2);
  const hogs = [connect(target, { max: 1 }), connect(target, { max: 1 })];
  await Promise.all(hogs.map((hog) => hog`select 1`));
  const sql = connect(target, { max: 2 });
  const { app } = await createTestApp({ sql, defaultMarket: async () => market });
  const ask = async (path: string): Promise<Response> =>
    await app.request(path, { headers: { authorization: `Bearer ${tokens.viewer}` } });
  for (const path of ['/api/crawls', '/readyz']) {
    const answer = await ask(path);
    expect([path, answer.status]).toEqual([path, 503]);
    expect(answer.headers.get('Retry-After')).toBe('2');
    const problem = (await answer.json()) as { type: string; detail: string };
    expect(problem.type).toBe('/api/docs#too-many-connections');
    expect(problem.detail).toContain(words);
  }
  await Promise.all(hogs.map((hog) => hog.end({ timeout: 0 })));
  // The server frees a connection a moment after its client has left.
  for (const path of ['/api/crawls', '/readyz'])
    await vi.waitFor(async () => expect((await ask(path)).status).toBe(200), { timeout: 20_000 });
  await sql.end({ timeout: 1 });
});

it('/readyz fails while transactions are refused, even if single queries have a connection', async () => {
  const { sql: admin, market } = await createTestApp();
  const sql = connect(await createLimitedRole(admin, 1), { max: 2 });
  await sql`select 1`;
  const { app } = await createTestApp({ sql, defaultMarket: async () => market });
  expect((await app.request('/readyz')).status).toBe(200);
  await expect(sql.begin(async (tx) => await tx`select 1`)).rejects.toThrow('too many connections');
  for (let asked = 0; asked < 3; asked += 1) {
    const answer = await app.request('/readyz');
    expect(answer.status).toBe(503);
    expect(await answer.text()).toContain(words);
  }
  await sql.end({ timeout: 1 });
});

it('a starting process waits until there are enough connections for everything that it opens', async () => {
  const { sql: admin } = await createTestApp();
  const target = await createLimitedRole(admin, 1);
  const role = 'user' in target ? target.user : new URL(target.url).username;
  const [row] = await admin<{ name: string }[]>`select current_database() as name`;
  await admin.unsafe(`grant all on schema public to ${role}; grant all on database ${row?.name} to ${role}`);
  const folder = await mkdtemp(join(tmpdir(), 'offerbook-full-'));
  const env = { DATABASE_URL: databaseUrl(target as never), DATA_DIR: folder, PORT: '0', ROLE: 'api' };
  const warned: string[] = [];
  const log = { ...silentLog, warn: (_: object, message: string) => void warned.push(message) };
  try {
    const starting = startService(loadConfig(env), log);
    starting.catch((error: unknown) => void warned.push(String(error)));
    await expect.poll(() => warned.join(), { timeout: 20_000 }).toContain(words);
    await admin.unsafe(`alter role ${role} connection limit 40`);
    const service = await starting;
    expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
    await service.stop();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
