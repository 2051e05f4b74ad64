import { isIP } from 'node:net';
import { isPublicAddress } from '../../core/outgoing/address-guard.ts';

/** Whether programs elsewhere could reach the host of a URL, judged by its name without a lookup. */
export function isReachable(hostname: string): boolean {
  const address = hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(address) !== 0) return isPublicAddress(address);
  // Names without a dot, and names used within homes and between containers.
  return hostname.includes('.') && !/\.(local|lan|internal|home\.arpa|localhost)$/i.test(hostname);
}
