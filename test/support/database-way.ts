import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import type { DatabaseTarget } from '../../src/database/connection.ts';

/** The way to a database over TCP, which a test can cut: to the client the server is gone. */
export interface DatabaseWay {
  url: string;
  /** Ends every connection and refuses new ones. */
  cut: () => void;
  restore: () => void;
  /** Breaks every connection off as a network or a crashed machine does; new ones are taken. */
  reset: () => void;
}

/** A relay on loopback to the database of the tests. */
export async function startDatabaseWay(target: DatabaseTarget): Promise<DatabaseWay> {
  const { to, user, database } = placeOf(target);
  const sockets = new Set<Socket>();
  const clients = new Set<Socket>();
  const open = (port: number): Server =>
    createServer((client) => {
      const server = to();
      clients.add(client);
      client.on('close', () => clients.delete(client));
      for (const [from, into] of [
        [client, server],
        [server, client],
      ] as const) {
        sockets.add(from);
        from.pipe(into);
        from.on('error', () => into.destroy());
        from.on('close', () => {
          into.destroy();
          sockets.delete(from);
        });
      }
    }).listen(port, '127.0.0.1');
  let relay = open(0);
  await new Promise((resolve) => relay.once('listening', resolve));
  const { port } = relay.address() as AddressInfo;
  const cut = () => {
    relay.close();
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(cut);
  return {
    url: `postgres://${user}@127.0.0.1:${port}/${database}`,
    cut,
    restore: () => {
      relay = open(port);
    },
    reset: () => {
      for (const client of clients) client.resetAndDestroy();
    },
  };
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
