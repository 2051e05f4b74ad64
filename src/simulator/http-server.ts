import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createGzip } from 'node:zlib';
import type { Log } from '../domain/log.ts';
import { jsonParts } from './json-stream.ts';
import type { ApiAnswer, Route } from './routes.ts';

/** One request as it was answered. */
export interface ServedRequest {
  method: string;
  path: string;
  /** By the real clock, when it came. */
  at: Date;
  status: number;
}

export interface HttpServer {
  listen(options: { host: string; port: number }): Promise<{ url: string }>;
  close(): Promise<void>;
  /** The newest 10,000 requests, oldest first. */
  requests(): readonly ServedRequest[];
}

interface ServerOptions {
  routes: readonly Route[];
  apiKey: string;
  /** The real clock. */
  now: () => Date;
  virtualNow: () => Date;
  log?: Log | undefined;
}

const largestBodyBytes = 1024 * 1024;
const keptRequests = 10_000;
const wrongKey = { success: false, error: 'auth_error', msg: 'Invalid user key' };

/** Serves the routes over HTTP: bearer keys, both slashes, gzip where the client takes it. Specification section 5. */
export function createHttpServer(options: ServerOptions): HttpServer {
  const requests: ServedRequest[] = [];
  const server = createServer((request, response) => {
    const at = options.now();
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
    const method = request.method ?? 'GET';
    handle(options, method, path, request)
      .catch((error: unknown): ApiAnswer => {
        options.log?.error({ err: error, method, path }, 'the simulator failed to answer');
        return { status: 500, body: { success: false, error: 'internal_error', msg: 'internal error' } };
      })
      .then((answer) => {
        requests.push({ method, path, at, status: answer.status });
        if (requests.length > keptRequests) requests.shift();
        options.log?.debug({ method, path, status: answer.status }, 'simulator request');
        return send(request, response, answer);
      })
      // A client that went away in the middle is no failure of the server.
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

async function handle(
  { routes, apiKey, virtualNow }: ServerOptions,
  method: string,
  path: string,
  request: IncomingMessage,
): Promise<ApiAnswer> {
  const here = routes.filter((route) => route.path === path.replace(/\/$/, ''));
  const route = here.find((candidate) => candidate.method === method);
  if (route === undefined) {
    const [status, error] = here.length > 0 ? [405, 'method_not_allowed'] : [404, 'not_found'];
    return { status, body: { success: false, error, msg: `no ${method} ${path}` } };
  }
  const key = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1];
  if (key === undefined) return { status: 403, body: wrongKey };
  if (!isSame(key, apiKey)) return { status: route.unknownKeyStatus, body: wrongKey };
  const text = await readBody(request);
  if (text === null) {
    return { status: 413, body: { success: false, error: 'invalid_request', msg: 'the body is too large' } };
  }
  return route.answer({ text, at: virtualNow() });
}

async function readBody(request: IncomingMessage): Promise<string | null> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes <= largestBodyBytes) parts.push(part);
  }
  return bytes > largestBodyBytes ? null : Buffer.concat(parts).toString('utf8');
}

async function send(request: IncomingMessage, response: ServerResponse, answer: ApiAnswer): Promise<void> {
  // Whatever was not read of the request would be taken for the next one on this connection.
  request.resume();
  response.statusCode = answer.status;
  response.setHeader('content-type', 'application/json');
  response.setHeader('vary', 'accept-encoding');
  const parts = Readable.from(jsonParts(answer.body));
  if (!takesGzip(request)) return pipeline(parts, response);
  response.setHeader('content-encoding', 'gzip');
  return pipeline(parts, createGzip({ level: constants.Z_BEST_SPEED }), response);
}

function takesGzip(request: IncomingMessage): boolean {
  const accepted = String(request.headers['accept-encoding'] ?? '').toLowerCase();
  return accepted
    .split(',')
    .some((coding) => /^\s*(?:gzip|\*)\s*(?:;\s*q=(?!0(?:\.0*)?\s*$).*)?$/.test(coding));
}

function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
