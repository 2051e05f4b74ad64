import { hash } from 'node:crypto';

/**
 * A hash of a multiset of texts, whatever their order: the sum, modulo 2^128, of the texts' own hashes.
 * `digest` is 32 hexadecimal digits.
 */
export function createContentHash(): { add: (text: string) => void; digest: () => string } {
  const modulus = 1n << 128n;
  let sum = 0n;
  return {
    add: (text) => {
      sum = (sum + BigInt(`0x${hash('sha256', text, 'hex').slice(0, 32)}`)) % modulus;
    },
    digest: () => sum.toString(16).padStart(32, '0'),
  };
}
