import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

/** A way over loopback to somewhere else, which can be cut: to who comes by it what lies behind is gone. */
export interface Relay {
  port: number;
  /** Ends every connection and refuses new ones. */
  cut: () => void;
  /** Takes connections again. */
  restore: () => void;
  /** Breaks every connection off as a network or a crashed machine does; new ones are taken. */
  reset: () => void;
}

/** Opens a relay on a free port; `to` connects to where a new connection leads. */
export async function startRelay(to: () => Socket): Promise<Relay> {
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
  return {
    port,
    cut: () => {
      relay.close();
      for (const socket of sockets) socket.destroy();
    },
    restore: () => {
      relay = open(port);
    },
    reset: () => {
      for (const client of clients) client.resetAndDestroy();
    },
  };
}
