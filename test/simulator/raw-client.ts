import { connect } from 'node:net';

/** What a connection brought, byte by byte. */
export interface RawAnswer {
  /** All that came, head and body. */
  text: string;
  /** How it ended: by the server's end of stream, a reset, or not at all within the time. */
  end: 'closed' | 'reset' | 'silence';
  /** When each part came, milliseconds after the request. */
  partsMs: readonly number[];
}

/** Sends one request over a socket of its own, and reads until the end or for `waitMs` without an end. */
export function sendRaw(
  url: string,
  request: { method: string; path: string; key?: string; body?: unknown },
  waitMs = 400,
): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  const body = request.body === undefined ? '' : JSON.stringify(request.body);
  const head = [
    `${request.method} ${request.path} HTTP/1.1`,
    `host: ${hostname}`,
    `authorization: Bearer ${request.key ?? 'account-key'}`,
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ].join('\r\n');
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    const partsMs: number[] = [];
    const startedMs = performance.now();
    const socket = connect(Number(port), hostname, () => socket.write(`${head}\r\n\r\n${body}`));
    const finish = (end: RawAnswer['end']) => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ text: Buffer.concat(parts).toString('utf8'), end, partsMs });
    };
    const timer = setTimeout(() => finish('silence'), waitMs);
    socket.on('data', (part: Buffer) => {
      parts.push(part);
      partsMs.push(performance.now() - startedMs);
    });
    socket.on('end', () => finish('closed'));
    socket.on('error', () => finish('reset'));
  });
}
