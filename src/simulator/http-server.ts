import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Log } from '../core/log.ts';

/** One answered request. */
export interface ServedRequest {
  method: string;
  path: string;
  /** Without the question mark, as sent. */
  query: string;
  /** Arrival by the real clock. */
  at: Date;
  /** null: it got no response. */
  status: number | null;
  /** Owner of its key, never the key: `account`, a scoped key's name, `instance-123`; null: unknown key. */
  identity: string | null;
  /** The kinds of the faults that affected it. */
  faults: readonly string[];
}

/** What is known of a request after it was handled. */
type RequestOutcome = Pick<ServedRequest, 'status' | 'identity' | 'faults'>;

/** Handles one request: sends a response through the third argument's promise, and returns its description. */
export type RequestHandler = (
  request: IncomingMessage,
  response: ServerResponse,
) => Promise<{ outcome: RequestOutcome; send: () => Promise<void> }>;

export interface HttpServer {
  listen(options: { host: string; port: number }): Promise<{ url: string }>;
  close(): Promise<void>;
  /** The newest 10,000 requests, oldest first. */
  requests(): readonly ServedRequest[];
}

const maxRequests = 10_000;

/** Serves HTTP and keeps a list of the requests. `now` is the real clock. */
export function createHttpServer(options: {
  handle: RequestHandler;
  now: () => Date;
  log?: Log | undefined;
}): HttpServer {
  const requests: ServedRequest[] = [];
  const server = createServer((request, response) => {
    const at = options.now();
    const [path, query] = splitUrl(request.url ?? '/');
    const method = request.method ?? 'GET';
    options
      .handle(request, response)
      .then(({ outcome, send }) => {
        requests.push({ method, path, query, at, ...outcome });
        if (requests.length > maxRequests) requests.shift();
        options.log?.debug({ method, path, status: outcome.status }, 'simulator request');
        // Unread bytes of this request would be mistaken for the next request on the connection.
        request.resume();
        return send();
      })
      // A client that disconnects in the middle is not a failure of the server.
      .catch(() => response.destroy());
  });
  return {
    listen: ({ host, port }) =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, host, () => {
          server.off('error', reject);
          const address = server.address() as AddressInfo;
          resolve({ url: `http://${address.address}:${address.port}` });
        });
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
    requests: () => [...requests],
  };
}

/** The path of a request's address, and its query without the question mark, '' if none. */
export function splitUrl(url: string): [path: string, query: string] {
  const at = url.indexOf('?');
  return at < 0 ? [url, ''] : [url.slice(0, at), url.slice(at + 1)];
}

const maxBodyBytes = 1024 * 1024;

/** The text of a request's body; null: over a megabyte. */
export async function readBody(request: IncomingMessage): Promise<string | null> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes <= maxBodyBytes) parts.push(part);
  }
  return bytes > maxBodyBytes ? null : Buffer.concat(parts).toString('utf8');
}
