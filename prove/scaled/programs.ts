import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Where the programs of the cluster are. */
export interface Programs {
  /** A program of PostgreSQL. */
  postgres: (name: string) => string;
  pgbouncer: string;
  /** Environment with the libraries of PgBouncer. */
  env: NodeJS.ProcessEnv;
}

const postgresFolder = process.env.POSTGRES_BIN ?? '/usr/lib/postgresql/15/bin';

/**
 * Finds PostgreSQL (`POSTGRES_BIN`, else Debian's) and PgBouncer (`PGBOUNCER`, else Debian's package, which is unpacked
 * into `folder` and not installed). Throws if one cannot be had.
 */
export async function findPrograms(folder: string): Promise<Programs> {
  if (!existsSync(join(postgresFolder, 'pg_basebackup')))
    throw new Error(`There is no pg_basebackup in ${postgresFolder}: set POSTGRES_BIN.`);
  const postgres = (name: string): string => join(postgresFolder, name);
  const given = process.env.PGBOUNCER;
  if (given !== undefined) return { postgres, pgbouncer: given, env: process.env };
  const [packages, root] = [join(folder, 'packages'), join(folder, 'root')];
  await mkdir(packages, { recursive: true });
  await run('apt-get', ['download', 'pgbouncer', 'libc-ares2', 'libevent-2.1-7'], { cwd: packages });
  const { stdout } = await run('ls', [packages]);
  for (const name of stdout.trim().split('\n')) await run('dpkg', ['-x', join(packages, name), root]);
  await run('chmod', ['-R', 'a+rX', folder]);
  const libraries = join(
    root,
    'usr/lib',
    process.arch === 'arm64' ? 'aarch64-linux-gnu' : 'x86_64-linux-gnu',
  );
  return {
    postgres,
    pgbouncer: join(root, 'usr/sbin/pgbouncer'),
    env: { ...process.env, LD_LIBRARY_PATH: libraries },
  };
}
