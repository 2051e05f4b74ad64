import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** What a raw server does with the n-th request, given as its text. */
export type RawStep = (socket: Socket, request: string) => void;

/** The bytes of an answer; `content-length` is that of `body` unless another is given. */
export function rawAnswer(
  status: number,
  type: string,
  body: string,
  length = Buffer.byteLength(body),
): string {
  const head = [
    `HTTP/1.1 ${status} X`,
    `Content-Type: ${type}`,
    `Content-Length: ${length}`,
    'Connection: close',
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

/** A TCP server on loopback that answers the n-th request by the n-th step, later ones by the last. */
export async function startRawServer(...steps: RawStep[]): Promise<{ baseUrl: string; requests: string[] }> {
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    let text = '';
    socket.setEncoding('utf8');
    socket.on('data', (part: string) => {
      text += part;
      if (!isWhole(text)) return;
      requests.push(text);
      steps[Math.min(requests.length, steps.length) - 1]?.(socket, text);
      text = '';
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

function isWhole(text: string): boolean {
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return false;
  const length = Number(/\r\ncontent-length: *(\d+)/i.exec(text.slice(0, end))?.[1] ?? 0);
  return Buffer.byteLength(text.slice(end + 4)) >= length;
}
