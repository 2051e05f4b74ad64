import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A request as it came. */
export interface Received {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
}

export interface Receiver {
  url: string;
  received: Received[];
  /** Answers to the next requests; default 200. Hanging ones are never answered. */
  answer: (next: number | 'hang' | ((response: ServerResponse) => void)) => void;
}

/** A real HTTP server on loopback that stores the received requests. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  let next: Parameters<Receiver['answer']>[0] = 200;
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (part: string) => {
      body += part;
    });
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      received.push({ method, path, headers, body });
      if (next === 'hang') return;
      if (typeof next === 'function') next(response);
      else response.writeHead(next).end('thanks');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    answer: (request) => {
      next = request;
    },
  };
}
