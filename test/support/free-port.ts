import { once } from 'node:events';
import { createServer } from 'node:net';

const [lowest, highest] = [20_000, 32_000];

/** Returns a port where nothing listens, below those that systems give to outgoing connections: it stays free. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest));
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
