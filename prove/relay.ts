import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

/** A relay on loopback that can be cut: to its clients the server behind it is then gone. */
export interface Relay {
  port: number;
  /** Ends every connection and refuses new ones. */
  cut: () => void;
  /** Accepts connections again. */
  restore: () => void;
  /** Aborts every connection like a broken network or a crashed machine; accepts new ones. */
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
