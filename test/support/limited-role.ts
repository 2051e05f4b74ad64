import { inject } from 'vitest';
import type { DatabaseTarget, Sql } from '../../src/database/connection.ts';
import { atEndOfFile } from './end-of-file.ts';
import { withDatabase } from './global-setup.ts';

let made = 0;

/** A role for the database of `admin` with a maximum number of connections: further ones are refused. */
export async function createLimitedRole(admin: Sql, connections: number): Promise<DatabaseTarget> {
  made += 1;
  const role = `limited_${process.pid}_${Date.now().toString(36)}_${made}`;
  await admin.unsafe(`create role ${role} login connection limit ${connections}`);
  await admin.unsafe(`grant all on all tables in schema public to ${role}`);
  await admin.unsafe(`grant all on all sequences in schema public to ${role}`);
  atEndOfFile(async () => {
    await admin`select pg_terminate_backend(pid) from pg_stat_activity where usename = ${role}`;
    await admin.unsafe(`drop owned by ${role}`);
    await admin.unsafe(`drop role ${role}`);
  });
  const [row] = await admin<{ name: string }[]>`select current_database() as name`;
  const target = withDatabase(inject('server'), row?.name ?? '');
  if (!('url' in target)) return { ...target, user: role };
  const url = new URL(target.url);
  url.username = role;
  return { url: url.href };
}
