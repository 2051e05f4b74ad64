import { type AddressInfo, createServer, type Socket } from 'node:net';

/** Stands for the SSH servers of all instances: sends an SSH greeting and hangs up. */
export interface SshServer {
  /** Rejects if no port is available. */
  listen(host: string): Promise<void>;
  close(): Promise<void>;
  /** null: not listening. */
  port(): number | null;
}

/** Creates a listener that accepts connections, so that clients see instances as reachable. */
export function createSshServer(): SshServer {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    // A client that disconnects is not a failure of the server.
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
