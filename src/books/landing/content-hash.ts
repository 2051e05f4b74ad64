import { hash } from 'node:crypto';

/**
 * Returns an order-independent hash of texts by id: the sum, modulo 2^128, of the texts' hashes. A text with a known id
 * replaces the one before. `digest` is 32 hexadecimal digits, `size` the number of ids.
 */
export function createContentHash(): {
  put: (id: number, text: string) => void;
  digest: () => string;
  size: () => number;
} {
  const modulus = 1n << 128n;
  const hashes = new Map<number, bigint>();
  return {
    put: (id, text) => {
      hashes.set(id, BigInt(`0x${hash('sha256', text, 'hex').slice(0, 32)}`));
    },
    digest: () => {
      const sum = [...hashes.values()].reduce((all, each) => (all + each) % modulus, 0n);
      return sum.toString(16).padStart(32, '0');
    },
    size: () => hashes.size,
  };
}
