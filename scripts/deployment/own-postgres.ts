import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { connect } from '../../src/database/connection.ts';
import { freePort } from '../../test/support/free-port.ts';
import { makeFolder, runProgram, startProgram } from './run-program.ts';

export interface OwnPostgres {
  port: number;
  folder: string;
  /** Address of a database, with a role and more parameters. */
  url: (database: string, role?: string, search?: string) => string;
  /** Runs statements as the superuser, in one database. */
  run: (statements: string, database?: string) => Promise<void>;
}

/** Starts Debian's PostgreSQL with more settings; every role is trusted. `prepare` puts files into its folder. */
export async function startPostgres(
  settings: readonly string[] = [],
  prepare: (folder: string) => Promise<void> = async () => {},
): Promise<OwnPostgres> {
  const folder = await makeFolder('postgres');
  const bin = (
    await promisify(execFile)('sh', ['-c', 'ls -d /usr/lib/postgresql/*/bin | tail -n 1'])
  ).stdout.trim();
  const data = join(folder, 'data');
  await runProgram(join(bin, 'initdb'), [
    `--pgdata=${data}`,
    ...['--username=offerbook', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'],
  ]);
  await prepare(folder);
  const port = await freePort();
  const url = (database: string, role = 'offerbook', search = ''): string =>
    `postgres://${role}@localhost:${port}/${database}${search === '' ? '' : `?${search}`}`;
  const run = async (statements: string, database = 'postgres'): Promise<void> => {
    const sql = connect({ url: url(database) }, { max: 1, connectSeconds: 2 });
    try {
      for (const statement of statements.split(';')) await sql.unsafe(statement);
    } finally {
      await sql.end({ timeout: 1 });
    }
  };
  await startProgram(
    join(bin, 'postgres'),
    [
      ...[
        '-D',
        data,
        '-k',
        folder,
        '-p',
        String(port),
        '-c',
        'listen_addresses=localhost',
        '-c',
        'fsync=off',
      ],
      ...settings.flatMap((setting) => ['-c', setting]),
    ],
    async () => {
      await run('select 1');
      return true;
    },
  );
  return { port, folder, url, run };
}
