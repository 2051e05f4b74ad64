import { type AddressInfo, createServer, type Socket } from 'node:net';

/** What stands for the SSH servers of all instances: it greets as one and hangs up. */
export interface SshServer {
  /** Rejects when no port can be had. */
  listen(host: string): Promise<void>;
  close(): Promise<void>;
  /** null: it does not listen. */
  port(): number | null;
}

/** A listener whose port accepts connections, so that clients which try whether an instance can be reached see it. */
export function createSshServer(): SshServer {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    // A client that went away is no failure of the server.
    socket.on('error', () => socket.destroy());
    socket.end('SSH-2.0-simulated\r\n');
  });
  return {
    listen: (host) =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(0, host, () => {
          server.off('error', reject);
          resolve();
        });
      }),
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
    port: () => (server.listening ? (server.address() as AddressInfo).port : null),
  };
}
