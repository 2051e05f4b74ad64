import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A request as the server received it. */
export interface Received {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** How one request is answered. */
export type Step = (response: ServerResponse, request: Received) => void;

/** An answer with a status, a body and headers; objects are sent as JSON. */
export function reply(status: number, body: unknown, headers: Record<string, string> = {}): Step {
  const payload = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  return (response) => response.writeHead(status, headers).end(payload);
}

/** A real server on loopback that answers the n-th request by the n-th step, later ones by the last. */
export async function startScriptedServer(
  ...steps: Step[]
): Promise<{ baseUrl: string; received: Received[] }> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const entry = { method, url, headers, body: Buffer.concat(parts).toString() };
      received.push(entry);
      const step = steps[Math.min(received.length, steps.length) - 1];
      step?.(response, entry);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return { baseUrl: `http://127.0.0.1:${port}`, received };
}
