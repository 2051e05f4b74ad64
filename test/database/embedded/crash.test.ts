import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { processesOn, serversOn } from '../../../prove/cluster-processes.ts';
import { startSession } from '../../../prove/session-child.ts';
import { openEmbedded } from '../../../src/database/embedded/supervisor.ts';
import { ask, makeSandbox, type Sandbox, silent, until } from './sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await makeSandbox();
});
afterAll(() => sandbox.remove());

const place = (name: string) => ({ dataDir: sandbox.dataDir(name), stateDir: sandbox.stateDir });
const open = (name: string) => openEmbedded({ ...place(name), log: silent });
const startTime = 'select pg_postmaster_start_time()::text as at';

describe('after a crash', () => {
  it('the server outlives killed users, the next one adopts it, and stops it when it leaves', async () => {
    const users = [startSession(place('main')), startSession(place('main'))];
    const [first] = await Promise.all(users.map((each) => each.opened));
    if (first === undefined) throw new Error('no session');
    await Promise.all(users.map((each) => each.kill()));
    const servers = await serversOn(first.clusterDir);
    expect(servers).toHaveLength(1);

    const handle = await open('main');
    expect(await ask(handle, startTime)).toEqual([{ at: first.serverStartedAt }]);
    expect(await serversOn(first.clusterDir)).toEqual(servers);
    await handle.close();
    expect(await processesOn(first.clusterDir)).toEqual([]);
  });

  it('a killed user does not keep the server running when the others leave', async () => {
    const staying = await open('main');
    const killed = startSession(place('main'));
    await killed.opened;
    await killed.kill();
    expect(await ask(staying, 'select 1 as one')).toEqual([{ one: 1 }]);
    await staying.close();
    expect(await serversOn(staying.clusterDir)).toEqual([]);
  });

  it('a killed server is restarted by the next user with everything committed', async () => {
    const user = await open('main');
    await ask(user, 'create table committed (n int); insert into committed values (1)');
    const [pid] = await serversOn(user.clusterDir);
    process.kill(pid ?? 0, 'SIGKILL');
    await until(async () => (await serversOn(user.clusterDir)).length === 0);
    const next = await open('main');
    expect(next.socketDir).toBe(user.socketDir);
    expect(await ask(next, 'select n from committed')).toEqual([{ n: 1 }]);
    expect(await ask(user, 'select n from committed')).toEqual([{ n: 1 }]);
    await next.close();
    expect(await ask(user, 'select n from committed')).toEqual([{ n: 1 }]);
    await user.close();
    expect(await serversOn(user.clusterDir)).toEqual([]);
  });

  it('a killed server restarts even if one of its sessions is still in a query', async () => {
    const user = await open('main');
    const query = ask(user, 'select count(*) from generate_series(1, 10000000000)').catch(() => 'lost');
    await until(
      async () =>
        (
          await ask(
            user,
            `select 1 from pg_stat_activity where query like '%10000000000%' and state = 'active' and pid <> pg_backend_pid()`,
          )
        ).length > 0,
    );
    const [pid] = await serversOn(user.clusterDir);
    process.kill(pid ?? 0, 'SIGKILL');
    await until(async () => (await serversOn(user.clusterDir)).length === 0);
    await user.ensureRunning();
    expect(await query).toBe('lost');
    expect(await ask(user, 'select 1 as one')).toEqual([{ one: 1 }]);
    await user.close();
    expect(await processesOn(user.clusterDir)).toEqual([]);
  });

  it('ensureRunning does nothing to a living server', async () => {
    const user = await open('main');
    const before = await ask(user, startTime);
    await user.ensureRunning();
    expect(await ask(user, startTime)).toEqual(before);
    await user.close();
  });

  it('a pid that the system has reused is not mistaken for the server', async () => {
    const user = await open('main');
    await ask(user, 'create table kept (n int)');
    const pidFile = join(user.clusterDir, 'postmaster.pid');
    const text = await readFile(pidFile, 'utf8');
    await user.close();
    await writeFile(pidFile, text.replace(/^\d+/, String(process.pid)));
    const again = await open('main');
    expect(await ask(again, 'select count(*)::int as n from kept')).toEqual([{ n: 0 }]);
    await again.close();
    expect(await serversOn(again.clusterDir)).toEqual([]);
  });

  it('an empty pid file of a killed start is no obstacle', async () => {
    const user = await open('main');
    await user.close();
    await writeFile(join(user.clusterDir, 'postmaster.pid'), '');
    const again = await open('main');
    expect(await ask(again, 'select 1 as one')).toEqual([{ one: 1 }]);
    await again.close();
  });

  it('a starter killed at any moment of the first start leaves nothing incomplete', async () => {
    for (const delayMs of [150, 300, 600]) {
      const starter = startSession(place(`half-${delayMs}`));
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      await starter.kill();
      const handle = await open(`half-${delayMs}`);
      expect(await ask(handle, 'select 1 as one')).toEqual([{ one: 1 }]);
      expect(await serversOn(handle.clusterDir)).toHaveLength(1);
      await handle.close();
      expect(await serversOn(handle.clusterDir)).toEqual([]);
    }
  });

  it('a server that cannot recover is given up with its reason, and closing does not wait for it', async () => {
    const user = await open('main');
    const breakRecovery = (command: string): Promise<void> =>
      writeFile(join(user.clusterDir, 'postgresql.conf'), `restore_command = '${command}'\n`);
    const [pid] = await serversOn(user.clusterDir);
    process.kill(pid ?? 0, 'SIGKILL');
    await until(async () => (await serversOn(user.clusterDir)).length === 0);
    await writeFile(join(user.clusterDir, 'recovery.signal'), '');

    await breakRecovery('exit 127');
    await expect(user.ensureRunning()).rejects.toThrow(/^the database server cannot start: FATAL: .*restore/);
    // A disk cannot be filled here: this says what PostgreSQL says on a full one.
    await breakRecovery('echo No space left on device >&2; exit 127');
    await expect(user.ensureRunning()).rejects.toThrow(
      /the disk is full; free some space, then start again$/,
    );

    await breakRecovery('sleep 1; exit 127');
    const revived = user.ensureRunning();
    await until(async () => (await serversOn(user.clusterDir)).length > 0);
    await user.close();
    await expect(revived).resolves.toBeUndefined();
    await until(async () => (await processesOn(user.clusterDir)).length === 0);
  });
});
