import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { type Relay, startRelay } from '../../prove/relay.ts';
import type { DatabaseTarget } from '../../src/database/connection.ts';

/** The way to a database over TCP, which a test can cut: to the client the server is gone. */
export interface DatabaseWay extends Pick<Relay, 'cut' | 'restore' | 'reset'> {
  url: string;
}

/** A relay on loopback to the database of the tests. */
export async function startDatabaseWay(target: DatabaseTarget): Promise<DatabaseWay> {
  const { to, user, database } = placeOf(target);
  const { port, cut, restore, reset } = await startRelay(to);
  onTestFinished(cut);
  return { url: `postgres://${user}@127.0.0.1:${port}/${database}`, cut, restore, reset };
}

function placeOf(target: DatabaseTarget): { to: () => Socket; user: string; database: string } {
  if ('url' in target) {
    const { hostname, port, username, password, pathname } = new URL(target.url);
    const user = password === '' ? username : `${username}:${password}`;
    return { to: () => connect(Number(port || 5432), hostname), user, database: pathname.slice(1) };
  }
  const { socketDir, port, user, database } = target;
  return { to: () => connect(`${socketDir}/.s.PGSQL.${port}`), user, database };
}
