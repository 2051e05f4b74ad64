import { hash } from 'node:crypto';

/**
 * A hash of a set of texts by id, whatever their order: the sum, modulo 2^128, of the texts' own hashes. A text
 * put again under its id takes the place of the one before. `digest` is 32 hexadecimal digits, `size` the ids.
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
