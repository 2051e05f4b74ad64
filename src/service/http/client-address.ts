import { BlockList, isIP } from 'node:net';
import type { Context } from 'hono';

/** The addresses of proxies whose headers are believed. */
export interface TrustedProxies {
  has: (address: string) => boolean;
}

export const noProxies: TrustedProxies = { has: () => false };

/** Returns address and prefix of `10.0.0.0/8` or `::1`; null: it is neither, or it means every address. */
export function readAddressRange(text: string): { address: string; prefix: number } | null {
  const [address = '', bits, ...more] = text.split('/');
  const family = isIP(address);
  if (family === 0 || more.length > 0) return null;
  const most = family === 4 ? 32 : 128;
  const prefix = bits === undefined ? most : /^\d{1,3}$/.test(bits) ? Number(bits) : 0;
  return prefix >= 1 && prefix <= most ? { address, prefix } : null;
}

/** Returns the proxies at these addresses and networks. */
export function proxiesAt(ranges: readonly string[]): TrustedProxies {
  const list = new BlockList();
  for (const range of ranges) {
    const read = readAddressRange(range);
    if (read !== null) list.addSubnet(read.address, read.prefix, familyOf(read.address));
  }
  return { has: (address) => isIP(address) !== 0 && list.check(address, familyOf(address)) };
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** Returns the address that a request's connection comes from; null: it was made within the process. */
export function peerAddress(c: Context): string | null {
  const { incoming } = (c.env ?? {}) as { incoming?: { socket?: { remoteAddress?: string } } };
  return incoming?.socket?.remoteAddress?.replace(/^::ffff:/i, '') ?? null;
}

/**
 * Returns the address of a request's client: of `X-Forwarded-For` the last one that is no trusted proxy, if a trusted
 * one sent it, else that of the connection. null: the request was made within the process.
 */
export function clientAddress(c: Context, proxies: TrustedProxies): string | null {
  const peer = peerAddress(c);
  if (peer === null || !proxies.has(peer)) return peer;
  const passed = (c.req.header('x-forwarded-for') ?? '').split(',').map((each) => each.trim());
  const client = passed.findLast((each) => !proxies.has(each));
  return client !== undefined && isIP(client) !== 0 ? client : peer;
}
