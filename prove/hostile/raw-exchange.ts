import { connect, type Socket } from 'node:net';
import { constants, gunzipSync } from 'node:zlib';

/** A request as it goes over the wire. */
export interface RawRequest {
  method: string;
  /** With its query, encoded. */
  target: string;
  headers: readonly (readonly [name: string, value: string])[];
  /** null: none. */
  body: Buffer | null;
  /** Instead of the body's own length. */
  contentLength?: number | undefined;
  /** Source address; all of 127.0.0.0/8 is available. */
  from?: string | undefined;
}

export interface RawAnswer {
  /** 0: the connection ended without an answer. */
  status: number;
  contentType: string;
  body: string;
  ms: number;
}

const maxKeptBytes = 4_000_000;

/** Sends one request on a connection of its own and reads the answer; an answer without end (events) up to its head. */
export async function exchangeRaw(
  host: string,
  port: number,
  request: RawRequest,
  limitMs: number,
): Promise<RawAnswer | 'no end'> {
  const startedAt = performance.now();
  const bytes = await new Promise<Buffer | 'no end'>((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let head: string | null = null;
    const local = request.from === undefined ? {} : { localAddress: request.from };
    const socket: Socket = connect({ host, port, ...local });
    const end = (what: Buffer | 'no end'): void => {
      clearTimeout(limit);
      socket.destroy();
      resolve(what);
    };
    const limit = setTimeout(() => end('no end'), limitMs);
    socket.on('connect', () => {
      socket.write(headOf(request, host, port));
      if (request.body !== null) socket.write(request.body);
      // The sender promised more bytes than it sent, and has disconnected.
      if (request.contentLength !== undefined) socket.end();
    });
    socket.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxKeptBytes) chunks.push(chunk);
      if (head !== null) return;
      const soFar = Buffer.concat(chunks).toString('latin1');
      const at = soFar.indexOf('\r\n\r\n');
      if (at === -1) return;
      head = soFar.slice(0, at);
      if (/^content-type: *text\/event-stream/im.test(head)) end(Buffer.concat(chunks));
    });
    socket.on('error', () => undefined);
    socket.on('close', () => end(Buffer.concat(chunks)));
  });
  if (bytes === 'no end') return 'no end';
  return { ...readAnswer(bytes), ms: performance.now() - startedAt };
}

function headOf({ method, target, headers, body, contentLength }: RawRequest, host: string, port: number) {
  const length = contentLength ?? body?.length ?? null;
  const lines = [
    `${method} ${target} HTTP/1.1`,
    `host: ${host}:${port}`,
    'connection: close',
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(length === null || headers.some(([name]) => name === 'transfer-encoding')
      ? []
      : [`content-length: ${length}`]),
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}

function readAnswer(bytes: Buffer): Omit<RawAnswer, 'ms'> {
  const at = bytes.indexOf('\r\n\r\n');
  const head = bytes.subarray(0, at === -1 ? 0 : at).toString('latin1');
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0);
  const contentType = /^content-type: *(.*)$/im.exec(head)?.[1]?.trim() ?? '';
  const raw = bytes.subarray(at + 4);
  const body = /^transfer-encoding: *chunked/im.test(head) ? joinChunks(raw) : raw;
  // Cut if the answer was longer than the stored part.
  const isZipped = /^content-encoding: *gzip/im.test(head);
  const text = isZipped ? gunzipSync(body, { finishFlush: constants.Z_SYNC_FLUSH }) : body;
  return { status, contentType, body: text.toString('utf8') };
}

function joinChunks(raw: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < raw.length; ) {
    const lineEnd = raw.indexOf('\r\n', at);
    const size = Number.parseInt(raw.subarray(at, lineEnd).toString('latin1'), 16);
    if (lineEnd === -1 || !(size > 0)) break;
    parts.push(raw.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 4 + size;
  }
  return Buffer.concat(parts);
}
