import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A receiver of webhooks that accepts everything. */
export interface Receiver {
  url: string;
  /** How often each id arrived. */
  received: ReadonlyMap<string, number>;
  close: () => void;
}

/** Listens on loopback. */
export async function startReceiver(): Promise<Receiver> {
  const received = new Map<string, number>();
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const id = String(request.headers['webhook-id']);
      received.set(id, (received.get(id) ?? 0) + 1);
      response.writeHead(200).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/reports`,
    received,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
