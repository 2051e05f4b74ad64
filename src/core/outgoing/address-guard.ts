import { lookup as systemLookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** A connection refused because of its target address. */
export class AddressRefusal extends Error {
  override name = 'AddressRefusal';
}

type Subnet = readonly [address: string, prefix: number];

/** Addresses outside the public internet, from IANA's registries of special addresses. */
const inside4: readonly Subnet[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];
/** Public is 2000::/3 without the ranges for IPv4 tunnels and documentation. */
const outside6: readonly Subnet[] = [['2000::', 3]];
const inside6: readonly Subnet[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const listOf = (subnets: readonly Subnet[], family: 'ipv4' | 'ipv6'): BlockList => {
  const list = new BlockList();
  for (const [address, prefix] of subnets) list.addSubnet(address, prefix, family);
  return list;
};
const [blocked4, public6, blocked6] = [
  listOf(inside4, 'ipv4'),
  listOf(outside6, 'ipv6'),
  listOf(inside6, 'ipv6'),
];

/** Whether an address is on the public internet: not loopback, private, link-local, metadata or reserved. */
export function isPublicAddress(address: string): boolean {
  const plain = address.replace(/%.*$/, '');
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1] ?? plain;
  const family = isIP(mapped);
  if (family === 4) return !blocked4.check(mapped, 'ipv4');
  return family === 6 && public6.check(mapped, 'ipv6') && !blocked6.check(mapped, 'ipv6');
}

/** Whether connections to an address are allowed. */
export type IsPublic = (address: string) => boolean;

/** Throws AddressRefusal for a host that is written as a private address, or as `localhost`. */
export function refuseLiteral(hostname: string, isPublic: IsPublic): void {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 && !isPublic(host)) throw refusal(host);
  // These names always mean the machine itself.
  if (/(^|\.)localhost\.?$/i.test(host) && !isPublic('127.0.0.1')) throw refusal(host);
}

export const refusal = (address: string): AddressRefusal =>
  new AddressRefusal(
    `the address ${address} is not on the public internet; to allow it, set WEBHOOK_ALLOW_PRIVATE=on and start Offerbook again`,
  );

/**
 * A lookup for `connect` itself that only returns public addresses: the checked address is the one connected to, so a
 * name that resolves differently a moment later gains nothing.
 */
export function createGuardedLookup(
  isPublic: IsPublic,
  lookup: LookupFunction = systemLookup,
): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, '', 0);
      const addresses = typeof found === 'string' ? [] : found;
      const inside = addresses.find(({ address }) => !isPublic(address));
      const [first] = addresses;
      // One private address is enough to refuse: it could be used at the next attempt.
      if (inside !== undefined || first === undefined) {
        return callback(refusal(inside?.address ?? hostname), '', 0);
      }
      if (options.all === true) return callback(null, addresses);
      return callback(null, first.address, first.family);
    });
  };
}
