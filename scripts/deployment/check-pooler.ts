import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connect } from '../../src/database/connection.ts';
import { freePort } from '../../test/support/free-port.ts';
import type { OwnPostgres } from './own-postgres.ts';
import { giveAway, makeFolder, startProgram } from './run-program.ts';
import { type Expect, refusalOf, useService } from './use-service.ts';

const recipe = fileURLToPath(new URL('../../docs/deploy/pgbouncer.ini', import.meta.url));

/** Tries PgBouncer as the guide configures it, as it comes, and in the modes that are refused. */
export async function checkPooler(server: OwnPostgres, expect: Expect): Promise<void> {
  await server.run('create database offerbook');
  const given = await startPooler(server, {});
  await useService({ DATABASE_URL: given }, expect, 'through PgBouncer as the guide configures it');
  const plain = await startPooler(server, { ignore_startup_parameters: '' });
  await useService({ DATABASE_URL: plain }, expect, 'through PgBouncer that refuses settings');
  const modes = [
    { pool_mode: 'transaction', ignore_startup_parameters: '' },
    { pool_mode: 'transaction', server_round_robin: '1', server_reset_query_always: '1' },
    { pool_mode: 'statement' },
  ];
  for (const changes of modes) {
    const address = await startPooler(server, changes);
    const said = await refusalOf({ DATABASE_URL: address });
    const isPlain =
      /^DATABASE_URL leads through a pooler \(PgBouncer\) in transaction mode, .*pool_mode = session/;
    expect(
      isPlain.test(said) && !said.includes('\n'),
      `PgBouncer with ${JSON.stringify(changes)} is refused`,
      said,
    );
  }
}

/** Starts PgBouncer with the guide's file, only at other places; returns the address through it. */
async function startPooler(server: OwnPostgres, changes: Record<string, string>): Promise<string> {
  const folder = await makeFolder('pgbouncer');
  const port = await freePort();
  let text = await readFile(recipe, 'utf8');
  const places = { unix_socket_dir: folder, listen_port: String(port) };
  for (const [name, value] of Object.entries({ ...places, ...changes })) {
    const line = `${name} = ${value}`;
    text = new RegExp(`^${name} =`, 'm').test(text)
      ? text.replace(new RegExp(`^${name} =.*$`, 'm'), line)
      : `${text}${line}\n`;
  }
  text = text.replace('host=/run/postgresql', `host=${server.folder} port=${server.port}`);
  const file = join(folder, 'pgbouncer.ini');
  await writeFile(file, text);
  await giveAway(file);
  const url = `postgres:///offerbook?host=${folder}&port=${port}&user=offerbook`;
  await startProgram('pgbouncer', [file], async () => {
    const sql = connect({ url, isPooled: true }, { max: 1, connectSeconds: 1 });
    try {
      await sql.unsafe('select 1');
      return true;
    } finally {
      await sql.end({ timeout: 1 });
    }
  });
  return url;
}
