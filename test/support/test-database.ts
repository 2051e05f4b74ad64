import { inject } from 'vitest';
import { connect, type DatabaseTarget, type Sql } from '../../src/database/connection.ts';
import { atEndOfFile } from './end-of-file.ts';
import { withDatabase } from './global-setup.ts';

export interface TestDatabase {
  sql: Sql;
  target: DatabaseTarget;
}

let made = 0;

/** A migrated database of its own, cloned from the template; dropped after the test file. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = inject('server');
  made += 1;
  const name = `${inject('template')}_${process.pid}_${Date.now().toString(36)}_${made}`;
  const admin = connect(server, { max: 1 });
  // Copied as files, in half the time that the log takes.
  await admin.unsafe(`create database ${name} template ${inject('template')} strategy file_copy`);
  const target = withDatabase(server, name);
  const sql = connect(target, { max: 4 });
  atEndOfFile(async () => {
    // What a failed test still holds is not waited for.
    await sql.end({ timeout: 5 });
    await admin.unsafe(`drop database if exists ${name} with (force)`);
    await admin.end();
  });
  return { sql, target };
}

/** The target as a DATABASE_URL. */
export function databaseUrl(target: DatabaseTarget): string {
  if ('url' in target) return target.url;
  const { socketDir, port, user, database } = target;
  return `postgres:///${database}?host=${encodeURIComponent(socketDir)}&port=${port}&user=${user}`;
}
