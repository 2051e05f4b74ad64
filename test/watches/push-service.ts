import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  hkdfSync,
  type JsonWebKey,
  randomBytes,
  verify,
} from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A message as a push service gets it, and as the browser reads it. */
export interface Pushed {
  path: string;
  headers: IncomingHttpHeaders;
  /** Size of the encrypted body. */
  bytes: number;
  /** Decrypted; null: it is not for this subscription. */
  message: Record<string, string> | null;
}

export interface PushService {
  /** Its origin. */
  url: string;
  /** What a browser that subscribed here gives to the page. */
  subscription: { endpoint: string; keys: { p256dh: string; auth: string } };
  pushed: Pushed[];
  /** Status of the next answers. @default 201 */
  answer: (status: number) => void;
  close: () => void;
}

/** A push service on loopback with one subscribed browser, which decrypts what it gets (RFC 8030, 8188, 8291). */
export async function startPushService(): Promise<PushService> {
  const browser = createECDH('prime256v1');
  browser.generateKeys();
  const auth = randomBytes(16);
  const pushed: Pushed[] = [];
  let status = 201;
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = Buffer.concat(parts);
      const { url: path = '', headers } = request;
      pushed.push({ path, headers, bytes: body.length, message: decrypt(body, browser, auth) });
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    subscription: {
      endpoint: `${url}/push/secret-address`,
      keys: { p256dh: browser.getPublicKey('base64url'), auth: auth.toString('base64url') },
    },
    pushed,
    answer: (next) => {
      status = next;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const hkdf = (key: Uint8Array, salt: Uint8Array, info: string | Uint8Array, length: number): Buffer =>
  Buffer.from(hkdfSync('sha256', key, salt, info, length));

function decrypt(
  body: Buffer,
  browser: ReturnType<typeof createECDH>,
  auth: Buffer,
): Record<string, string> | null {
  try {
    const [salt, idLength] = [body.subarray(0, 16), body[20] ?? 0];
    const sender = body.subarray(21, 21 + idLength);
    const sealed = body.subarray(21 + idLength);
    const shared = browser.computeSecret(sender);
    const context = Buffer.concat([Buffer.from('WebPush: info\0'), browser.getPublicKey(), sender]);
    const input = hkdf(shared, auth, context, 32);
    const key = hkdf(input, salt, 'Content-Encoding: aes128gcm\0', 16);
    const nonce = hkdf(input, salt, 'Content-Encoding: nonce\0', 12);
    const decipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(sealed.subarray(-16));
    const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
    // A 2 ends the last record; padding follows it.
    return JSON.parse(padded.subarray(0, padded.lastIndexOf(2)).toString('utf8')) as Record<string, string>;
  } catch {
    return null;
  }
}

/** Returns who signed a message by VAPID (RFC 8292); null: the signature is not of the key that it names. */
export function signedBy({ headers }: Pushed): { publicKey: string; claims: Record<string, unknown> } | null {
  const [, token = '', publicKey = ''] =
    /^vapid t=([^,]+), *k=(\S+)$/.exec(headers.authorization ?? '') ?? [];
  const [header = '', claims = '', signature = ''] = token.split('.');
  const point = Buffer.from(publicKey, 'base64url');
  const jwk: JsonWebKey = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  };
  const isSigned = verify(
    'sha256',
    Buffer.from(`${header}.${claims}`),
    { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
  return isSigned && read(header).alg === 'ES256' ? { publicKey, claims: read(claims) } : null;
}
