import { createConnection } from 'node:net';
import { connect as connectTls } from 'node:tls';

/** One answer as it came over the wire. Header names in lower case; the body decoded from chunks, as text. */
export interface RawAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** The target of the bytes. `hostHeader` is the value of the `Host` line. */
export interface RawTarget {
  host: string;
  port: number;
  /** Whether to use TLS. */
  isSecure: boolean;
  hostHeader: string;
  /** Prefix of every path, without a trailing slash. */
  basePath: string;
}

/** The target of a base address. Throws if it is not HTTP. */
export function targetOf(baseUrl: string): RawTarget {
  const url = new URL(baseUrl);
  const isSecure = url.protocol === 'https:';
  if (!isSecure && url.protocol !== 'http:') throw new Error(`${baseUrl} is no HTTP address`);
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port || (isSecure ? 443 : 80)),
    isSecure,
    hostHeader: url.host,
    basePath: url.pathname.replace(/\/$/, ''),
  };
}

/**
 * Sends the bytes over a new connection and reads one answer: to its length, its last chunk or the end of the
 * connection. Rejects if it is incomplete after `timeoutMs`.
 */
export function exchangeBytes(target: RawTarget, bytes: Buffer, timeoutMs: number): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const { host, port, isSecure } = target;
    const socket = isSecure ? connectTls({ host, port, servername: host }) : createConnection({ host, port });
    const parts: Buffer[] = [];
    const timer = setTimeout(() => fail(new Error(`no complete answer after ${timeoutMs} ms`)), timeoutMs);
    const end = (): void => {
      clearTimeout(timer);
      socket.destroy();
    };
    const fail = (error: Error): void => {
      end();
      reject(error);
    };
    const tryRead = (isEnded: boolean): void => {
      try {
        const answer = readAnswer(Buffer.concat(parts), isEnded);
        if (answer === null && !isEnded) return;
        if (answer === null) throw new Error('the connection ended inside the answer');
        end();
        resolve(answer);
      } catch (error) {
        fail(error as Error);
      }
    };
    socket.on(isSecure ? 'secureConnect' : 'connect', () => socket.write(bytes));
    socket.on('data', (part: Buffer) => {
      parts.push(part);
      // Large answers come in many pieces: parsing all of them again for each would take quadratic time.
      if (part.length < 16_384 || parts.length % 32 === 0) tryRead(false);
    });
    socket.on('end', () => tryRead(true));
    socket.on('error', fail);
  });
}

/** Returns the answer in these bytes, or null while it is incomplete. Throws if they are not an HTTP/1.1 answer. */
export function readAnswer(bytes: Buffer, isEnded: boolean): RawAnswer | null {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd < 0) return null;
  const [statusLine = '', ...lines] = bytes.subarray(0, headEnd).toString('latin1').split('\r\n');
  const status = Number(/^HTTP\/1\.[01] (\d{3})(?: |$)/.exec(statusLine)?.[1]);
  if (!status) throw new Error(`not a status line: ${JSON.stringify(statusLine.slice(0, 100))}`);
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  );
  const rest = bytes.subarray(headEnd + 4);
  const body = readBody(rest, headers, isEnded);
  return body === null ? null : { status, headers, body: body.toString('utf8') };
}

function readBody(rest: Buffer, headers: Record<string, string>, isEnded: boolean): Buffer | null {
  if (/\bchunked\b/i.test(headers['transfer-encoding'] ?? '')) return readChunks(rest);
  const length = headers['content-length'];
  if (length === undefined) return isEnded ? rest : null;
  return rest.length >= Number(length) ? rest.subarray(0, Number(length)) : null;
}

function readChunks(rest: Buffer): Buffer | null {
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const lineEnd = rest.indexOf('\r\n', at);
    if (lineEnd < 0) return null;
    const size = Number.parseInt(rest.subarray(at, lineEnd).toString('latin1'), 16);
    if (Number.isNaN(size)) throw new Error('a chunk without a size');
    if (size === 0) return Buffer.concat(chunks);
    if (rest.length < lineEnd + 2 + size + 2) return null;
    chunks.push(rest.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
  }
}
