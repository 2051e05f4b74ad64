import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';

/** A request as it came over the wire. Header names in lower case. */
export interface RawRequest {
  method: string;
  /** Path and query as sent. */
  target: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** The answer to the n-th request: bytes, silence, or the end of the connection. */
export type RawReply = Buffer | 'hang' | 'reset';

/** A server on loopback that answers the n-th request with the n-th reply, later ones with the last. */
export interface RawServer {
  url: string;
  received: readonly RawRequest[];
  close: () => Promise<void>;
}

/** Starts a server of raw bytes, which understands of HTTP only where a request ends. */
export async function startRawServer(replies: readonly RawReply[]): Promise<RawServer> {
  const received: RawRequest[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let bytes = Buffer.alloc(0);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    socket.on('data', (part) => {
      bytes = Buffer.concat([bytes, Buffer.from(part)]);
      const request = readRequest(bytes);
      if (request === null) return;
      bytes = Buffer.alloc(0);
      received.push(request);
      const reply = replies[Math.min(received.length, replies.length) - 1] ?? 'reset';
      if (reply === 'reset') socket.resetAndDestroy();
      else if (reply !== 'hang') socket.end(reply);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

function readRequest(bytes: Buffer): RawRequest | null {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd < 0) return null;
  const [first = '', ...lines] = bytes.subarray(0, headEnd).toString('latin1').split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  );
  const body = bytes.subarray(headEnd + 4);
  if (body.length < Number(headers['content-length'] ?? 0)) return null;
  const [method = '', target = ''] = first.split(' ');
  return { method, target, headers, body: body.toString('utf8') };
}
