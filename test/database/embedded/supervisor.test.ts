import { lstat, readdir, readFile, readlink, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { processesOn, serversOn } from '../../../prove/cluster-processes.ts';
import { startSession } from '../../../prove/session-child.ts';
import { openEmbedded } from '../../../src/database/embedded/supervisor.ts';
import { ask, asRoot, makeSandbox, type Sandbox, silent } from './sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await makeSandbox();
});
afterAll(() => sandbox.remove());

const open = (name: string) =>
  openEmbedded({ dataDir: sandbox.dataDir(name), stateDir: sandbox.stateDir, log: silent });

describe('the embedded database', () => {
  it('serves queries while it is open and leaves no process when it is closed', async () => {
    const handle = await open('main');
    expect(await ask(handle, 'select 1 + 1 as sum')).toEqual([{ sum: 2 }]);
    expect(await serversOn(handle.clusterDir)).toHaveLength(1);
    await handle.close();
    expect(await processesOn(handle.clusterDir)).toEqual([]);
  });

  it('keeps written data for the next opening', async () => {
    const first = await open('main');
    await ask(first, 'create table kept (n int); insert into kept values (42)');
    await first.close();
    const second = await open('main');
    expect(await ask(second, 'select n from kept')).toEqual([{ n: 42 }]);
    await second.close();
  });

  it('shares one server within a process, and the first to leave does not stop it', async () => {
    const first = await open('main');
    const second = await open('main');
    const [before] = await ask(first, 'select pg_postmaster_start_time()::text as at');
    await first.close();
    await first.close();
    expect(await ask(second, 'select pg_postmaster_start_time()::text as at')).toEqual([before]);
    await second.close();
    expect(await serversOn(second.clusterDir)).toEqual([]);
  });

  it('shares one server between processes, and the first to leave does not stop it', async () => {
    const place = { dataDir: sandbox.dataDir('main'), stateDir: sandbox.stateDir };
    const first = startSession(place);
    const { clusterDir, serverStartedAt } = await first.opened;
    const second = startSession(place);
    expect((await second.opened).serverStartedAt).toBe(serverStartedAt);
    await first.end();
    const third = startSession(place);
    expect((await third.opened).serverStartedAt).toBe(serverStartedAt);
    await third.end();
    await second.end();
    expect(second.tally().lost).toBe(0);
    expect(second.tally().queries).toBeGreaterThan(0);
    expect(await serversOn(clusterDir)).toEqual([]);
  });

  it('starts one server when many processes open a new DATA_DIR at once', async () => {
    const place = { dataDir: sandbox.dataDir('crowd'), stateDir: sandbox.stateDir };
    const crowd = Array.from({ length: 6 }, () => startSession(place));
    const opened = await Promise.all(crowd.map((each) => each.opened));
    expect(new Set(opened.map((each) => each.serverStartedAt)).size).toBe(1);
    const clusterDir = opened[0]?.clusterDir ?? '';
    expect(await serversOn(clusterDir)).toHaveLength(1);
    await Promise.all(crowd.map((each) => each.end()));
    expect(crowd.map((each) => each.tally().lost)).toEqual([0, 0, 0, 0, 0, 0]);
    expect(await processesOn(clusterDir)).toEqual([]);
  });

  it('is UTF-8 in code point order, in UTC, crash-safe, and not on the network', async () => {
    const handle = await open('main');
    const settings = await ask(
      handle,
      `select name, setting from pg_settings where name in
        ('listen_addresses', 'fsync', 'full_page_writes', 'TimeZone', 'server_encoding', 'data_checksums', 'jit') order by name`,
    );
    expect(Object.fromEntries(settings.map(({ name, setting }) => [name, setting]))).toEqual({
      listen_addresses: '',
      fsync: 'on',
      full_page_writes: 'on',
      TimeZone: 'UTC',
      server_encoding: 'UTF8',
      data_checksums: 'on',
      jit: 'off',
    });
    expect(await ask(handle, `select upper('äß') as up, 'Z' < 'a' as code_points`)).toEqual([
      { up: 'Äß', code_points: true },
    ]);
    expect((await stat(handle.socketDir)).mode & 0o777).toBe(0o700);
    await handle.close();
  });

  it("survives a SIGINT of its starter's terminal", async () => {
    const place = { dataDir: sandbox.dataDir('main'), stateDir: sandbox.stateDir };
    const starter = startSession({ ...place, detached: true });
    const { clusterDir, serverStartedAt } = await starter.opened;
    const staying = startSession(place);
    await staying.opened;
    process.kill(-starter.pid, 'SIGINT');
    await starter.end();
    expect(await ask(await staying.opened, 'select pg_postmaster_start_time()::text as at')).toEqual([
      { at: serverStartedAt },
    ]);
    await staying.end();
    expect(staying.tally().lost).toBe(0);
    expect(await serversOn(clusterDir)).toEqual([]);
  });

  it.runIf(asRoot)(
    "keeps root's cluster with an account of its own, linked from DATA_DIR, and says so",
    async () => {
      const handle = await open('main');
      const entry = join(sandbox.dataDir('main'), 'pg');
      expect(await readlink(entry)).toBe(handle.clusterDir);
      expect(handle.clusterDir.startsWith(sandbox.stateDir)).toBe(true);
      expect((await stat(handle.clusterDir)).uid).not.toBe(0);
      expect(handle.notice).toContain(handle.clusterDir);
      const [pid] = await serversOn(handle.clusterDir);
      expect(await readFile(`/proc/${pid}/status`, 'utf8')).toMatch(
        new RegExp(`^Uid:\\s${(await stat(handle.clusterDir)).uid}\\s`, 'm'),
      );
      await handle.close();
    },
  );

  it.runIf(asRoot)(
    "keeps root's cluster in a reachable DATA_DIR if the state folder cannot be created",
    async () => {
      const dataDir = sandbox.dataDir('no-state');
      const handle = await openEmbedded({ dataDir, stateDir: '/proc/offerbook', log: silent });
      expect(handle.clusterDir).toBe(join(dataDir, 'pg'));
      expect((await lstat(join(dataDir, 'pg'))).isDirectory()).toBe(true);
      expect(handle.notice).toContain(handle.clusterDir);
      await handle.close();
      expect((await readdir(dataDir)).some((name) => name.startsWith('postgresql-18'))).toBe(true);
    },
  );

  it.runIf(!asRoot)("keeps an ordinary user's cluster in DATA_DIR/pg, silently", async () => {
    const handle = await open('main');
    expect(handle.clusterDir).toBe(join(sandbox.dataDir('main'), 'pg'));
    expect(handle.notice).toBeNull();
    await handle.close();
  });
});
